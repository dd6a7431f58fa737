// Boxes of tensors: a box is a range [first, last) of every axis. Copies boxes of arguments, and writes results into boxes.
/** @import { NumberArray, TypedArray } from './typed_array.js' */
/** @import { TensorInput } from './tensor.js' */
import { sizeOf } from './dims.js';
import { lastIndex } from './last_index.js';
import { plainArray } from './typed_array.js';

/**
 * @typedef {readonly [first: number, last: number]} Range [first, last)
 * @typedef {(count: number) => Float32Array} Allocate
 */

/**
 * Calls visit(index in the tensor, index in the box, count) for every run of numbers that is contiguous in both.
 *
 * @param {readonly number[]} dims
 * @param {readonly Range[]} box
 * @param {(from: number, to: number, count: number) => void} visit
 */
function forEachRun(dims, box, visit) {
  const sizes = box.map(([first, last]) => last - first);
  if (sizes.includes(0)) return;
  const strides = dims.map((_, axis) => sizeOf(dims.slice(axis + 1)));
  // All later axes are complete, so a range of this axis is one run.
  const inner = Math.max(
    0,
    lastIndex(sizes, (size, axis) => size !== dims[axis]),
  );
  const run = sizes[inner] * strides[inner];
  let done = 0;
  const walk = (/** @type {number} */ axis, /** @type {number} */ start) => {
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
 *
 * @template {NumberArray} Numbers
 * @param {Numbers} array
 * @param {readonly number[]} dims
 * @param {readonly Range[]} box
 * @param {boolean} copies
 * @param {Allocate} [allocate]
 * @returns {Numbers}
 */
function numbersIn(array, dims, box, copies, allocate) {
  const count = sizeOf(box.map(([first, last]) => last - first));
  const data = plainArray(array);
  const Class = /** @type {new (count: number) => Numbers} */ (data.constructor);
  /** @type {NumberArray | undefined} */
  let values;
  forEachRun(dims, box, (from, to, run) => {
    if (run === count && !copies) {
      values = data.subarray(from, from + run);
    } else {
      values ??= allocate && data instanceof Float32Array ? allocate(count) : new Class(count);
      values.set(data.subarray(from, from + run), to);
    }
  });
  return /** @type {Numbers} */ (values ?? new Class(0));
}

/**
 * A tensor of the numbers of a box. int8 rows, whole or not, keep their scales, which are copied.
 *
 * @param {TensorInput} tensor
 * @param {readonly Range[]} box
 * @param {boolean} copies
 * @param {Allocate} [allocate]
 * @returns {TensorInput}
 */
function boxOf({ name, data, dims, type, scales }, box, copies, allocate) {
  return {
    name,
    data: numbersIn(data, dims, box, copies, allocate),
    type,
    dims: box.map(([first, last]) => last - first),
    scales: scales && numbersIn(scales, dims.slice(0, -1), box.slice(0, -1), true),
  };
}

/**
 * The tensor of a box, as a copy; allocate(count), if it is given, returns a Float32Array for its numbers.
 *
 * @type {(tensor: TensorInput, box: readonly Range[], allocate?: Allocate) => TensorInput}
 */
export const copyBox = (tensor, box, allocate) => boxOf(tensor, box, true, allocate);

/**
 * The tensor of a box, as a view where possible.
 *
 * @type {(tensor: TensorInput, box: readonly Range[]) => TensorInput}
 */
export const viewBox = (tensor, box) => boxOf(tensor, box, false);

/**
 * Writes the numbers of a box into a tensor.
 *
 * @param {{ readonly data: Float32Array, readonly dims: readonly number[] }} tensor
 * @param {readonly Range[]} box
 * @param {Float32Array} values
 */
export function writeBox({ data, dims }, box, values) {
  forEachRun(dims, box, (to, from, count) => data.set(values.subarray(from, from + count), to));
}
