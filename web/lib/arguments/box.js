// Boxes of tensors: a box is a range [first, last) of every axis. Copies boxes of arguments, and writes results into boxes.
import { sizeOf } from './dims.js';
import { plainArray } from './typed_array.js';

/** Calls visit(index in the tensor, index in the box, count) for every run of numbers that is contiguous in both. */
function forEachRun(dims, box, visit) {
  const sizes = box.map(([first, last]) => last - first);
  if (sizes.includes(0)) return;
  const strides = dims.map((_, axis) => sizeOf(dims.slice(axis + 1)));
  // All later axes are complete, so a range of this axis is one run.
  const inner = Math.max(
    0,
    sizes.findLastIndex((size, axis) => size !== dims[axis]),
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

/**
 * The numbers of a box: a view of the tensor's memory where they are contiguous and `copies` is false, else a copy.
 * allocate(count): returns a Float32Array for the copy.
 */
function numbersIn(array, dims, box, copies, allocate) {
  const count = sizeOf(box.map(([first, last]) => last - first));
  const data = plainArray(array);
  let values;
  forEachRun(dims, box, (from, to, run) => {
    if (run === count && !copies) {
      values = data.subarray(from, from + run);
    } else {
      values ??=
        allocate && data instanceof Float32Array ? allocate(count) : new data.constructor(count);
      values.set(data.subarray(from, from + run), to);
    }
  });
  return values ?? new data.constructor(0);
}

/** A tensor of the numbers of a box. int8 rows, whole or not, keep their scales, which are copied. */
function boxOf({ name, data, dims, type, scales }, box, copies, allocate) {
  return {
    name,
    data: numbersIn(data, dims, box, copies, allocate),
    type,
    dims: box.map(([first, last]) => last - first),
    scales: scales && numbersIn(scales, dims.slice(0, -1), box.slice(0, -1), true),
  };
}

/** The tensor of a box, as a copy; allocate(count), if it is given, returns a Float32Array for its numbers. */
export const copyBox = (tensor, box, allocate) => boxOf(tensor, box, true, allocate);

/** The tensor of a box, as a view where possible. */
export const viewBox = (tensor, box) => boxOf(tensor, box, false);

/** Writes the numbers of a box into a tensor. */
export function writeBox({ data, dims }, box, values) {
  forEachRun(dims, box, (to, from, count) => data.set(values.subarray(from, from + count), to));
}
