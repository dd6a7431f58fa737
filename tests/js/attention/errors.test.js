// The rules of JavaScript itself: kinds of arguments and names of options. Each message is tested once; other tests check
// the error's type and the argument it names. Then options with misleading or changing values. The rules of C++ are in rules.test.js.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { loadAttention } from 'attention-wasm';

import { assertRefuses, refusalsOf } from '../../support/js/refusals.js';

const api = await loadAttention();
const { attention, kernelAttention, linearAttention, rotaryEmbedding, sinusoidalPositions } = api;
const { KeyValueCache, MultiHeadAttention } = api;
const { TransformerEncoderLayer, TransformerDecoderLayer, TransformerLayer } = api;

const tensor = (...dims) => ({
  data: Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, (_, at) => Math.sin(at)),
  dims,
});

const refuses = refusalsOf(api);

// 6 wide, 2 heads.
const attentionState = (part = '', context = 6) => ({
  ...(context === 6
    ? { [`${part}in_proj_weight`]: tensor(18, 6) }
    : {
        [`${part}q_proj_weight`]: tensor(6, 6),
        [`${part}k_proj_weight`]: tensor(6, context),
        [`${part}v_proj_weight`]: tensor(6, context),
      }),
  [`${part}out_proj.weight`]: tensor(6, 6),
});

const encoderState = {
  ...attentionState('self_attn.'),
  'linear1.weight': tensor(10, 6),
  'linear2.weight': tensor(6, 10),
  'norm1.weight': tensor(6),
  'norm2.weight': tensor(6),
};
const decoderState = {
  ...encoderState,
  ...attentionState('multihead_attn.'),
  'norm3.weight': tensor(6),
};
const square = tensor(6, 6);
const weights = { query: square, key: square, value: square, output: square };
const general = {
  self: weights,
  ...{ selfNorm: tensor(6), feedForwardNorm: tensor(6) },
  ...{ widen: tensor(10, 6), narrow: tensor(6, 10) },
};
const fromTorch = (dict, prefix) => MultiHeadAttention.fromTorch(dict, { heads: 2, prefix });
const self = (options, x = tensor(2, 2)) => attention(x, x, x, options);
const withQuery = (query) => attention(query, square, square);

