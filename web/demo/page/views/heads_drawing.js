// SVG export of the heads view: thumbnails, one row per layer.

import { heatmapSVG, visibleText } from 'attention-wasm/heatmap';
import { plainPalette, screenColors } from '../palette.js';
import { layersOf, optionsOfHead, roleText, spreadOf } from './head_of_picture.js';
import { svgDocument, svgElement, writeSVG } from '../svg_element.js';

const tile = 150;
const gap = 14;
const line = 20;

/** `dark`: true, false, or undefined for the page's colors. */
export function headsToSVG({ thumbnails, colors, scaling, palette }, { dark } = screenColors) {
  const { ink, muted, surface } = dark === undefined ? palette : plainPalette(dark);
  const shown = [];
  let y = gap;
  let width = 0;
  for (const heads of layersOf(thumbnails).values()) {
    const height = Math.min(2 * tile, (tile * heads[0].rows) / heads[0].columns);
    shown.push(text(heads[0].name, gap, y + 14, muted));
    heads.forEach((head, at) => {
      const x = gap + at * (tile + gap);
      const spread = spreadOf(head.weights, head.rows, head.columns).toFixed(1);
      shown.push(
        svgElement(
          'g',
          { transform: `translate(${x} ${y + line})` },
          pictureOf(head, { colors, scaling, dark: dark ?? palette.dark, height }),
        ),
        text(`Head ${head.head + 1} ≈ ${spread} words`, x, y + line + height + 16, ink),
        ...(head.role ? [text(roleText(head.role), x, y + 2 * line + height + 14, muted)] : []),
      );
    });
    width = Math.max(width, gap + heads.length * (tile + gap));
    y += line + height + 2 * line + gap;
  }
  const title = 'Attention weights of all heads';
  const family = getComputedStyle(document.body).fontFamily;
  return writeSVG(svgDocument({ width, height: Math.ceil(y), title, family, surface }, shown));
}

const text = (says, x, y, fill) =>
  svgElement('text', { x, y, fill, 'font-size': 12 }, visibleText(says));

let pictures = 0;

function pictureOf(head, { colors, scaling, dark, height }) {
  const options = {
    ...optionsOfHead(head, scaling),
    ...{ colors, labels: false, legend: false, numbers: false },
  };
  const svg = heatmapSVG(options, { width: tile, height, dark });
  // Ids must be unique within one document.
  const own = svg.replaceAll('heatmap-', `head-${++pictures}-`);
  return new DOMParser().parseFromString(own, 'image/svg+xml').documentElement;
}
