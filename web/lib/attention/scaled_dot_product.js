// attention() and its three steps: reads the arguments and calls the module.
import { attentionFields, attentionOptions, groupScores } from '../arguments/attention_options.js';
import { readOptions } from '../arguments/options.js';
import { readTensor } from '../arguments/tensor.js';

/**
 * @import { TensorLike } from '../types/arguments/tensor.js'
 * @import { Heap } from '../module/heap.js'
 */

/** @param {Heap} heap */
export function scaledDotProduct(heap) {
  const { enums } = heap;
  const read = (/** @type {string} */ where, /** @type {unknown} */ options) =>
    attentionFields(readOptions(where, options, attentionOptions), enums);

  /**
   * @param {TensorLike} query
   * @param {TensorLike} key
   * @param {TensorLike} value
   * @param {unknown} [options]
   */
  function attention(query, key, value, options) {
    const chosen = readOptions('attention', options, attentionOptions);
    const fields = attentionFields(chosen, enums);
    // Added to the same object: copying it takes as long as reading a tensor.
    fields.query = readTensor('query', query);
    fields.key = readTensor('key', key);
    fields.value = readTensor('value', value);
    return groupScores(heap.call('attention', fields), chosen.scores);
  }

  /**
   * @param {TensorLike} query
   * @param {TensorLike} key
   * @param {unknown} [options]
   */
  function scores(query, key, options) {
    const chosen = readOptions('scores', options, attentionOptions);
    chosen.scores ||= 'biased';
    const fields = attentionFields(chosen, enums);
    fields.query = readTensor('query', query);
    fields.key = readTensor('key', key);
    return groupScores(heap.call('scores', fields), chosen.scores).scores;
  }

  /**
   * @param {TensorLike} scores
   * @param {unknown} [options]
   */
  function softmax(scores, options) {
    const fields = read('softmax', options);
    fields.matrix = readTensor('scores', scores);
    return heap.call('softmax', fields).weights;
  }

  /**
   * @param {TensorLike} weights
   * @param {TensorLike} value
   * @param {unknown} [options]
   */
  function weightedSum(weights, value, options) {
    const fields = read('weightedSum', options);
    fields.matrix = readTensor('weights', weights);
    fields.value = readTensor('value', value);
    return heap.call('weightedSum', fields).output;
  }

  return { attention, scores, softmax, weightedSum };
}
