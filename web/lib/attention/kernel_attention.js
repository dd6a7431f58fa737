// kernelAttention(): attention with any similarity instead of exp(scale · q·k).
import { describe } from '../arguments/describe.js';
import { attentionFields, attentionOptions } from '../arguments/attention_options.js';
import { number, readOptions } from '../arguments/options.js';
import { readTensor } from '../arguments/tensor.js';
import { toFloat32 } from '../module/to_float32.js';

/**
 * @import { TensorLike } from '../types/arguments/tensor.js'
 * @import { TensorInput } from '../arguments/tensor.js'
 * @import { NumberArray } from '../arguments/typed_array.js'
 * @import { Facts, Heap, Inputs } from '../module/heap.js'
 * @import { Enums } from '../arguments/attention_options.js'
 * @typedef {(query: NumberArray, key: NumberArray) => unknown} Compare a caller's function of two vectors
 */

/**
 * The option `similarity`: a function, whose results are the similarity `precomputed`, or another name of Similarity.
 *
 * @param {Enums['Similarity']} similarities
 */
function similarityReader({ precomputed: _, ...named }) {
  const names = Object.keys(named);
  const accepted = names.map((name) => `'${name}'`).join(', ');
  return (/** @type {unknown} */ value) => {
    if (typeof value === 'function') return /** @type {Compare} */ (value);
    const known = names.find((name) => name === value);
    if (known !== undefined) return known;
    const Problem = typeof value === 'string' ? RangeError : TypeError;
    throw new Problem(`similarity must be ${accepted} or a function, found ${describe(value)}`);
  };
}

const { heads, kvHeads, scale, causal, offset, window, mask, keyLengths, weights } =
  attentionOptions;
const otherKinds = {
  scale,
  bandwidth: number,
  constant: number,
  degree: number,
  heads,
  kvHeads,
  causal,
  offset,
  window,
  mask,
  keyLengths,
  weights,
};

/**
 * A row of one head of a tensor in any layout of attention(), as a view.
 *
 * @param {TensorInput} tensor
 * @param {number} heads
 * @param {number} width
 * @param {number} batch
 * @param {number} head
 * @param {number} row
 */
function headRow({ data, dims }, heads, width, batch, head, row) {
  const rows = dims[dims.length - 2];
  const first =
    dims.length === 4
      ? ((batch * heads + head) * rows + row) * width
      : ((batch * rows + row) * heads + head) * width;
  return data.subarray(first, first + width);
}

/**
 * The function's results for all pairs: batch × heads × qLen × kLen.
 *
 * @param {Compare} compare
 * @param {TensorInput} query
 * @param {TensorInput} key
 * @param {Facts} facts
 */
function compareAll(compare, query, key, facts) {
  const { batch, heads, kvHeads, qLen, kLen, keyDim } = facts;
  const data = new Float32Array(batch * heads * qLen * kLen);
  let count = 0;
  // Return early: batch can be 2^32 when qLen is 0.
  for (let b = 0; count < data.length && b < batch; b++) {
    for (let h = 0; h < heads; h++) {
      const kv = Math.floor(h / (heads / kvHeads));
      for (let i = 0; i < qLen; i++) {
        const q = headRow(query, heads, keyDim, b, h, i);
        for (let j = 0; j < kLen; j++) {
          const result = compare(q, headRow(key, kvHeads, keyDim, b, kv, j));
          if (typeof result !== 'number') {
            throw new TypeError(`similarity must return a number, found ${describe(result)}`);
          }
          data[count++] = result;
        }
      }
    }
  }
  return { name: 'similarity', data, type: 'Float32Array', dims: [data.length], scales: undefined };
}

/** @param {Heap} heap */
export function kernelAttention(heap) {
  const { Similarity } = heap.enums;
  const kinds = { similarity: similarityReader(Similarity), ...otherKinds };
  return {
    /**
     * @param {TensorLike} query
     * @param {TensorLike} key
     * @param {TensorLike} value
     * @param {unknown} [options]
     */
    kernelAttention(query, key, value, options) {
      const read = readOptions('kernelAttention', options, kinds);
      const chosen = read.similarity ?? 'exponential';
      const { bandwidth, constant, degree } = read;
      const fields = {
        ...attentionFields(read, heap.enums),
        bandwidth,
        constant,
        degree,
        similarity: Similarity[typeof chosen === 'function' ? 'precomputed' : chosen],
        query: readTensor('query', query),
        key: readTensor('key', key),
        value: readTensor('value', value),
        /** @type {TensorInput | undefined} */
        matrix: undefined,
      };
      if (typeof chosen === 'function') {
        const facts = heap.facts('kernelAttention', fields);
        // Copies: the function receives views of these, and the call is computed from them.
        fields.query = toFloat32(heap, fields.query);
        fields.key = toFloat32(heap, fields.key);
        fields.matrix = compareAll(chosen, fields.query, fields.key, facts);
      }
      return heap.call('kernelAttention', fields);
    },
  };
}