describe('messages of JavaScript', () => {
  const tensorOf = (data) => ({ data, dims: [2, 2] });
  for (const [message, call] of [
    ['query must be a tensor { data, dims }, found undefined', () => withQuery()],
    ['query must be a tensor { data, dims }, found null', () => withQuery(null)],
    [
      'query must be a tensor { data, dims }, found a Float32Array',
      () => withQuery(new Float32Array(4)),
    ],
    [
      'query must be a tensor { data, dims }, found an array; tensor() makes one of it',
      () => withQuery([[1, 0]]),
    ],
    ['query must be a tensor { data, dims }, found an object', () => withQuery({ causal: true })],
    [
      'query must be a tensor { data, dims }, found a Promise',
      () => withQuery(Promise.resolve(square)),
    ],
    [
      'query.data must be a Float32Array, Float64Array, Float16Array, Uint16Array or Int8Array, found an Int32Array',
      () => withQuery(tensorOf(new Int32Array(4))),
    ],
    [/^query\.data must be .*, found an array$/, () => withQuery(tensorOf([1, 2, 3, 4]))],
    [
      'query.dims must be an array of numbers, found undefined',
      () => withQuery({ data: new Float32Array(4) }),
    ],
    [
      "query.dims[0] must be a number, found '2'",
      () => withQuery({ ...tensor(2, 2), dims: ['2', 2] }),
    ],
    [
      /^mask\.data must be a Uint8Array, BigInt64Array, BigUint64Array or Float32Array, found/,
      () => self({ mask: tensorOf(new Float64Array(4)) }),
    ],
    ["heads must be a number, found '2'", () => self({ heads: '2' })],
    ['scale must be a number, found 2n', () => self({ scale: 2n })],
    ['causal must be true or false, found 1', () => self({ causal: 1 })],
    ['offset must be a number or an array of numbers, found true', () => self({ offset: true })],
    ['window must be [left, right], found 3', () => self({ window: 3 })],
    ['window must be [left, right], found an array of 1', () => self({ window: [1] })],
    [
      'window must be [left, right], found a Float32Array',
      () => self({ window: Float32Array.of(1, 0) }),
    ],
    ["window[0] must be a number, found '1'", () => self({ window: ['1', 1] })],
    ['keyLengths must be an array of numbers, found 2', () => self({ keyLengths: 2 })],
    [
      'keyLengths must be an array of numbers, found a BigInt64Array',
      () => self({ keyLengths: new BigInt64Array(1) }),
    ],
    ['slopes[0] must be a number, found undefined', () => self({ slopes: [undefined] })],
    ["weights must be true, false or 'average', found 1", () => self({ weights: 1 })],
    ['prefix must be a string, found 1', () => fromTorch(attentionState(), 1)],
    ['the options of attention() must be an object, found an array', () => self([])],
    ['the options of attention() must be an object, found null', () => self(null)],
    [
      "sinusoidalPositions() has no option 'scale'; it has offset, base",
      () => sinusoidalPositions(2, 4, { scale: 1 }),
    ],
    ["KeyValueCache() needs the option 'keyDim'", () => new KeyValueCache()],
    [
      "MultiHeadAttention.fromWeights() needs the weight 'value'",
      () => MultiHeadAttention.fromWeights({ ...weights, value: null }, { heads: 2 }),
    ],
    [
      "linearAttention() needs the part of a state 'z'",
      () => linearAttention(square, square, square, { state: { S: tensor(1, 1, 6, 6) } }),
    ],
    [
      'state must be true or a state { S, z }, found 1',
      () => linearAttention(square, square, square, { state: 1 }),
    ],
    [
      "similarity must return a number, found '1'",
      () => kernelAttention(square, square, square, { similarity: () => '1' }),
    ],
    [
      'cache must be a KeyValueCache, found an object',
      () =>
        MultiHeadAttention.fromWeights(weights, { heads: 2 }).forward(square, null, { cache: {} }),
    ],
    [
      'stateDict must be an object or a Map of names and tensors, found an array',
      () => fromTorch([]),
    ],
    [
      'a MultiHeadAttention is made by MultiHeadAttention.fromWeights() or .fromTorch()',
      () => new MultiHeadAttention(),
    ],
  ]) {
    it(String(message), () => refuses(call, TypeError, message));
  }

  const missing = { ...attentionState(), in_proj_weight: undefined };
  for (const [message, call] of [
    [
      "scores must be 'raw', 'capped', 'biased' or false, found 'logits'",
      () => self({ scores: 'logits' }),
    ],
    ['stateDict is empty', () => fromTorch({})],
    ['stateDict is empty', () => fromTorch(new Map())],
    [
      "stateDict has no name that begins with 'layers.'",
      () => fromTorch(attentionState(), 'layers.'),
    ],
    ["missing key 'in_proj_weight' in stateDict", () => fromTorch(missing)],
    [
      "missing key 'v_proj_weight' in stateDict",
      () => fromTorch({ ...missing, q_proj_weight: square, k_proj_weight: square }),
    ],
    [
      "missing key 'p.out_proj.weight' in stateDict",
      () => fromTorch({ 'p.in_proj_weight': tensor(18, 6) }, 'p.'),
    ],
    [
      "stateDict has 'in_proj_weight' and 'k_proj_weight', but one replaces the other",
      () => fromTorch({ ...attentionState(), k_proj_weight: square }),
    ],
    [
      'crossNorm is given without cross',
      () => TransformerLayer.fromWeights({ ...general, crossNorm: tensor(6) }, { heads: 2 }),
    ],
  ]) {
    it(message, () => refuses(call, RangeError, message));
  }
});

const layer = MultiHeadAttention.fromWeights(weights, { heads: 2 });
const cache = layer.createCache({ capacity: 4 });
const encoder = TransformerEncoderLayer.fromTorch(encoderState, { heads: 2 });
const decoder = TransformerDecoderLayer.fromTorch(decoderState, { heads: 2 });
const either = TransformerLayer.fromWeights(general, { heads: 2 });
const x = tensor(2, 6);
const attentionKinds = {
  ...{ scale: '1', softcap: true, causal: 1, offset: '0', window: 1, keyLengths: 1, slopes: 1 },
  ...{ sinks: 1, mask: 1, weights: 1 },
};
const stepKinds = { heads: '2', kvHeads: 2n, ...attentionKinds, scores: 1, logSumExp: 1 };
const layerKinds = { ...attentionKinds, cache: true };
const crossKinds = { crossMask: true, crossKeyLengths: 1 };
const makerKinds = { heads: '2', prefix: [] };
const torchKinds = { ...makerKinds, normFirst: 1, activation: () => 1, norm: true, epsilon: '0' };

