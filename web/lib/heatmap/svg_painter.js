// A painter that writes SVG: the same picture as shapes and text.

import { isRightToLeft } from './labels.js';
import { pixelCount } from './layout.js';
import { paintPixels } from './raster.js';

/** `document()` is the whole, of this size, on this surface, with `title` as its name. */
export function createSVGPainter({ family, labels, width, height, surface, title }) {
  const parts = [];
  const definitions = [];
  let ids = 0;
  const rounded = (radius) => (radius > 0 ? ` rx="${number(radius)}"` : '');
  const box = (x, y, w, h, radius) =>
    `x="${number(x)}" y="${number(y)}" width="${number(w)}" height="${number(h)}"${rounded(radius)}`;

  const painter = {
    fill: (x, y, w, h, radius, color) =>
      parts.push(`<rect ${box(x, y, w, h, radius)} fill="${escape(color)}"/>`),
    stroke: (x, y, w, h, radius, color, thickness) =>
      parts.push(
        `<rect ${box(x, y, w, h, radius)} fill="none" stroke="${escape(color)}" stroke-width="${number(thickness)}"/>`,
      ),
    dot: (x, y, radius, color) =>
      parts.push(
        `<circle cx="${number(x)}" cy="${number(y)}" r="${number(radius)}" fill="${escape(color)}"/>`,
      ),
    marker: (x, y, size, color) =>
      parts.push(
        `<path d="M${number(x)} ${number(y)}l${-size} ${-1.5 * size}h${2 * size}z" fill="${escape(color)}"/>`,
      ),
    gradient(x, y, w, h, colors) {
      const id = `heatmap-scale-${ids++}`;
      const stops = colors
        .filter((_, i) => i % 5 === 0)
        .map(
          (color, i, list) =>
            `<stop offset="${number(i / (list.length - 1))}" stop-color="${color}"/>`,
        );
      definitions.push(`<linearGradient id="${id}">${stops.join('')}</linearGradient>`);
      parts.push(`<rect ${box(x, y, w, h, 2)} fill="url(#${id})"/>`);
    },
    hatch(x, y, w, h, color) {
      const id = `heatmap-hatch-${ids++}`;
      definitions.push(
        `<pattern id="${id}" width="5" height="5" patternUnits="userSpaceOnUse">` +
          `<path d="M-1 6L6 -1M-1 1L1 -1M4 6L6 4" stroke="${escape(color)}" stroke-width="0.75" stroke-opacity="0.55"/></pattern>`,
      );
      parts.push(`<rect ${box(x, y, w, h, 0)} fill="url(#${id})"/>`);
    },
    // Runs of one colour in a row are one stroke of that colour's path.
    pixels({ matrix, ramp, bin }, x, y, cell) {
      const [wide, high] = [matrix.columns, matrix.rows].map((count) => pixelCount(count, bin));
      const pixels = new Uint32Array(wide * high);
      paintPixels(pixels, { matrix, ramp, bin });
      const names = new Map(ramp.fill.map((color, i) => [ramp.packed[i], color]));
      const paths = new Map();
      for (let row = 0; row < high; row++) {
        for (let from = 0, to = 0; from < wide; from = to) {
          const pixel = pixels[row * wide + from];
          while (to < wide && pixels[row * wide + to] === pixel) to++;
          if (pixel === 0) continue;
          const path = paths.get(pixel) ?? [];
          path.push(`M${from} ${row}h${to - from}v1H${from}z`);
          paths.set(pixel, path);
        }
      }
      const scale = number(cell * bin);
      parts.push(
        `<g transform="translate(${number(x)} ${number(y)}) scale(${scale})" shape-rendering="crispEdges">`,
      );
      for (const [pixel, path] of paths)
        parts.push(`<path fill="${names.get(pixel)}" d="${path.join('')}"/>`);
      parts.push('</g>');
    },
    text(
      text,
      x,
      y,
      { size, weight = 400, color, align, angle = 0, chip, chipHeight = 1.6 * size, halo },
    ) {
      const place = `translate(${number(x)} ${number(y)})${angle ? ` rotate(${number((angle * 180) / Math.PI)})` : ''}`;
      parts.push(`<g transform="${place}">`);
      if (chip) {
        const wide = labels.widthOf(text, size, weight);
        const left = align === 'right' ? -wide : align === 'center' ? -wide / 2 : 0;
        const chipBox = [left - 5, -chipHeight / 2, wide + 10, chipHeight, 4];
        painter.stroke(...chipBox, halo, 3);
        painter.fill(...chipBox, chip);
      }
      // An anchor is where a text starts, which is on the right of one that is read from there.
      const rtl = isRightToLeft(text);
      const anchor = align === 'center' ? 'middle' : (align === 'right') === rtl ? 'start' : 'end';
      parts.push(
        `<text y="${number(0.35 * size)}" font-size="${size}"${weight === 400 ? '' : ` font-weight="${weight}"`}` +
          `${anchor === 'start' ? '' : ` text-anchor="${anchor}"`}${rtl ? ' direction="rtl"' : ''}` +
          ` fill="${escape(color)}">${escape(text)}</text></g>`,
      );
    },
    clip(x, y, w, h, paint) {
      const id = `heatmap-clip-${ids++}`;
      definitions.push(`<clipPath id="${id}"><rect ${box(x, y, w, h, 0)}/></clipPath>`);
      parts.push(`<g clip-path="url(#${id})">`);
      paint();
      parts.push('</g>');
    },
    document: () =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="${number(width)}" height="${number(height)}" ` +
      `viewBox="0 0 ${number(width)} ${number(height)}" font-family="${escape(family)}" role="img">\n` +
      `<title>${escape(title)}</title>\n<defs>${definitions.join('')}</defs>\n` +
      `<rect width="100%" height="100%" fill="${escape(surface)}"/>\n${parts.join('\n')}\n</svg>\n`,
  };
  return painter;
}

function number(value) {
  return String(Math.round(value * 1000) / 1000);
}

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

// Without the characters that no XML document may have, and lone halves of characters.
function escape(text) {
  return String(text)
    .replace(/[&<>"]/g, (character) => entities[character])
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '�');
}
