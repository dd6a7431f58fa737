// Tensors that are sent and come back: a box cut out of one, and put into one, [first, last) of every axis.
import { plainArray } from '../arguments/typed_array.js';

/** Calls visit(index in the whole, index in the box, count) for every run of numbers. */
function forEachRun(dims, box, visit) {
  const sizes = box.map(([first, last]) => last - first);
  if (sizes.includes(0)) return;
  const strides = dims.map((_, at) =>
    dims.slice(at + 1).reduce((product, dim) => product * dim, 1),
  );
  // The axes after this one are taken whole, so a range of it is one run.
  const inner = Math.max(
    0,
    sizes.findLastIndex((size, at) => size !== dims[at]),
  );
  const run = sizes[inner] * strides[inner];
  let done = 0;
  const walk = (axis, start) => {
    const [first, last] = box[axis];
    if (axis === inner) {
      visit(start + first * strides[axis], done, run);
      done += run;
      return;
    }
    for (let i = first; i < last; i++) walk(axis + 1, start + i * strides[axis]);
  };
  walk(0, 0);
}

/** Numbers and what they are; those of int8 times their scales, which belong to whole rows. */
function numbersOf({ data, dims, type, scales }) {
  if (!scales) return { data: plainArray(data), type };
  const width = dims.at(-1);
  const scaled = (number, at) => number * scales[Math.floor(at / width)];
  return { data: Float32Array.from(plainArray(data), scaled), type: 'Float32Array' };
}

/** The numbers of a box, in memory of their own. */
export function cut(tensor, box) {
  const { data, type } = numbersOf(tensor);
  const { dims } = tensor;
  const sizes = box.map(([first, last]) => last - first);
  const part = new data.constructor(countOf(sizes));
  forEachRun(dims, box, (from, to, count) => part.set(data.subarray(from, from + count), to));
  return { data: part, dims: sizes, type, scales: undefined };
}

/** Writes the numbers of a box into it. */
export function put({ data, dims }, box, part) {
  forEachRun(dims, box, (to, from, count) => data.set(part.subarray(from, from + count), to));
}

/** Numbers first … last - 1 of an axis of a tensor, all of the others. */
export function slice(tensor, axis, range) {
  return cut(
    tensor,
    tensor.dims.map((dim, at) => (at === axis ? range : [0, dim])),
  );
}

/** A tensor for a worker: its numbers in memory of their own, that can be handed over. */
export const copied = ({ data, scales, ...rest }) => ({
  ...rest,
  data: plainArray(data).slice(),
  ...(scales && { scales: plainArray(scales).slice() }),
});

export const countOf = (dims) => dims.reduce((product, dim) => product * dim, 1);

/** A tensor of zeros, for results. */
export const emptyTensor = (dims) => ({ data: new Float32Array(countOf(dims)), dims });

/** Such tensors by name. */
export const emptyTensors = (dims) =>
  Object.fromEntries(Object.entries(dims).map(([name, sizes]) => [name, emptyTensor(sizes)]));

/** A result as an argument of another call. */
export const asInput = ({ data, dims }) => ({
  data,
  dims,
  type: 'Float32Array',
  scales: undefined,
});