// Functions with options: a call, a wrong type for each option, its required options.
const takers = {
  attention: [(options) => attention(x, x, x, options), stepKinds],
  scores: [(options) => api.scores(x, x, options), stepKinds],
  softmax: [(options) => api.softmax(x, options), stepKinds],
  weightedSum: [(options) => api.weightedSum(tensor(2, 2), x, options), stepKinds],
  kernelAttention: [
    (options) => kernelAttention(x, x, x, options),
    {
      ...{ similarity: 7, scale: '1', bandwidth: '1', constant: true, degree: 2n, heads: '2' },
      ...{ kvHeads: true, causal: 1, offset: '0', window: 1, mask: 1, keyLengths: 1, weights: 1 },
    },
  ],
  linearAttention: [
    (options) => linearAttention(x, x, x, options),
    {
      ...{ featureMap: 1, heads: '2', kvHeads: true, causal: 1, keyLengths: 1, epsilon: '0' },
      ...{ state: 1, weights: 1 },
    },
  ],
  rotaryEmbedding: [
    (options) => rotaryEmbedding(x, options),
    {
      ...{ heads: '2', width: '4', interleaved: 1, base: true, offset: [1], positions: 1 },
      ...{ cos: 1, sin: 1 },
    },
  ],
  sinusoidalPositions: [
    (options) => sinusoidalPositions(2, 4, options),
    { offset: '1', base: true },
  ],
  layerNorm: [(options) => api.layerNorm(x, options), { weight: 1, bias: 1, epsilon: '0' }],
  KeyValueCache: [
    (options) => new KeyValueCache(options),
    { batch: '1', kvHeads: true, keyDim: '1', valueDim: 1n, capacity: 3n, sliding: 0 },
    { keyDim: 1, capacity: 1 },
  ],
  attend: [(options) => cache.attend(x, options), stepKinds],
  'MultiHeadAttention.fromWeights': [
    (options) => MultiHeadAttention.fromWeights(weights, options),
    { heads: '2', kvHeads: true },
    { heads: 2 },
  ],
  'MultiHeadAttention.fromTorch': [
    (options) => MultiHeadAttention.fromTorch(attentionState(), options),
    { ...makerKinds, kvHeads: true },
    { heads: 2 },
  ],
  'weights of MultiHeadAttention': [
    (given) => MultiHeadAttention.fromWeights(given, { heads: 2 }),
    {
      ...{ query: 1, key: square.data, value: 1, output: 1 },
      ...{ queryBias: 1, keyBias: true, valueBias: 1, outputBias: 1 },
    },
    { query: square, key: square, value: square },
  ],
  'MultiHeadAttention.forward': [
    (options) => layer.forward(x, undefined, options),
    { ...layerKinds, scores: 1, logSumExp: 1, headOutputs: 1 },
  ],
  createCache: [
    (options) => layer.createCache(options),
    { batch: '1', capacity: '1', sliding: 1 },
    { capacity: 1 },
  ],
  'TransformerEncoderLayer.fromTorch': [
    (options) => TransformerEncoderLayer.fromTorch(encoderState, options),
    torchKinds,
    { heads: 2 },
  ],
  'TransformerDecoderLayer.fromTorch': [
    (options) => TransformerDecoderLayer.fromTorch(decoderState, options),
    torchKinds,
    { heads: 2 },
  ],
  'TransformerEncoderLayer.forward': [(options) => encoder.forward(x, options), layerKinds],
  'TransformerDecoderLayer.forward': [
    (options) => decoder.forward(x, x, options),
    { ...layerKinds, ...crossKinds },
  ],
  'TransformerLayer.fromWeights': [
    (options) => TransformerLayer.fromWeights(general, options),
    {
      ...{ heads: '2', kvHeads: true, activation: 1, normFirst: 1, norm: 1, epsilon: '0' },
      ...{ parallel: 1, scale: '1', rotary: true, relativePositions: 1, layout: 1 },
    },
    { heads: 2 },
  ],
  'weights of TransformerLayer': [
    (given) => TransformerLayer.fromWeights(given, { heads: 2 }),
    {
      ...{ self: 3, cross: 3, selfNorm: 1, selfNormBias: 1, crossNorm: 1, feedForwardNorm: 1 },
      ...{ widen: 1, widenBias: 1, gate: 1, gateBias: 1, narrow: 1, narrowBias: 1 },
      ...{ selfScale: 1, feedForwardScale: 1 },
    },
    { self: weights },
  ],
  'TransformerLayer.forward': [
    (options) => either.forward(x, options),
    { ...layerKinds, ...crossKinds, memory: true, projections: 1 },
  ],
};

