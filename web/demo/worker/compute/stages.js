// Library calls for a part: every stage from q·k to the weights, and the output.

import { bandwidthOf, featureMaps } from '../../kinds.js';
import { optionsFor } from './call_options.js';

const four = ({ data, dims }) => ({ data, dims: [1, ...dims] });

/**
 * @returns {{ options, stages: import('../../types').Stages, output: Float32Array }} heads × rows × columns each,
 * output heads × rows × numbers
 */
export function computeStages(api, part, reading, settings) {
  if (part.weights) return { options: {}, stages: { weights: part.weights.data } };
  const [query, key, value] = [part.query, part.key, part.value].map(four);
  const options = optionsFor(part, reading, settings);
  const softmax = softmaxStages(api, [query, key, value], options, part.bias);
  if (settings.kind === 'softmax') return { options, ...softmax };
  const { weights, output } = callKind(api, settings.kind, [query, key, value], options);
  const difference = weights.data.map((weight, at) => weight - softmax.stages.weights[at]);
  const stages = { ...softmax.stages, weights: weights.data, difference };
  return { options, stages, output: output.data };
}

/** Weights only, for thumbnails. */
export function computeWeights(api, part, reading, settings) {
  if (part.weights) return part.weights.data;
  const [query, key, value] = [part.query, part.key, part.value].map(four);
  const options = optionsFor(part, reading, settings);
  return callKind(api, settings.kind, [query, key, value], options, part.bias).weights.data;
}

// One call returns the scores of every stage that differs from the one before.
function softmaxStages(api, [query, key, value], options, bias) {
  const { scale, softcap, causal, window } = options;
  const isMore = causal || window || bias;
  const requestedScores = ['raw', ...(softcap ? ['capped'] : []), ...(isMore ? ['biased'] : [])];
  const callOptions = {
    ...options,
    mask: bias && four(bias),
    weights: true,
    scores: requestedScores,
  };
  const { weights, output, scores } = api.attention(query, key, value, callOptions);
  const times = scores.raw.data; // scale · q·k
  const scaled = scores.capped?.data ?? times;
  const masked = scores.biased?.data ?? scaled;
  let raw = times;
  if (scale === 0) raw = api.scores(query, key, { scale: 1, scores: 'raw' }).data;
  else if (scale !== 1) raw = times.map((score) => score / scale);
  return { stages: { raw, scaled, masked, weights: weights.data }, output: output.data };
}

function callKind(api, kind, [query, key, value], options, bias) {
  const { scale, causal, window } = options;
  const weights = true;
  if (kind === 'softmax') {
    return api.attention(query, key, value, { ...options, mask: bias && four(bias), weights });
  }
  if (featureMaps.includes(kind)) {
    return api.linearAttention(query, key, value, { featureMap: kind, causal, weights });
  }
  return api.kernelAttention(query, key, value, {
    similarity: kind,
    scale: kind === 'polynomial' ? scale : undefined,
    bandwidth: bandwidthOf(kind, scale, query.dims.at(-1)),
    causal,
    window,
    weights,
  });
}
