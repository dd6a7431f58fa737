// A large matrix as a picture: one colored cell per number, purple below zero, orange above. Rows and columns can be
// highlighted, and every number can be hovered.

import { element } from '../../element.js';
import { createNumberCursor } from '../../views/number_cursor.js';

/** @import { Palette } from '../../palette.js' */

/**
 * A row and those after it, a column, or a number.
 * @typedef {{ row?: number, span?: number, column?: number }} Light
 */
/**
 * `lit`: highlighted { row, span? } and { column }; `at`: the chosen number; `side`: 'read' (red) or 'seen' (blue);
 * `textOf(row, column)`: text for one number; `pick(row, column)` is called with the chosen number.
 * @typedef {object} ShownMatrix
 * @property {string} name
 * @property {string} [label]
 * @property {(row: number, column: number) => void} pick
 * @property {ArrayLike<number>} data
 * @property {number} rows
 * @property {number} columns
 * @property {number} top
 * @property {Palette} palette
 * @property {Light[]} [lit]
 * @property {Light} [at]
 * @property {string} [side]
 * @property {(row: number, column: number) => string} textOf
 * @property {string} [called]
 */

/**
 * Drawn within NumberMatrix: `latest()` returns what is shown.
 * @param {() => ShownMatrix} latest
 */
export function createNumberMatrix(latest) {
  const { name, label = 'numbers' } = latest();
  const canvas = element('canvas', { 'aria-hidden': 'true' });
  const lights = [0, 1, 2].map(() => element('i', { class: 'light', hidden: true }));
  const root = element('div', { class: `matrix ${name}` }, canvas, lights);
  root.setAttribute('aria-label', label);
  const cursor = createNumberCursor(root, (row, column, how) => {
    if (how === 'on') latest().pick(row, column);
  });

  return {
    element: root,
    /** @param {ShownMatrix} shown */
    show({ data, rows, columns, top, palette, lit = [], at = {}, side = '', textOf, called }) {
      draw(canvas, data, { rows, columns, top, palette });
      if (called) root.setAttribute('aria-label', called);
      root.dataset.side = side;
      const [first, second] = lit;
      const single = at.row === undefined ? null : at;
      [first, second, single].forEach((light, n) => shine(lights[n], light, { rows, columns }));
      const { row = 0, column = 0 } = single ?? Object.assign({}, ...lit);
      cursor.show({ rows, columns, row, column, says: textOf(row, column) });
    },
  };
}

function draw(canvas, data, { rows, columns, top, palette }) {
  if (canvas.width !== columns) canvas.width = columns;
  if (canvas.height !== rows) canvas.height = rows;
  const context = canvas.getContext('2d');
  const image = context.createImageData(columns, rows);
  const pixels = new Uint32Array(image.data.buffer);
  for (let at = 0; at < pixels.length; ++at) {
    pixels[at] = palette.signedPixelOf(top > 0 ? data[at] / top : 0);
  }
  context.putImageData(image, 0, 0);
}

/** Frame around a row, a column or one number. */
function shine(light, place, { rows, columns }) {
  light.hidden = !place;
  if (!place) return;
  const percent = (share) => `${(100 * share).toFixed(4)}%`;
  const { row, column, span = 1 } = place; // span: count of rows from this one on
  light.classList.toggle('one', row !== undefined && column !== undefined);
  light.style.top = percent(row === undefined ? 0 : row / rows);
  light.style.height = percent(row === undefined ? 1 : span / rows);
  light.style.left = percent(column === undefined ? 0 : column / columns);
  light.style.width = percent(column === undefined ? 1 : 1 / columns);
}
