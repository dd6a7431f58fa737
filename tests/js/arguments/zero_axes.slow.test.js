// Axes of 0 of every tensor of every call, in every type of number: the result is that of float32 or an error, and nothing
// else in the module's memory changes. Axes of other sizes are long, so that a scale for each row reaches far.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { explainBitDifference } from '../../support/js/compare.js';
import { asBfloat16, asFloat16, asInt8 } from '../../support/js/narrowed.js';
import { encoderWeights, normalTensor, seeded, sizeOf } from '../../support/js/random_tensors.js';

const random = seeded('zero axes');
const api = await loadAttention();
const ones = (...dims) => ({ data: new Float32Array(sizeOf(dims)).fill(1), dims });
const square = () => normalTensor(random, [8, 8]);

const types = {
  float64: ({ data, dims }) => ({ data: Float64Array.from(data), dims }),
  float16: asFloat16,
  bfloat16: asBfloat16,
  int8(tensor) {
    const { data, dims, scales } = asInt8(tensor);
    return { data, dims, scales: data.length === 0 ? scales.fill(666) : scales };
  },
};
if (globalThis.Float16Array) {
  types.Float16Array = ({ data, dims }) => ({ data: globalThis.Float16Array.from(data), dims });
}

const projections = () => ({ query: square(), key: square(), value: square(), output: square() });
const multiHead = api.MultiHeadAttention.fromWeights(projections(), { heads: 2 });
const encoder = api.TransformerEncoderLayer.fromTorch(encoderWeights(random, 8), { heads: 2 });
const linear = api.Linear.fromWeights({ weight: square() });
const rows = 50_000;
const hidden = { data: new Uint8Array(rows), dims: [1, rows] };

/** Uses an object that is deleted afterwards. */
const withObject = (object, use) => {
  try {
    return use(object);
  } finally {
    object.delete();
  }
};

/** Each call and the dims of its tensors, in the order in which it takes them. */
const calls = {
  attention: [(q, k, v) => api.attention(q, k, v, { weights: true }), [1, 2], [rows, 2], [rows, 3]],
  'attention that sees nothing': [
    (q, k, v) => api.attention(q, k, v, { mask: hidden, weights: true }),
    [1, 2],
    [rows, 2],
    [rows, 3],
  ],
  'attention in parts': [api.attention, [2, 2, 3, 4], [2, 2, 9000, 4], [2, 2, 9000, 4]],
  scores: [api.scores, [1, 2], [rows, 2]],
  softmax: [api.softmax, [rows, 2]],
  weightedSum: [api.weightedSum, [1, rows], [rows, 2]],
  ...Object.fromEntries(
    ['exponential', 'gaussian', 'laplacian', 'cosine', 'polynomial', (q, k) => q[0] + k[0]].map(
      (similarity) => [
        `kernelAttention, ${similarity}`,
        [(q, k, v) => api.kernelAttention(q, k, v, { similarity }), [1, 2], [rows, 2], [rows, 2]],
      ],
    ),
  ),
  ...Object.fromEntries(
    ['elu', 'relu', 'exp', 'efficient'].map((featureMap) => [
      `linearAttention, ${featureMap}`,
      [(q, k, v) => api.linearAttention(q, k, v, { featureMap }), [2, 2], [rows, 2], [rows, 2]],
    ]),
  ),
  'linearAttention from a state': [
    (q, k, v, S, z) => api.linearAttention(q, k, v, { state: { S, z } }),
    [2, 2],
    [rows, 2],
    [rows, 2],
    [1, 1, 2, 2],
    [1, 1, 2],
  ],
  layerNorm: [(x, weight, bias) => api.layerNorm(x, { weight, bias }), [rows, 2], [2], [2]],
  rmsNorm: [(x, weight) => api.rmsNorm(x, { weight }), [rows, 2], [2]],
  rotaryEmbedding: [api.rotaryEmbedding, [1, 1, rows, 2]],
  'rotaryEmbedding by angles': [
    (x, cos, sin) => api.rotaryEmbedding(x, { cos, sin }),
    [1, 1, rows, 2],
    [rows, 1],
    [rows, 1],
  ],
  embed: [(table) => api.embed([0, 0], table), [rows, 2]],
  'Linear.fromWeights': [
    (weight, bias) =>
      withObject(api.Linear.fromWeights({ weight, bias }), (map) => map.rows([0, 1])),
    [2, rows],
    [rows],
  ],
  'Linear.fill': [
    (weight, bias) =>
      withObject(api.Linear.reserve({ inDim: 2, outDim: rows, bias: true }), (map) => {
        map.fill(0, weight, bias);
        return map.forward(ones(1, 2));
      }),
    [rows, 2],
    [rows],
  ],
  'Linear.forward': [(x) => linear.forward(x), [rows, 8]],
  'MultiHeadAttention.fromWeights': [
    (query, key, value, output) =>
      withObject(
        api.MultiHeadAttention.fromWeights({ query, key, value, output }, { heads: 1 }),
        (layer) => layer.forward(ones(2, 2)),
      ),
    [2, 5],
    [2, 5],
    [2, 5],
    [5, 2],
  ],
  'MultiHeadAttention.forward': [(x, context) => multiHead.forward(x, context), [1, 8], [rows, 8]],
  'MultiHeadAttention.project': [(x, context) => multiHead.project(x, context), [1, 8], [rows, 8]],
  'TransformerEncoderLayer.fromTorch': [
    (weight) => {
      const weights = { ...encoderWeights(random, 8), 'linear1.weight': weight };
      return withObject(
        api.TransformerEncoderLayer.fromTorch(weights, { heads: 2 }),
        () => undefined,
      );
    },
    [8, 8],
  ],
  'TransformerEncoderLayer.forward': [(x) => encoder.forward(x), [2, 2, 8]],
  'KeyValueCache.append': [
    (key, value) =>
      withObject(new api.KeyValueCache({ keyDim: 2, capacity: rows }), (cache) => {
        cache.append(key, value);
        return cache.attend(ones(1, 2));
      }),
    [rows, 2],
    [rows, 2],
  ],
  'KeyValueCache.attend': [
    (query) =>
      withObject(new api.KeyValueCache({ keyDim: 2, capacity: 3 }), (cache) => {
        cache.append(ones(3, 2), ones(3, 2));
        return cache.attend(query);
      }),
    [rows, 2],
  ],
};

