// Comparison in its room, and the three pictures as one SVG document.

import { defineAttentionMap } from 'attention-wasm/heatmap';
import { mountComponent } from '../component.jsx';
import { plainPalette, readPalette, screenColors } from '../palette.js';
import { svgDocument, svgElement, writeSVG } from '../svg_element.js';
import { Compare } from './compare.jsx';
import { decimalSVG } from './matrix.js';
import './compare.css';

/** Fills `room`; `select`, `hover` and `change` as in the other views; `type` and `askDifference` as in actions.js. */
export function create(room, { select, hover, change, type, askDifference }) {
  defineAttentionMap();
  room.classList.add('compare-view');
  const compare = mountComponent(Compare, room, { select, hover, change, type, askDifference });
  let compared = null; // the latest picture with its alternative

  return {
    show(picture, selection, settings, { state, facts }) {
      if (picture.beside) compared = { picture, selection, settings, state, facts };
      compare.show({ state, compared });
    },
    toSVG: ({ dark } = screenColors) => compareToSVG(room, { dark }),
  };
}

const gap = 20;
const line = 24;

/** `dark`: true, false, or undefined for the page's colors. */
function compareToSVG(room, { dark }) {
  const { ink, surface } = dark === undefined ? readPalette() : plainPalette(dark);
  let x = gap;
  let height = 0;
  const shown = Array.from(room.querySelectorAll('figure')).flatMap((figure, at) => {
    const map = figure.querySelector('attention-map');
    // Ids must be unique within one document.
    const own = decimalSVG(map, { dark }).replaceAll('heatmap-', `beside-${at}-`);
    const picture = new DOMParser().parseFromString(own, 'image/svg+xml').documentElement;
    const [wide, tall] = ['width', 'height'].map((side) => Number(picture.getAttribute(side)));
    const attributes = { x, y: line - 6, fill: ink, 'font-size': 13, 'font-weight': 600 };
    const parts = [
      svgElement('text', attributes, figure.querySelector('figcaption').textContent),
      svgElement('g', { transform: `translate(${x} ${line})` }, picture),
    ];
    x += wide + gap;
    height = Math.max(height, line + tall);
    return parts;
  });
  const title = 'Two pictures of attention, and the second minus the first';
  const family = getComputedStyle(document.body).fontFamily;
  return writeSVG(svgDocument({ width: x, height, title, family, surface }, shown));
}
