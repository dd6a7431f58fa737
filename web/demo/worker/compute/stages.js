// Library calls for a part: every stage from q·k to the weights, and the output.

import { bandwidthOf, isFeatureMap } from '../../kinds.js';
import { optionsFor } from './call_options.js';

/** @import { AttentionApi, ScoreStage, Tensor } from 'attention-wasm' */
/** @import { KindName } from '../../kinds.js' */
/** @import { DrawnReading, Part, RolledOut, RolloutPart, VectorPart, WeightPart } from '../../types' */
/** @import { State } from '../../state/types' */
/** @import { CallOptions, Computed } from '../types' */
/** @typedef {[query: Tensor, key: Tensor, value: Tensor]} Vectors */

/** @type {(tensor: Tensor) => Tensor} */
const four = ({ data, dims }) => ({ data, dims: [1, ...dims] });

/**
 * @param {AttentionApi} api
 * @param {Part} part
 * @param {DrawnReading} reading
 * @param {State} settings
 * @returns {Computed}
 */
export function computeStages(api, part, reading, settings) {
  if (part.kind !== 'vectors') return { options: {}, stages: { weights: given(part).data } };
  const vectors = vectorsOf(part);
  const options = optionsFor(part, reading, settings);
  const softmax = softmaxStages(api, vectors, options, part.bias);
  if (settings.kind === 'softmax') return { options, ...softmax };
  const { weights, output } = callKind(api, settings.kind, vectors, options);
  const difference = weights.data.map((weight, at) => weight - softmax.stages.weights[at]);
  const stages = { ...softmax.stages, weights: weights.data, difference };
  return { options, stages, output: output.data };
}

/** @type {(part: VectorPart) => Vectors} */
const vectorsOf = ({ query, key, value }) => [four(query), four(key), four(value)];

/**
 * Weights that are not computed here.
 * @param {WeightPart | RolloutPart} part
 */
export const given = (part) =>
  part.kind === 'weights' ? part.weights : /** @type {RolledOut} */ (part.rolledOut).weights;

/**
 * Weights only, for thumbnails.
 * @param {AttentionApi} api
 * @param {Part} part
 * @param {DrawnReading} reading
 * @param {State} settings
 */
export function computeWeights(api, part, reading, settings) {
  if (part.kind !== 'vectors') return given(part).data;
  const options = optionsFor(part, reading, settings);
  return callKind(api, settings.kind, vectorsOf(part), options, part.bias).weights.data;
}

/**
 * One call returns the scores of every stage that differs from the one before.
 * @param {AttentionApi} api
 * @param {Vectors} vectors
 * @param {CallOptions} options
 * @param {Tensor} [bias]
 */
function softmaxStages(api, [query, key, value], options, bias) {
  const { scale, softcap, causal, window } = options;
  const isMore = causal || window || bias;
  /** @type {ScoreStage[]} */
  const requestedScores = ['raw'];
  if (softcap) requestedScores.push('capped');
  if (isMore) requestedScores.push('biased');
  const { weights, output, scores } = api.attention(query, key, value, {
    ...options,
    mask: bias && four(bias),
    weights: true,
    scores: requestedScores,
  });
  const times = scores.raw.data; // scale · q·k
  const scaled = scores.capped?.data ?? times;
  const masked = scores.biased?.data ?? scaled;
  let raw = times;
  if (scale === 0) raw = api.scores(query, key, { scale: 1, scores: 'raw' }).data;
  else if (scale !== 1) raw = times.map((score) => score / scale);
  return { stages: { raw, scaled, masked, weights: weights.data }, output: output.data };
}

/**
 * @param {AttentionApi} api
 * @param {KindName} kind
 * @param {Vectors} vectors
 * @param {CallOptions} options
 * @param {Tensor} [bias]
 * @returns {{ weights: Tensor, output: Tensor }}
 */
function callKind(api, kind, [query, key, value], options, bias) {
  const { scale, causal, window } = options;
  const weights = true;
  if (kind === 'softmax') {
    return api.attention(query, key, value, { ...options, mask: bias && four(bias), weights });
  }
  if (isFeatureMap(kind)) {
    return api.linearAttention(query, key, value, { featureMap: kind, causal, weights });
  }
  return api.kernelAttention(query, key, value, {
    similarity: kind,
    scale: kind === 'polynomial' ? scale : undefined,
    bandwidth: bandwidthOf(kind, scale, query.dims[3]),
    causal,
    window,
    weights,
  });
}
