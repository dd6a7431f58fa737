// Matrices of attentions of nn.Transformer for display, from weights in memory: float32, in × out.

/** @import { FloatTensor, Int8Tensor, Tensor } from 'attention-wasm' */
/** @import { Projection } from '../../types' */
/** @typedef {ReadonlyMap<string, FloatTensor | Int8Tensor>} Tensors */

/**
 * A matrix as float32; it may be int8 with a scale for each row.
 * @param {Tensors} tensors
 * @param {string} name
 * @returns {Tensor}
 */
function widen(tensors, name) {
  const tensor = named(tensors, name);
  const { dims } = tensor;
  const width = dims[dims.length - 1];
  const scales = 'scales' in tensor ? tensor.scales : null;
  /** @param {number} at */
  const share = (at) => (scales ? scales[Math.floor(at / width)] : 1);
  const numbers = /** @type {ArrayLike<number>} */ (tensor.data);
  return { data: Float32Array.from(numbers, (number, at) => number * share(at)), dims };
}

/**
 * A tensor of the model.
 * @param {Tensors} tensors
 * @param {string} name
 */
export const named = (tensors, name) => /** @type {FloatTensor | Int8Tensor} */ (tensors.get(name));

/**
 * A vector of the model, which has float32 numbers.
 * @param {Tensors} tensors
 * @param {string} name
 */
const vector = (tensors, name) => /** @type {Tensor} */ (named(tensors, name)).data;

/**
 * rows × columns → columns × rows.
 * @param {Tensor} matrix
 * @returns {Tensor}
 */
export function transpose({ data, dims: [rows, columns] }) {
  const turned = new Float32Array(data.length);
  for (let row = 0; row < rows; ++row) {
    for (let column = 0; column < columns; ++column) {
      turned[column * rows + row] = data[row * columns + column];
    }
  }
  return { data: turned, dims: [columns, rows] };
}

/**
 * heads × rows × numbers → rows × heads·numbers (concatenation of the heads).
 * @param {Tensor} tensor
 * @returns {Tensor}
 */
export function concatenate({ data, dims: [heads, rows, width] }) {
  const joined = new Float32Array(data.length);
  for (let head = 0; head < heads; ++head) {
    for (let row = 0; row < rows; ++row) {
      const from = (head * rows + row) * width;
      joined.set(data.subarray(from, from + width), (row * heads + head) * width);
    }
  }
  return { data: joined, dims: [rows, heads * width] };
}

/**
 * Projections of an attention as x · W.
 * @param {Tensors} tensors
 * @param {string} prefix
 */
export function projectionsOf(tensors, prefix) {
  const stacked = widen(tensors, `${prefix}in_proj_weight`);
  const stackedBias = vector(tensors, `${prefix}in_proj_bias`);
  const width = stacked.dims[1];
  const rows = stacked.dims[0] / 3;
  /** @type {(at: number) => Projection} */
  const projection = (at) => {
    const data = stacked.data.subarray(at * rows * width, (at + 1) * rows * width);
    return {
      weight: transpose({ data, dims: [rows, width] }),
      bias: stackedBias.slice(at * rows, (at + 1) * rows),
    };
  };
  const [query, key, value] = [0, 1, 2].map(projection);
  return { query, key, value, output: outputOf(tensors, prefix) };
}

/**
 * W_O and b_O.
 * @param {Tensors} tensors
 * @param {string} prefix
 * @returns {Projection}
 */
export const outputOf = (tensors, prefix) => ({
  weight: transpose(widen(tensors, `${prefix}out_proj.weight`)),
  bias: vector(tensors, `${prefix}out_proj.bias`).slice(),
});
