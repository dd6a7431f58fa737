// The grid of all heads in numbers: its layers, and the weight of the selected pair of words in every head.

import { layersOf } from './head_of_picture.js';

// Max heads with small pictures, and max layers, or heads of a layer.
const maxPictures = 8 * 8;
const maxSide = 12;

/** { lines: [[part, thumbnails]], heads: count of columns, isLarge: each head is one colored square } */
export function gridOf(thumbnails) {
  const lines = [...layersOf(thumbnails)];
  const heads = Math.max(0, ...lines.map(([, list]) => list.length));
  return {
    lines,
    heads,
    isLarge: thumbnails.length > maxPictures || Math.max(lines.length, heads) > maxSide,
  };
}

const stackOf = (part) => part.split('.')[0];
const textOf = (label) => label.text ?? label;

/**
 * The weight of the selected pair in each head, in the order of `thumbnails`; null in layers of other words.
 * @returns {{ weights: (number | null)[], largest: number, says: string }} `says` names the pair
 */
export function pairWeights(thumbnails, picture, { row, column }) {
  const { part, rows, columns } = picture;
  const weights = thumbnails.map((one) => {
    const isSame =
      stackOf(one.part) === stackOf(part) &&
      (one.rows ?? rows.length) === rows.length &&
      (one.columns ?? columns.length) === columns.length;
    return isSame ? one.weights[row * columns.length + column] : null;
  });
  const largest = Math.max(0, ...weights.map((weight) => Math.abs(weight ?? 0)));
  return { weights, largest, says: `“${textOf(rows[row])}” on “${textOf(columns[column])}”` };
}
