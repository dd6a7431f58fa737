// linearAttention(): attention in linear time in the sequence length.
import { describe } from '../arguments/describe.js';
import { attentionFields, attentionOptions } from '../arguments/attention_options.js';
import { number, oneOf, readOptions } from '../arguments/options.js';
import { readTensor, tensor } from '../arguments/tensor.js';

/**
 * @import { TensorLike } from '../types/arguments/tensor.js'
 * @import { Heap } from '../module/heap.js'
 */

/** @param {unknown} value */
function state(value) {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null) {
    throw new TypeError(`state must be true or a state { S, z }, found ${describe(value)}`);
  }
  return readOptions(
    'linearAttention',
    value,
    {
      S: (/** @type {unknown} */ S) => tensor(S, 'state.S'),
      z: (/** @type {unknown} */ z) => tensor(z, 'state.z'),
    },
    ['S', 'z'],
    'part of a state',
  );
}

const { heads, kvHeads, causal, keyLengths, weights } = attentionOptions;
const otherKinds = {
  heads,
  kvHeads,
  causal,
  keyLengths,
  epsilon: number,
  state,
  weights,
};

/** @param {Heap} heap */
export function linearAttention(heap) {
  const { FeatureMap } = heap.enums;
  const kinds = { ...otherKinds, featureMap: oneOf(Object.keys(FeatureMap)) };
  return {
    /**
     * @param {TensorLike} query
     * @param {TensorLike} key
     * @param {TensorLike} value
     * @param {unknown} [options]
     */
    linearAttention(query, key, value, options) {
      const read = readOptions('linearAttention', options, kinds);
      // `true` may inherit S and z from a changed Object.prototype.
      const before = typeof read.state === 'object' ? read.state : undefined;
      const {
        newSums: S,
        newNormalizer: z,
        ...results
      } = heap.call('linearAttention', {
        ...attentionFields(read, heap.enums),
        featureMap: FeatureMap[read.featureMap ?? 'elu'],
        epsilon: read.epsilon,
        returnState: Boolean(read.state),
        sums: before?.S,
        normalizer: before?.z,
        query: readTensor('query', query),
        key: readTensor('key', key),
        value: readTensor('value', value),
      });
      return read.state ? { ...results, state: { S, z } } : results;
    },
  };
}
