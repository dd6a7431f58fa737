// Splitting vectors into heads: each head has an equal range of the columns.

/** @import { Tensor } from 'attention-wasm' */

/**
 * rows × (heads · d) → heads × rows × d.
 * @param {Tensor} matrix
 * @param {number} heads
 */
export function splitHeads({ data, dims: [rows, width] }, heads) {
  const share = width / heads;
  const split = new Float32Array(data.length);
  for (let head = 0; head < heads; ++head) {
    for (let row = 0; row < rows; ++row) {
      const from = row * width + head * share;
      split.set(data.subarray(from, from + share), (head * rows + row) * share);
    }
  }
  return { data: split, dims: [heads, rows, share] };
}

/**
 * Repeats key or value heads for the query heads that share them.
 * @param {Tensor} tensor
 * @param {number} heads
 */
export function repeatHeads({ data, dims: [kvHeads, rows, width] }, heads) {
  if (kvHeads === heads) return { data, dims: [kvHeads, rows, width] };
  const size = rows * width;
  const repeated = new Float32Array(heads * size);
  for (let head = 0; head < heads; ++head) {
    const from = Math.floor((head * kvHeads) / heads) * size;
    repeated.set(data.subarray(from, from + size), head * size);
  }
  return { data: repeated, dims: [heads, rows, width] };
}

/** The number of heads must divide the output width. */
export function requireDivisor(heads, width) {
  if (width % heads === 0) return;
  throw new Error(
    `${width} numbers cannot be shared by ${heads} heads: choose a divisor of ${width}`,
  );
}
