// Every stage of every kind of attention with the page's default settings, by the library.

import { loadAttention } from 'attention-wasm';

const { attention, kernelAttention, linearAttention, scores } = await loadAttention();
const features = ['elu', 'relu', 'exp', 'efficient'];

/** Weights of a kind with the page's default settings. */
function weightsOf(kind, { q, k, v, scale }) {
  if (kind === 'softmax') return attention(q, k, v, { scale, weights: true }).weights.data;
  if (features.includes(kind)) {
    return linearAttention(q, k, v, { featureMap: kind, weights: true }).weights.data;
  }
  const bandwidth = { gaussian: 1 / Math.sqrt(scale), laplacian: 8 / scale }[kind];
  const own = { bandwidth, scale: kind === 'polynomial' ? scale : undefined };
  return kernelAttention(q, k, v, { similarity: kind, weights: true, ...own }).weights.data;
}

export function stagesOf(kind, truth) {
  const { q, k, scale } = truth;
  const weights = weightsOf(kind, truth);
  const stages = {
    raw: scores(q, k, { scale: 1, scores: 'raw' }).data,
    scaled: scores(q, k, { scale, scores: 'capped' }).data,
    masked: scores(q, k, { scale }).data,
    weights,
  };
  if (kind === 'softmax') return stages;
  const softmax = weightsOf('softmax', truth);
  return { ...stages, difference: weights.map((weight, at) => weight - softmax[at]) };
}
