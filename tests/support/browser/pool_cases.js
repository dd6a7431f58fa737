// Calls of attention() and of layers that are large enough for two workers, and fingerprints of the bits of
// their results, for a pool in a page and for the library in Node.js.

import { fingerprintOf } from '../js/fingerprint.js';
import {
  additiveMask,
  attentionTensors,
  booleanMask,
  normalTensor,
  seeded,
} from '../js/random_tensors.js';

/** @typedef {[name: string, run: (api) => object]} Case of the library or of a pool, whose results are promises */

const sizes = { batch: 2, heads: 4, kvHeads: 2, qLen: 600, kLen: 610, keyDim: 32, valueDim: 24 };

/** Fingerprint of results, in the order of their names. */
const byName = (results) =>
  fingerprintOf(
    Object.keys(results)
      .sort()
      .map((name) => results[name]),
  );

/** @returns {Case[]} */
function attentionCases() {
  const random = seeded('pool in a page');
  const { query, key, value } = attentionTensors(random, sizes);
  const full = [sizes.batch, sizes.heads, sizes.qLen, sizes.kLen];
  return Object.entries({
    plain: {},
    causal: { causal: true, offset: 10, logSumExp: true },
    'an offset for each entry': { causal: true, offset: [10, -20], weights: true },
    'a boolean mask': { mask: booleanMask(random, full), weights: 'average' },
    'an additive mask': { mask: additiveMask(random, full.slice(2)), scores: 'biased' },
    'many options': {
      window: [400, 200],
      offset: 4,
      keyLengths: [610, 401],
      slopes: [1, 0.5, 0.25, 0],
      sinks: [0, 1, 2, -1],
      softcap: 4,
      scores: 'capped',
    },
  }).map(([name, options]) => [name, (api) => api.attention(query, key, value, options)]);
}

/** @returns {Case[]} */
function layerCases() {
  const random = seeded('pooled layer in a page');
  const put = (...dims) => normalTensor(random, dims, dims[0] ** -0.5);
  const weights = {
    query: put(72, 96),
    key: put(72, 48),
    value: put(72, 48),
    output: put(96, 72),
    outputBias: put(72),
  };
  const x = normalTensor(random, [900, 72]);
  const context = normalTensor(random, [500, 72]);
  const forward = async ({ MultiHeadAttention }, ...args) => {
    const layer = MultiHeadAttention.fromWeights(weights, { heads: 6, kvHeads: 3 });
    const results = await layer.forward(...args);
    layer.delete();
    return results;
  };
  return [
    ['a layer', (api) => forward(api, x)],
    ['a layer with a context', (api) => forward(api, x, context, { weights: 'average' })],
    ['a causal layer', (api) => forward(api, x, x, { causal: true, headOutputs: true })],
  ];
}

/** @returns {Case[]} */
function transformerCases() {
  const random = seeded('pooled Transformer layers in a page');
  const state = {};
  const put = (name, ...dims) => (state[name] = normalTensor(random, dims, dims.at(-1) ** -0.5));
  const [width, wide] = [96, 256];
  for (const part of ['self_attn', 'multihead_attn']) {
    put(`${part}.in_proj_weight`, 3 * width, width);
    put(`${part}.out_proj.weight`, width, width);
  }
  put('linear1.weight', wide, width);
  put('linear2.weight', width, wide);
  for (const norm of ['norm1', 'norm2', 'norm3']) put(`${norm}.weight`, width);
  const ofEncoder = (name) => !/^(multihead_attn|norm3)/.test(name);
  const encoderState = Object.fromEntries(
    Object.entries(state).filter(([name]) => ofEncoder(name)),
  );
  const rows = normalTensor(random, [800, width]);
  const batch = normalTensor(random, [3, 300, width]);
  const forward = async (layer, ...args) => {
    const results = await layer.forward(...args);
    layer.delete();
    return results;
  };
  const encoder = (api) => api.TransformerEncoderLayer.fromTorch(encoderState, { heads: 6 });
  const decoder = (api) => {
    return api.TransformerDecoderLayer.fromTorch(state, { heads: 6, normFirst: true });
  };
  return [
    ['an encoder layer', (api) => forward(encoder(api), rows, { causal: true })],
    ['an encoder layer and a batch', (api) => forward(encoder(api), batch, { weights: true })],
    ['a decoder layer', (api) => forward(decoder(api), batch, batch, { weights: 'average' })],
  ];
}

/** @returns {Promise<Record<string, string>>} fingerprints by case */
export async function runPoolCases(api) {
  const cases = [...attentionCases(), ...layerCases(), ...transformerCases()];
  // All at the same time.
  const entries = cases.map(async ([name, run]) => [name, byName(await run(api))]);
  return Object.fromEntries(await Promise.all(entries));
}
