// Operations on the rows of a matrix { data, dims: [rows, width] }.

/** @typedef {{ data: Float32Array, dims: number[] }} Matrix rows × width */

import { rowOf } from '../../arguments/dims.js';

export { rowOf };

export const addTo = (row, other) => {
  for (let c = 0; c < row.length; c++) row[c] += other[c];
};

/** A copy of these rows. */
export function someRows(x, rows) {
  const width = x.dims.at(-1);
  const data = new Float32Array(rows.length * width);
  rows.forEach((row, at) => data.set(rowOf(x, row), at * width));
  return { data, dims: [rows.length, width] };
}

/** The mean of rows first to end - 1. */
export function meanRow(x, first = 0, end = x.dims[0]) {
  const sum = new Float64Array(x.dims.at(-1));
  for (let row = first; row < end; row++) addTo(sum, rowOf(x, row));
  return Float32Array.from(sum, (total) => total / (end - first));
}

/** The row scaled to length 1; a row of zeros stays. */
export function normalized(row) {
  const length = Math.sqrt(row.reduce((sum, x) => sum + x * x, 0));
  return length > 0 ? row.map((x) => x / length) : row;
}
