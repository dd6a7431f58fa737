// The three pictures of a comparison as one SVG document, side by side under their titles.

import { plainPalette, readPalette } from '../palette.js';
import { svgDocument, svgElement, writeSVG } from '../svg_element.js';

const gap = 20;
const line = 24;

/** `panels`: { title(), map } each; `dark`: true, false, or undefined for the colours of the page. */
export function compareToSVG(panels, { dark }) {
  const { ink, surface } = dark === undefined ? readPalette() : plainPalette(dark);
  let x = gap;
  let height = 0;
  const shown = panels.flatMap(({ map, title }, at) => {
    // Names must differ within one document.
    const own = map.toSVG({ dark }).replaceAll('heatmap-', `beside-${at}-`);
    const picture = new DOMParser().parseFromString(own, 'image/svg+xml').documentElement;
    const [wide, tall] = ['width', 'height'].map((side) => Number(picture.getAttribute(side)));
    const attributes = { x, y: line - 6, fill: ink, 'font-size': 13, 'font-weight': 600 };
    const parts = [
      svgElement('text', attributes, title()),
      svgElement('g', { transform: `translate(${x} ${line})` }, picture),
    ];
    x += wide + gap;
    height = Math.max(height, line + tall);
    return parts;
  });
  const title = 'Two pictures of attention, and the second less the first';
  const family = getComputedStyle(document.body).fontFamily;
  return writeSVG(svgDocument({ width: x, height, title, family, surface }, shown));
}