describe('options have their kinds and names', () => {
  for (const [name, [call, kinds, needed = {}]] of Object.entries(takers)) {
    it(name, () => {
      for (const [option, value] of Object.entries(kinds)) {
        // Messages name the group of an option.
        const shown =
          typeof needed[option] === 'object' ||
          /^(self|cross|rotary|relativePositions)$/.test(option)
            ? new RegExp(`\\b${option}\\b`)
            : undefined;
        const given = { ...needed, [option]: value };
        if (shown) assert.throws(() => call(given), { name: 'TypeError', message: shown });
        else assertRefuses(() => call(given), TypeError, option);
      }
      assertRefuses(() => call({ ...needed, prefiks: 1 }), TypeError, 'prefiks');
      for (const option of Object.keys(needed)) {
        assertRefuses(() => call({ ...needed, [option]: undefined }), TypeError, option);
      }
      for (const options of [null, [], 7])
        assert.throws(() => call(options), { name: 'TypeError' });
    });
  }

  it('unknown choices are RangeErrors', () => {
    for (const [call, option] of [
      [takers.attention, 'weights'],
      [takers.kernelAttention, 'similarity'],
      [takers.linearAttention, 'featureMap'],
      [takers['TransformerEncoderLayer.fromTorch'], 'activation'],
      [takers['TransformerEncoderLayer.fromTorch'], 'norm'],
      [takers['TransformerLayer.fromWeights'], 'activation'],
      [takers['TransformerLayer.fromWeights'], 'layout'],
      [takers['MultiHeadAttention.forward'], 'scores'],
    ]) {
      const [run, , needed] = call;
      assertRefuses(() => run({ ...needed, [option]: 'other' }), RangeError, option);
    }
    // The module's name for the results of a caller's function.
    const [kernelAttention] = takers.kernelAttention;
    const precomputed = () => kernelAttention({ similarity: 'precomputed' });
    assertRefuses(precomputed, RangeError, "similarity must be 'exponential'");
  });

  it('also within groups of options and weights', () => {
    const options = (given) => TransformerLayer.fromWeights(general, { heads: 2, ...given });
    const inSelf = (given) =>
      TransformerLayer.fromWeights({ ...general, self: { ...weights, ...given } }, { heads: 2 });
    for (const [call, argument] of [
      [() => options({ rotary: { base: '10' } }), 'rotary.base'],
      [() => options({ rotary: { theta: 1 } }), 'theta'],
      [() => options({ relativePositions: { maxDistance: 8 } }), 'bidirectional'],
      [() => inSelf({ keyBias: 1 }), 'self.keyBias'],
      [() => inSelf({ q: square }), 'q'],
      [() => inSelf({ key: { data: new Uint16Array(36), dims: [6, 6] } }), 'self.key.data'],
      [() => linearAttention(x, x, x, { state: { S: 1, z: tensor(1, 1, 6) } }), 'state.S'],
      [
        () =>
          linearAttention(x, x, x, { state: { S: tensor(1, 1, 6, 6), z: new Float32Array(6) } }),
        'state.z',
      ],
      [
        () =>
          linearAttention(x, x, x, { state: { S: tensor(1, 1, 6, 6), z: tensor(1, 1, 6), y: 1 } }),
        'y',
      ],
      [() => rotaryEmbedding(x, { positions: ['0', 1] }), 'positions[0]'],
    ]) {
      assertRefuses(call, TypeError, argument);
    }
    // Cross-attention has no relative position bias.
    assert.throws(
      () =>
        TransformerLayer.fromWeights(
          { ...general, cross: { relativeBias: tensor(2, 2) } },
          { heads: 2 },
        ),
      { name: 'TypeError', message: /'relativeBias'/ },
    );
  });
});

