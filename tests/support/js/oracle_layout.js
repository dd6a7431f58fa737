// The three layouts of a tensor as one: batch × heads × rows × width, for the oracles of the family.
import { packHeads, reshape } from './rearrange.js';

export const unrounded = (x) => x;

/** A float64 tensor of zeros. */
export function zeros(dims) {
  return { dims: [...dims], data: new Float64Array(dims.reduce((a, b) => a * b, 1)) };
}

/** A tensor of any layout as batch × count × rows × width; rank 4 is that already. */
export function splitHeads({ dims, data }, count) {
  if (dims.length === 4) return { dims, data };
  const batch = dims.length === 3 ? dims[0] : 1;
  const [rows, across] = dims.slice(-2);
  const width = across / count;
  const out = new data.constructor(data.length);
  let at = 0;
  for (let b = 0; b < batch; b++)
    for (let h = 0; h < count; h++)
      for (let i = 0; i < rows; i++)
        for (let c = 0; c < width; c++) out[at++] = data[(b * rows + i) * across + h * width + c];
  return { dims: [batch, count, rows, width], data: out };
}

/** The way back, to the layout of `rank`. */
export function joinHeads(split, rank) {
  if (rank === 4) return split;
  const packed = packHeads(split);
  return rank === 3 ? packed : reshape(packed, packed.dims.slice(1));
}

/**
 * Dims of batch × [heads ×] …: without a batch axis at rank 2, and there with a heads axis only if
 * heads were named. `named` null: dims has no heads axis.
 */
export function pairDims(rank, named, dims) {
  if (rank > 2) return dims;
  return named === undefined ? dims.slice(2) : dims.slice(1);
}

/** The mean over the heads of batch × heads × qLen × kLen. */
export function headAverage({ dims, data }, round) {
  const [batch, heads, qLen, kLen] = dims;
  const average = zeros([batch, qLen, kLen]);
  for (let b = 0; b < batch; b++) {
    for (let at = 0; at < qLen * kLen; at++) {
      let sum = 0;
      for (let h = 0; h < heads; h++) {
        const weight = data[(b * heads + h) * qLen * kLen + at];
        sum = h === 0 ? weight : round(sum + weight);
      }
      average.data[b * qLen * kLen + at] = round(sum / heads);
    }
  }
  return average;
}

/** Σ_c a_c b_c, one operation after the other. */
export function dot(a, b, round) {
  let sum = 0;
  for (let c = 0; c < a.length; c++) {
    const product = round(a[c] * b[c]);
    sum = c === 0 ? product : round(sum + product);
  }
  return sum;
}

/** Row (b, h, i) of a rank 4 tensor. */
export function rowOf({ dims, data }, b, h, i) {
  const [, heads, rows, width] = dims;
  const start = ((b * heads + h) * rows + i) * width;
  return data.subarray(start, start + width);
}
