// Small pictures of heads: at most 64 × 64 cells each, so that hundreds of them can be sent and drawn. A larger matrix is
// pooled: a cell has the largest weight of its block of pairs. A mean would make a diagonal of 1 among 1,024 words as pale
// as a head without a pattern.

/** Max cells of a side. */
export const maxCells = 64;

/** @type {(count: number) => number} */
const cellsOf = (count) => Math.min(count, maxCells);

/**
 * First pair of each block along a side, and the end of the last.
 * @param {number} count
 */
const boundsOf = (count) =>
  Array.from({ length: cellsOf(count) + 1 }, (_, at) => Math.floor((at * count) / cellsOf(count)));

/**
 * The weight farthest from 0 in each block, in as many blocks as there are cells. The result is the same array where
 * nothing is pooled.
 * @param {Float32Array} weights rows × columns
 * @param {number} rows
 * @param {number} columns
 * @returns {{ weights: Float32Array, cells: [number, number] }}
 */
export function pooled(weights, rows, columns) {
  /** @type {[number, number]} */
  const cells = [cellsOf(rows), cellsOf(columns)];
  if (rows === cells[0] && columns === cells[1]) return { weights, cells };
  const [tops, lefts] = [boundsOf(rows), boundsOf(columns)];
  const result = new Float32Array(cells[0] * cells[1]);
  for (let down = 0; down < cells[0]; ++down) {
    for (let right = 0; right < cells[1]; ++right) {
      let far = 0;
      for (let row = tops[down]; row < tops[down + 1]; ++row) {
        const end = row * columns + lefts[right + 1];
        for (let at = row * columns + lefts[right]; at < end; ++at) {
          if (!(Math.abs(weights[at]) <= Math.abs(far))) far = weights[at];
        }
      }
      result[down * cells[1] + right] = far;
    }
  }
  return { weights: result, cells };
}
