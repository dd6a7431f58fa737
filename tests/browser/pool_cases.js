// Calls big enough for two workers, of attention() and of the layer, and a fingerprint of the bits of
// their results: for a pool in a page and for the library in Node alike.

import {
  additiveMask,
  attentionTensors,
  booleanMask,
  normalTensor,
  seeded,
} from '../support/random_tensors.js';

const sizes = { batch: 2, heads: 4, kvHeads: 2, queries: 160, keys: 170, keyDim: 32, valueDim: 24 };

/** FNV-1a over the bits of all results, their names and dims. */
function fingerprint(results) {
  let hash = 0x811c9dc5;
  const add = (bytes) => {
    for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  };
  for (const name of Object.keys(results).sort()) {
    const { data, dims } = results[name];
    add(new TextEncoder().encode(`${name} ${dims}`));
    // NaN has many bits; here is none.
    add(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  }
  return hash.toString(16);
}

function attentionCases() {
  const random = seeded('pool in a page');
  const { query, key, value } = attentionTensors(random, sizes);
  const full = [sizes.batch, sizes.heads, sizes.queries, sizes.keys];
  return Object.entries({
    plain: {},
    causal: { causal: true, offset: 10, logSumExp: true },
    'an offset for each entry': { causal: true, offset: [10, -20], weights: true },
    'a boolean mask': { mask: booleanMask(random, full), weights: 'average' },
    'an additive mask': { mask: additiveMask(random, full.slice(2)), scores: 'biased' },
    'many options': {
      window: [90, 20],
      offset: 4,
      keyLengths: [170, 101],
      slopes: [1, 0.5, 0.25, 0],
      sinks: [0, 1, 2, -1],
      softcap: 4,
      scores: 'capped',
    },
  }).map(([name, options]) => [name, (api) => api.attention(query, key, value, options)]);
}

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
  const x = normalTensor(random, [300, 72]);
  const context = normalTensor(random, [80, 72]);
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

/** @returns {Promise<Record<string, string>>} fingerprints by case */
export async function runPoolCases(api) {
  const cases = [...attentionCases(), ...layerCases()];
  // All at once, as they come.
  const entries = cases.map(async ([name, run]) => [name, fingerprint(await run(api))]);
  return Object.fromEntries(await Promise.all(entries));
}
