// Picture file of a view: above it the texts with their rays, where the page draws them, and its caption below. A PNG is a rendered SVG.

import { visibleText } from 'attention-wasm/heatmap';
import { onRed, plainPalette } from '../palette.js';
import { svgDocument, svgElement, writeSVG } from '../svg_element.js';
import { wrapText } from '../wrapped_text.js';

const margin = 16;
const lineHeight = 18;
const maxPixels = 16_000; // max side of a canvas in all browsers

/**
 * `dark`: true, false, or undefined for the page's colors. `texts`: the view of the texts, or null where its rays are not
 * what the picture shows. Returns { svg, width, height }.
 */
export function pictureFile(view, caption, { dark, palette, texts }) {
  const colors = dark === undefined ? palette : plainPalette(dark);
  const { ink, muted, surface } = colors;
  const above = texts?.toPicture({ ...colors, onRed: onRed(dark ?? palette.dark) });
  const parsed = new DOMParser().parseFromString(view.toSVG({ dark }), 'image/svg+xml');
  const picture = document.importNode(parsed.documentElement, true);
  const [own, tall] = ['width', 'height'].map((side) => Number(picture.getAttribute(side)));
  const width = Math.max(own, above?.width ?? 0);
  const top = above?.height ?? 0;
  picture.setAttribute('y', String(top));
  const below = top + tall;
  const family = picture.getAttribute('font-family');
  const lines = caption.flatMap((text, at) =>
    wrapText(visibleText(text), Math.floor((width - 2 * margin) / 7)).map((line) => ({
      line,
      isTitle: at === 0,
    })),
  );
  const height = below + lines.length * lineHeight + margin;
  const textOf = ({ line, isTitle }, at) =>
    svgElement(
      'text',
      {
        x: margin,
        y: below + (at + 1) * lineHeight - 4,
        'font-size': 13,
        fill: isTitle ? ink : muted,
      },
      line,
    );
  const title = visibleText(caption.join('. '));
  const shown = [...(above ? [above.element] : []), picture, ...lines.map(textOf)];
  const whole = svgDocument({ width, height, title, family, surface }, shown);
  return { svg: writeSVG(whole), width, height };
}

/** `ratio`: pixels per CSS pixel, reduced where the canvas would be too large. */
export async function paint({ svg, width, height }, ratio) {
  const scale = Math.min(ratio, maxPixels / Math.max(width, height));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: Math.round(width * scale), height: Math.round(height * scale) });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob) resolve(blob);
      else reject(new Error(`${canvas.width} × ${canvas.height} pixels are too many`));
    });
  });
}
