// attention() and its three steps: reads the arguments, then leaves everything to the module.
import { attentionFields, attentionOptions, inStages } from '../arguments/attention_options.js';
import { readOptions } from '../arguments/options.js';
import { readTensor } from '../arguments/tensor.js';

export function scaledDotProduct(heap) {
  const { enums } = heap;
  const read = (where, options) =>
    attentionFields(readOptions(where, options, attentionOptions), enums);

  function attention(query, key, value, options) {
    const chosen = readOptions('attention', options, attentionOptions);
    const fields = attentionFields(chosen, enums);
    // Into the same object: a copy of it costs as much as reading a tensor.
    fields.query = readTensor('query', query);
    fields.key = readTensor('key', key);
    fields.value = readTensor('value', value);
    return inStages(heap.call('attention', fields), chosen.scores);
  }

  function scores(query, key, options) {
    const chosen = readOptions('scores', options, attentionOptions);
    chosen.scores ||= 'biased';
    const fields = attentionFields(chosen, enums);
    fields.query = readTensor('query', query);
    fields.key = readTensor('key', key);
    return inStages(heap.call('scores', fields), chosen.scores).scores;
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
