// Sizes of row-major tensors, and their rows.
/** @import { NumberArray } from './typed_array.js' */

/** The number of elements of a tensor: the product of its dims. */
export const sizeOf = (/** @type {readonly number[]} */ dims) =>
  dims.reduce((size, dim) => size * dim, 1);

/**
 * A row of a matrix, or of one head of a tensor heads × rows × width, as a view.
 *
 * @template {NumberArray} [Numbers=Float32Array]
 * @param {{ readonly data: Numbers, readonly dims: readonly number[] }} tensor
 * @param {number} row
 */
export function rowOf({ data, dims }, row, head = 0) {
  const [rows, width] = dims.slice(-2);
  const first = (head * rows + row) * width;
  return /** @type {Numbers} */ (data.subarray(first, first + width));
}
