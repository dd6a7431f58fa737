// Calls large enough for the workers of a pool, and the fingerprint of their results: with a pool of any size, and without.
import { addInOrder, startFingerprint } from './fingerprint.js';
import {
  attentionTensors,
  booleanMask,
  encoderWeights,
  normalTensor,
  seeded,
} from './random_tensors.js';

const random = seeded('large calls');
const width = 64;
const { query, key, value } = attentionTensors(random, {
  ...{ heads: 4, qLen: 330, kLen: 330, keyDim: width, valueDim: width },
});
const requests = [
  {},
  { causal: true, weights: true, logSumExp: true },
  { weights: 'average', scores: 'biased', softcap: 3 },
  { window: [40, 0], sinks: [0.5, -1, 2, 0], slopes: [0.5, 0.25, 0.125, 0.0625] },
  { mask: booleanMask(random, [1, 1, 330, 330]) },
];
const square = () => normalTensor(random, [width, width]);
const multiHead = { query: square(), key: square(), value: square(), output: square() };
const encoder = encoderWeights(random, width);
const x = normalTensor(random, [600, width]);

/** @param {object} api of loadAttention() or loadAttentionPool() */
export async function largeCallsFingerprint(api) {
  const fingerprint = startFingerprint();
  for (const options of requests) {
    const { scores, ...results } = await api.attention(query, key, value, options);
    addInOrder(fingerprint, { ...results, ...(scores && { scores }) });
  }
  for (const layer of [
    api.MultiHeadAttention.fromWeights(multiHead, { heads: 4 }),
    api.TransformerEncoderLayer.fromTorch(encoder, { heads: 4 }),
  ]) {
    addInOrder(fingerprint, await layer.forward(x));
    layer.delete();
  }
  return fingerprint.text();
}
