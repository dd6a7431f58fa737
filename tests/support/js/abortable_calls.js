// Calls of a pool and of its layers that tests abort, and their results without a pool.
import { loadAttention } from 'attention-wasm';

import { attentionTensors, encoderWeights, normalTensor, seeded } from './random_tensors.js';

export const api = await loadAttention();
export const width = 64;
// Work for one worker: one block of queries.
export const { query, key, value } = attentionTensors(seeded('signals'), {
  ...{ heads: 1, qLen: 64, kLen: 4096, keyDim: width, valueDim: width },
});
export const want = api.attention(query, key, value);
export const attend = (pool, options) => pool.attention(query, key, value, options);
export const random = seeded('layers with signals');
export const x = normalTensor(random, [400, width]);
export const square = () => normalTensor(random, [width, width]);
export const weights = { query: square(), key: square(), value: square(), output: square() };
export const makeLayer = (from) => from.MultiHeadAttention.fromWeights(weights, { heads: 4 });
export const encoderState = encoderWeights(random, width);
export const makeEncoder = (from) =>
  from.TransformerEncoderLayer.fromTorch(encoderState, { heads: 4 });
export const wantOf = (make) => {
  const layer = make(api);
  const results = layer.forward(x);
  layer.delete();
  return results;
};
