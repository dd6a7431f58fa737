// Rearranged tensors with unchanged numbers: rows selected along an axis, heads packed side by side,
// expanded masks, replaced elements and rows.
import { sizeOf } from './random_tensors.js';

/** Selects slices of `tensor` along `axis` in the given order; a slice may occur more than once. */
export function pick(tensor, axis, order) {
  const { dims, data } = tensor;
  const inner = sizeOf(dims.slice(axis + 1));
  const outer = sizeOf(dims.slice(0, axis));
  const out = new data.constructor(outer * order.length * inner);
  for (let o = 0; o < outer; o++) {
    order.forEach((from, to) => {
      const start = (o * dims[axis] + from) * inner;
      out.set(data.subarray(start, start + inner), (o * order.length + to) * inner);
    });
  }
  return { dims: dims.map((size, at) => (at === axis ? order.length : size)), data: out };
}

export const range = (from, to) => Array.from({ length: to - from }, (_, at) => from + at);

/** The rows `from` to `to` of the axis before the last. */
export const rowsOf = (tensor, from, to) => pick(tensor, tensor.dims.length - 2, range(from, to));

/** batch × heads × rows × width as batch × rows × heads·width. */
export function packHeads({ dims: [batch, heads, rows, width], data }) {
  const out = new data.constructor(data.length);
  for (let b = 0; b < batch; b++) {
    for (let h = 0; h < heads; h++) {
      for (let i = 0; i < rows; i++) {
        const start = ((b * heads + h) * rows + i) * width;
        out.set(data.subarray(start, start + width), ((b * rows + i) * heads + h) * width);
      }
    }
  }
  return { dims: [batch, rows, heads * width], data: out };
}

/** The same numbers under other dims. */
export const reshape = ({ data }, dims) => ({ dims, data });

/** A mask repeated until it has all of batch × heads × qLen × kLen. */
export function spellOut(mask, full) {
  let out = { dims: [...Array(4 - mask.dims.length).fill(1), ...mask.dims], data: mask.data };
  full.forEach((size, axis) => {
    if (out.dims[axis] !== size) out = pick(out, axis, Array(size).fill(0));
  });
  return out;
}

/** The boolean mask batch × heads × qLen × kLen of a predicate. */
export function maskOf(full, allowed) {
  const [batch, heads, qLen, kLen] = full;
  const data = new Uint8Array(sizeOf(full));
  let at = 0;
  for (let b = 0; b < batch; b++)
    for (let h = 0; h < heads; h++)
      for (let i = 0; i < qLen; i++)
        for (let j = 0; j < kLen; j++) data[at++] = allowed(b, h, i, j) ? 1 : 0;
  return { dims: full, data };
}

/** The boolean mask qLen × kLen of a predicate. */
export const gridMask = (qLen, kLen, allowed) =>
  reshape(
    maskOf([1, 1, qLen, kLen], (_b, _h, i, j) => allowed(i, j)),
    [qLen, kLen],
  );

/** A copy whose elements from `index` on, all that share those leading positions, are `number`. */
export function filled(tensor, indices, number) {
  const data = tensor.data.slice();
  for (const index of indices) fill({ dims: tensor.dims, data }, index, number);
  return { dims: tensor.dims, data };
}

/** The same, in place. */
export function fill({ dims, data }, index, number) {
  const inner = sizeOf(dims.slice(index.length));
  const start = index.reduce((at, position, axis) => at * dims[axis] + position, 0) * inner;
  data.fill(number, start, start + inner);
}