describe('arguments other than options', () => {
  for (const [argument, call] of [
    ['key', () => attention(x, 1, x)],
    ['value', () => attention(x, x, 'v')],
    ['key', () => api.scores(x)],
    ['scores', () => api.softmax()],
    ['weights', () => api.weightedSum({}, x)],
    ['value', () => api.weightedSum(x)],
    ['query', () => kernelAttention()],
    ['value', () => kernelAttention(x, x, 'v')],
    ['key', () => linearAttention(x)],
    ['x', () => rotaryEmbedding()],
    ['length', () => sinusoidalPositions('2', 4)],
    ['dim', () => sinusoidalPositions(2)],
    ['heads', () => api.alibiSlopes('8')],
    ['heads', () => api.alibiSlopes()],
    ['x', () => api.layerNorm()],
    ['key', () => cache.append()],
    ['value', () => cache.append(x)],
    ['query', () => cache.attend()],
    ['length', () => cache.rewind()],
    ['x', () => layer.forward()],
    ['context', () => layer.forward(x, 7)],
    ['context', () => layer.forward(x, layer)],
    ['x', () => layer.project()],
    ['context', () => layer.project(x, true)],
    ['context', () => layer.projectContext()],
    ['stateDict', () => fromTorch()],
    ['stateDict', () => fromTorch('state')],
    ['stateDict', () => TransformerEncoderLayer.fromTorch(undefined, { heads: 2 })],
    ['out_proj.weight', () => fromTorch({ ...attentionState(), 'out_proj.weight': 'w' })],
    [
      'p.in_proj_weight.data',
      () => fromTorch({ 'p.in_proj_weight': { data: new Int16Array(108), dims: [18, 6] } }, 'p.'),
    ],
    ['x', () => encoder.forward()],
    ['memory', () => decoder.forward(x)],
    ['memory', () => decoder.forward(x, encoder)],
    ['memory', () => decoder.projectMemory()],
  ]) {
    it(`${argument}: ${String(call).slice(6, 60)}`, () => assertRefuses(call, TypeError, argument));
  }

  it('constructors called by hand', () => {
    for (const Layer of [TransformerEncoderLayer, TransformerDecoderLayer, TransformerLayer]) {
      assert.throws(() => new Layer(), { name: 'TypeError', message: new RegExp(Layer.name) });
    }
  });

  it('no refused call appended anything', () => assert.equal(cache.length, 0));
});

// Every function with options, with valid ones.
function calls() {
  const x = tensor(4, 6);
  const square = tensor(6, 6);
  const weights = { query: square, key: square, value: square, output: square };
  const dict = {
    ...attentionState('self_attn.'),
    ...attentionState('multihead_attn.'),
    'linear1.weight': tensor(10, 6),
    'linear2.weight': tensor(6, 10),
    'norm1.weight': tensor(6),
    'norm2.weight': tensor(6),
    'norm3.weight': tensor(6),
  };
  const layer = MultiHeadAttention.fromWeights(weights, { heads: 2 });
  const decoder = TransformerDecoderLayer.fromTorch(dict, { heads: 2 });
  const cache = layer.createCache({ capacity: 4 });
  cache.append(x, x);
  const state = linearAttention(x, x, x, { state: true }).state;
  return {
    kernelAttention: [
      (given) => kernelAttention(x, x, x, given),
      { similarity: 'polynomial', degree: 3, scale: 0.5, constant: 0.25, weights: true },
    ],
    linearAttention: [
      (given) => linearAttention(x, x, x, given),
      { featureMap: 'exp', epsilon: 0.5, causal: true, state, weights: 'average' },
    ],
    rotaryEmbedding: [
      (given) => rotaryEmbedding(x, given),
      { width: 4, interleaved: true, base: 50, offset: 3 },
    ],
    sinusoidalPositions: [(given) => sinusoidalPositions(3, 4, given), { offset: 2, base: 30 }],
    attend: [(given) => cache.attend(x, given), { heads: 2, causal: true, scale: 1 }],
    forward: [
      (given) => layer.forward(x, undefined, given),
      { causal: true, slopes: [1, 0.5], headOutputs: true, weights: true },
    ],
    'decoder forward': [
      (given) => decoder.forward(x, x, given),
      { causal: true, crossKeyLengths: [3], weights: true },
    ],
    // Functions with required options follow.
    KeyValueCache: [
      (given) => {
        const made = new KeyValueCache(given);
        made.append(tensor(5, 3), tensor(5, 2));
        return [made.capacity, made.length, made.keptLength];
      },
      { batch: 1, keyDim: 3, valueDim: 2, capacity: 4, sliding: true },
      true,
    ],
    fromWeights: [
      (given) => MultiHeadAttention.fromWeights(weights, given).forward(x),
      { heads: 2, kvHeads: 2 },
      true,
    ],
    weights: [
      (given) => MultiHeadAttention.fromWeights(given, { heads: 2 }).forward(x),
      { ...weights, keyBias: tensor(6) },
      true,
    ],
    fromTorch: [
      (given) => TransformerDecoderLayer.fromTorch(dict, given).forward(x, x),
      { heads: 2, normFirst: true, activation: 'gelu', epsilon: 0.5 },
      true,
    ],
    createCache: [
      (given) => {
        const made = layer.createCache(given);
        return [made.capacity, made.length];
      },
      { batch: 2, capacity: 3 },
      true,
    ],
  };
}

