// attention() and its three steps: reads the arguments and calls the module.
import { attentionFields, attentionOptions, groupScores } from '../arguments/attention_options.js';
import { readOptions } from '../arguments/options.js';
import { readTensor } from '../arguments/tensor.js';

export function scaledDotProduct(heap) {
  const { enums } = heap;
  const read = (where, options) =>
    attentionFields(readOptions(where, options, attentionOptions), enums);

  function attention(query, key, value, options) {
    const chosen = readOptions('attention', options, attentionOptions);
    const fields = attentionFields(chosen, enums);
    // Added to the same object: copying it takes as long as reading a tensor.
    fields.query = readTensor('query', query);
    fields.key = readTensor('key', key);
    fields.value = readTensor('value', value);
    return groupScores(heap.call('attention', fields), chosen.scores);
  }

  function scores(query, key, options) {
    const chosen = readOptions('scores', options, attentionOptions);
    chosen.scores ||= 'biased';
    const fields = attentionFields(chosen, enums);
    fields.query = readTensor('query', query);
    fields.key = readTensor('key', key);
    return groupScores(heap.call('scores', fields), chosen.scores).scores;
  }

  function softmax(scores, options) {
    const fields = read('softmax', options);
    fields.matrix = readTensor('scores', scores);
    return heap.call('softmax', fields).weights;
  }

  function weightedSum(weights, value, options) {
    const fields = read('weightedSum', options);
    fields.matrix = readTensor('weights', weights);
    fields.value = readTensor('value', value);
    return heap.call('weightedSum', fields).output;
  }

  return { attention, scores, softmax, weightedSum };
}
