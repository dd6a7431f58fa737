// Sizes of row-major tensors, and their rows.

/**
 * The number of elements of a tensor: the product of its dims.
 * @param {readonly number[]} dims
 */
export const sizeOf = (dims) => dims.reduce((size, dim) => size * dim, 1);

/**
 * A row of a matrix, or of one head of a tensor heads × rows × width, as a view.
 * @template {Float32Array | Float64Array} Numbers
 * @param {{ readonly data: Numbers, readonly dims: readonly number[] }} tensor
 * @param {number} row
 * @param {number} [head]
 * @returns {Numbers}
 */
export function rowOf({ data, dims }, row, head = 0) {
  const [rows, width] = dims.slice(-2);
  const first = (head * rows + row) * width;
  return /** @type {Numbers} */ (data.subarray(first, first + width));
}
