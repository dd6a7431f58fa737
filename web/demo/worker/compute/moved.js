// Norm of what a row's token receives from a column's: ‖α v W_O‖ of each head. The weight α alone does not tell the
// norm of v W_O (Kobayashi et al. 2020, "Attention is Not Only a Weight", section 3). v W_O follows from W_O (the trained
// model), or the reader's model returns it for one layer.

/** @import { Tensor } from 'attention-wasm' */
/** @import { VectorPart } from '../../types' */
/** @import { Computed } from '../types' */

/**
 * A part whose W_O is known.
 * @typedef {VectorPart & Required<Pick<VectorPart, 'projection'>>} ProjectedPart
 */

/** @type {WeakMap<Tensor, Float64Array[]>} */
const productsOf = new WeakMap(); // W_O → for each head W_O W_Oᵀ, with which ‖v W_O‖² = v (W_O W_Oᵀ) vᵀ

/**
 * @param {Tensor} weight
 * @param {number} heads
 */
function productsIn(weight, heads) {
  const known = productsOf.get(weight);
  if (known) return known;
  const [rows, width] = weight.dims;
  const valueDim = rows / heads;
  /** @param {number} i */
  const rowAt = (i) => weight.data.subarray(i * width, (i + 1) * width);
  const made = Array.from({ length: heads }, (_, head) => {
    const product = new Float64Array(valueDim * valueDim);
    for (let i = 0; i < valueDim; ++i) {
      for (let j = 0; j <= i; ++j) {
        const [one, other] = [rowAt(head * valueDim + i), rowAt(head * valueDim + j)];
        let sum = 0;
        for (let c = 0; c < width; ++c) sum += one[c] * other[c];
        product[i * valueDim + j] = sum;
        product[j * valueDim + i] = sum;
      }
    }
    return product;
  });
  productsOf.set(weight, made);
  return made;
}

/**
 * ‖v W_O‖ of each head and column, heads × columns, from W_O.
 * @param {ProjectedPart} part
 */
function lengthsBehind({ projection, heads, value }) {
  const [, columns, valueDim] = value.dims;
  const products = productsIn(projection().weight, heads);
  return Float64Array.from({ length: heads * columns }, (_, at) => {
    const product = products[Math.floor(at / columns)];
    const v = value.data.subarray(at * valueDim, (at + 1) * valueDim);
    let sum = 0;
    for (let i = 0; i < valueDim; ++i) {
      for (let j = 0; j < valueDim; ++j) sum += v[i] * v[j] * product[i * valueDim + j];
    }
    return Math.sqrt(Math.max(0, sum));
  });
}

/**
 * The same from the vectors v W_O, heads × columns × width.
 * @param {Tensor} vectors
 */
function lengthsOf({ data, dims: [heads, columns, width] }) {
  return Float64Array.from({ length: heads * columns }, (_, at) => {
    let sum = 0;
    for (let c = at * width; c < (at + 1) * width; ++c) sum += data[c] * data[c];
    return Math.sqrt(sum);
  });
}

/**
 * ‖α v W_O‖, heads × rows × columns, for a part with W_O or with the vectors v W_O.
 * @param {VectorPart} part
 * @param {Float32Array} weights
 * @param {Tensor} [transformed]
 */
export function movedOf(part, weights, transformed) {
  const [, columns] = part.value.dims;
  const rows = weights.length / part.heads / columns;
  const lengths = transformed
    ? lengthsOf(transformed)
    : lengthsBehind(/** @type {ProjectedPart} */ (part));
  return weights.map((weight, at) => {
    const head = Math.floor(at / (rows * columns));
    return Math.abs(weight) * lengths[head * columns + (at % columns)];
  });
}

/**
 * The stages of a part with 'moved', which is 0 in heads that are switched off. `computed`, the result of computeStages(),
 * keeps what is computed: v W_O of one layer is large.
 * @param {VectorPart} part
 * @param {Computed} computed
 */
export async function withMoved(part, computed) {
  const { stages } = computed;
  if (part.transformed) computed.transformed ??= await part.transformed();
  computed.moved ??= movedOf(part, stages.weights, computed.transformed);
  return { ...stages, moved: withoutHeads(computed.moved, part) };
}

/**
 * heads × … numbers with 0 for the heads that are switched off.
 * @param {Float32Array} numbers
 * @param {VectorPart} part
 */
function withoutHeads(numbers, { heads, off = [] }) {
  if (off.length === 0) return numbers;
  const copy = numbers.slice();
  const size = copy.length / heads;
  for (const head of off) copy.fill(0, head * size, (head + 1) * size);
  return copy;
}