describe('options of all functions', () => {
  for (const [name, [call, given, needed]] of Object.entries(calls())) {
    it(`are read once: ${name}`, () => {
      const reads = {};
      const counted = {};
      for (const [option, value] of Object.entries(given)) {
        Object.defineProperty(counted, option, {
          enumerable: true,
          get() {
            reads[option] = (reads[option] ?? 0) + 1;
            return value;
          },
        });
      }
      assert.deepEqual(call(counted), call(given));
      assert.deepEqual(reads, Object.fromEntries(Object.keys(given).map((option) => [option, 1])));
    });

    it(`are own properties only: ${name}`, () => {
      const want = call(given);
      const plain = needed ? undefined : call(Object.create(null));
      const pollution = { ...given, casual: 1, prefix: 'no.', heads: 3, weights: 7, data: 1 };
      const added = Object.keys(pollution).filter((option) => !(option in {}));
      for (const option of added) {
        Object.defineProperty(Object.prototype, option, {
          value: pollution[option],
          configurable: true,
          writable: true,
        });
      }
      try {
        assert.deepEqual(call({ ...given }), want);
        if (!needed) {
          assert.deepEqual(call({}), plain);
          assert.deepEqual(call(Object.create(given)), plain);
          assert.deepEqual(call(undefined), plain);
        } else assert.throws(() => call(Object.create(given)), { name: 'TypeError' });
      } finally {
        for (const option of added) delete Object.prototype[option];
      }
    });

    it(`undefined and null count as absent: ${name}`, () => {
      for (const value of [undefined, null]) {
        const optional = Object.keys(given).filter((option) => !needed || option === 'keyBias');
        const bare = Object.fromEntries(
          Object.entries(given).filter(([option]) => !optional.includes(option)),
        );
        const emptied = { ...bare, ...Object.fromEntries(optional.map((key) => [key, value])) };
        assert.deepEqual(call(emptied), call(bare));
      }
    });
  }

  it('polluted prototypes do not affect embed() and state dicts', () => {
    const dict = attentionState();
    const want = MultiHeadAttention.fromTorch(dict, { heads: 2 }).forward(tensor(4, 6));
    const words = api.embed([1, 0], tensor(3, 2));
    Object.assign(Object.prototype, { data: 1, dims: 2, type: 3, bias_k: 4, in_proj_bias: 5 });
    try {
      const layer = MultiHeadAttention.fromTorch(dict, { heads: 2 });
      assert.deepEqual(layer.forward(tensor(4, 6)).output.data, want.output.data);
      assert.deepEqual(api.embed([1, 0], tensor(3, 2)).data, words.data);
    } finally {
      for (const name of ['data', 'dims', 'type', 'bias_k', 'in_proj_bias']) {
        delete Object.prototype[name];
      }
    }
  });

  it('methods throw on other objects', () => {
    const square = tensor(6, 6);
    const weights = { query: square, key: square, value: square, output: square };
    const layer = MultiHeadAttention.fromWeights(weights, { heads: 2 });
    const cache = layer.createCache({ capacity: 2 });
    for (const prototype of [TransformerEncoderLayer, TransformerDecoderLayer].map(
      ({ prototype }) => prototype,
    )) {
      for (const receiver of [layer, cache, {}, undefined]) {
        assert.throws(() => prototype.forward.call(receiver, square, square), {
          name: 'TypeError',
        });
      }
    }
    for (const receiver of [cache, {}, undefined]) {
      const { forward } = MultiHeadAttention.prototype;
      assert.throws(() => forward.call(receiver, square), { name: 'TypeError' });
    }
  });
});
