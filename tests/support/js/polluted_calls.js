// Makes every call of the library before and after names are added to Object.prototype. Run as a
// program, it prints the names that make a call fail or change its bits, one per line.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { loadAttention } from 'attention-wasm';
import { loadAttentionPool } from 'attention-wasm/pool';
import { parseSafetensors, writeSafetensors } from 'attention-wasm/safetensors';
import { wordVectors, words } from 'attention-wasm/text';
import { normalTensor, seeded } from './random_tensors.js';

const random = seeded('polluted');
const tensor = (...dims) => normalTensor(random, dims);
const state = (width, decoder) => {
  const names = decoder ? ['self_attn', 'multihead_attn'] : ['self_attn'];
  return Object.fromEntries([
    ...names.flatMap((part) => [
      [`${part}.in_proj_weight`, tensor(3 * width, width)],
      [`${part}.out_proj.weight`, tensor(width, width)],
    ]),
    ['linear1.weight', tensor(8, width)],
    ['linear2.weight', tensor(width, 8)],
    ...['norm1', 'norm2', ...(decoder ? ['norm3'] : [])].map((n) => [`${n}.weight`, tensor(width)]),
  ]);
};

const small = tensor(2, 5, 8);
const other = tensor(2, 7, 8);
const large = tensor(2, 300, 64);
const square = () => tensor(8, 8);
const weights = { query: square(), key: square(), value: square(), output: square() };
const widths = () => tensor(64, 64);
const wide = { query: widths(), key: widths(), value: widths(), output: widths() };
const encoderState = state(64, false);
const decoderState = state(64, true);
const int8 = {
  data: Int8Array.from({ length: 40 }, (_, at) => at - 20),
  dims: [5, 8],
  scales: new Float32Array(5).fill(0.5),
};

function direct(api) {
  const { MultiHeadAttention, Linear, KeyValueCache, TransformerDecoderLayer } = api;
  const layer = MultiHeadAttention.fromWeights(weights, { heads: 2 });
  const linear = Linear.fromWeights({ weight: weights.query });
  const cache = new KeyValueCache({ batch: 2, kvHeads: 2, keyDim: 4, capacity: 9 });
  cache.append(small, small);
  const decoder = TransformerDecoderLayer.fromTorch(decoderState, { heads: 4 });
  const results = [
    api.attention(small, other, other),
    api.attention(small, small, small, { heads: 2, causal: true, weights: true, scores: 'raw' }),
    api.attention(int8, int8, int8),
    api.scores(small, other),
    api.softmax(api.scores(small, other)),
    api.weightedSum(api.softmax(api.scores(small, other)), other),
    api.kernelAttention(small, other, other, { similarity: 'gaussian' }),
    api.kernelAttention(small, other, other, { similarity: (q, k) => q[0] + k[0] }),
    api.linearAttention(small, other, other, { featureMap: 'relu', state: true }),
    api.embed([1, 2], tensor.table),
    api.layerNorm(small),
    api.rotaryEmbedding(small),
    api.sinusoidalPositions(3, 4),
    layer.forward(small, other, { weights: 'average' }),
    layer.project(small),
    layer.forward(small, null, { cache: layer.createCache({ batch: 2, capacity: 9 }) }),
    layer.forward(small, layer.projectContext(other)),
    linear.forward(small),
    cache.attend(small, { heads: 2 }),
    decoder.forward(large, large, { weights: true }),
    wordVectors(words('Zuko made his uncle tea')),
    parseSafetensors(writeSafetensors({ a: { ...small, type: 'float32' } })).tensors.get('a'),
  ];
  for (const made of [layer, linear, cache, decoder]) made.delete();
  return results;
}

async function pooled(pool) {
  const multiHead = pool.MultiHeadAttention.fromWeights(wide, { heads: 4 });
  const encoder = pool.TransformerEncoderLayer.fromTorch(encoderState, { heads: 4 });
  const decoder = pool.TransformerDecoderLayer.fromTorch(decoderState, { heads: 4 });
  const results = await Promise.all([
    pool.attention(large, large, large, { causal: true }),
    pool.attention(small, small, small),
    multiHead.forward(large, null, { weights: 'average' }),
    encoder.forward(large),
    decoder.forward(large, large, { weights: true }),
  ]);
  for (const layer of [multiHead, encoder, decoder]) layer.delete();
  return results;
}

/** Adds the names, shapes and bits of a result to a hash. */
function hashResult(hash, result) {
  if ('data' in result && 'dims' in result) {
    const { buffer, byteOffset, byteLength } = result.data;
    hash.update(result.dims.join('×')).update(new Uint8Array(buffer, byteOffset, byteLength));
    return;
  }
  for (const name of Reflect.ownKeys(result)) hashResult(hash.update(name), result[name]);
}

function fingerprint(results) {
  const hash = createHash('sha256');
  for (const result of results) hashResult(hash, result);
  return hash.digest('hex');
}

tensor.table = tensor(4, 3);
const names = process.argv.slice(2);
const wasm = await readFile(new URL(import.meta.resolve('attention-wasm/attention.wasm')));
const api = await loadAttention();
const pool = await loadAttentionPool({ workers: 2 });
const wanted = fingerprint([...direct(api), ...(await pooled(pool))]);
const wrong = [];
for (const name of names) {
  for (const value of [1e-3, true]) {
    let found;
    Object.prototype[name] = value;
    try {
      // From bytes: unpacking the embedded module uses Node.js code that some names break.
      const loaded = await loadAttention({ wasm });
      found = [...direct(loaded), ...(await pooled(pool))];
    } catch (error) {
      found = error;
    }
    delete Object.prototype[name];
    if (found instanceof Error) wrong.push(`${name} = ${value}: ${found.message}`);
    else if (fingerprint(found) !== wanted) wrong.push(`${name} = ${value}: other results`);
  }
}
await pool.close();
console.log(wrong.join('\n'));
