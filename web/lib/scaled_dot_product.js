// attention() and its three steps: reads the arguments, then leaves everything to the module.
import { attentionOptions, readOptions } from './options.js';
import { readTensor } from './tensor.js';

// As the module counts them (shapes.h: Step, Stage, wants_weights).
const steps = { attention: 0, scores: 1, softmax: 2, weightedSum: 3 };
const stages = { raw: 1, capped: 2, biased: 3 };
const perHead = 1;
const averaged = 2;

/** Sorts the options by the kind of field they fill. */
function requestOf(step, tensors, options) {
  const { mask, window, offset, keyLengths, slopes, sinks } = options;
  const lists = { keyLengths, slopes, sinks };
  const optional = {
    heads: options.heads,
    kvHeads: options.kvHeads,
    scale: options.scale,
    softcap: options.softcap,
    windowLeft: window?.[0] ?? undefined,
    windowRight: window?.[1] ?? undefined,
  };
  if (Array.isArray(offset)) lists.offsets = offset;
  else optional.offset = offset;
  const given = (fields) =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return {
    step,
    tensors: mask ? { ...tensors, mask } : tensors,
    lists: given(lists),
    optional: given(optional),
    numbers: {
      maskIsAdditive: Number(mask?.type === 'Float32Array'),
      causal: Number(options.causal ?? false),
      window: Number(window !== undefined),
      wantsWeights: { true: perHead, average: averaged }[options.weights] ?? 0,
      wantsScores: stages[options.scores] ?? (step === steps.scores ? stages.biased : 0),
      wantsLogSumExp: Number(options.logSumExp ?? false),
    },
  };
}

export function scaledDotProduct(heap) {
  function attention(query, key, value, options) {
    const read = readOptions('attention', options, attentionOptions);
    const tensors = {
      query: readTensor('query', query),
      key: readTensor('key', key),
      value: readTensor('value', value),
    };
    return heap.call(requestOf(steps.attention, tensors, read));
  }

  function scores(query, key, options) {
    const read = readOptions('scores', options, attentionOptions);
    const tensors = { query: readTensor('query', query), key: readTensor('key', key) };
    return heap.call(requestOf(steps.scores, tensors, read)).scores;
  }

  function softmax(scores, options) {
    const read = readOptions('softmax', options, attentionOptions);
    const tensors = { matrix: readTensor('scores', scores) };
    return heap.call(requestOf(steps.softmax, tensors, read)).weights;
  }

  function weightedSum(weights, value, options) {
    const read = readOptions('weightedSum', options, attentionOptions);
    const tensors = { matrix: readTensor('weights', weights), value: readTensor('value', value) };
    return heap.call(requestOf(steps.weightedSum, tensors, read)).output;
  }

  return { attention, scores, softmax, weightedSum };
}