/** The dims of tensors with one size, of them all or of one, made 0. */
function* zeroed(shapes) {
  for (const size of new Set(shapes.flat())) {
    yield shapes.map((dims) => dims.map((dim) => (dim === size ? 0 : dim)));
  }
  for (const [which, dims] of shapes.entries()) {
    for (const axis of dims.keys()) {
      yield shapes.map((whole, at) => (at === which ? dims.with(axis, 0) : whole));
    }
  }
}

/** The results of a call, or the kind of its error. */
function outcome(call, tensors) {
  try {
    return { results: call(...tensors) };
  } catch (error) {
    assert.ok(error instanceof RangeError || error instanceof TypeError, error.stack);
    return { refused: error.name };
  }
}

/** Objects that lie behind the memory of small calls, and the check that they are whole. */
function bystanders() {
  const x = normalTensor(random, [3, 64]);
  const layers = Array.from({ length: 20 }, () =>
    api.Linear.fromWeights({ weight: normalTensor(random, [64, 64]) }),
  );
  const cache = new api.KeyValueCache({ keyDim: 64, capacity: 256 });
  cache.append(x, x);
  const answers = () => [...layers.map((layer) => layer.forward(x)), cache.attend(x).output];
  const before = answers();
  return () => {
    for (const [at, answer] of answers().entries()) {
      assert.equal(explainBitDifference(answer, before[at]), '', `object ${at}`);
    }
  };
}

describe('axes of 0', () => {
  api.softmax(ones(1, 2)); // has the memory of small calls before that of the bystanders
  const areWhole = bystanders();

  for (const [name, [call, ...shapes]] of Object.entries(calls)) {
    it(`of ${name}`, () => {
      let computed = 0;
      for (const dims of zeroed(shapes)) {
        const tensors = dims.map((sizes) => ones(...sizes));
        const expected = outcome(call, tensors);
        for (const [type, narrow] of Object.entries(types)) {
          for (const which of tensors.keys()) {
            const where = `${type}, tensor ${which} of ${dims.map((sizes) => sizes.join('×'))}`;
            const one = tensors.map((tensor, at) => (at === which ? narrow(tensor) : tensor));
            const got = outcome(call, one);
            assert.equal(got.refused, expected.refused, where);
            assert.deepEqual(got.results, expected.results, where);
          }
        }
        areWhole();
        if (expected.refused === undefined) computed++;
      }
      const takesNone = /from(Weights|Torch)|fill/.test(name);
      assert.equal(computed > 0, !takesNone);
    });
  }
});
