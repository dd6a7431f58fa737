// Refusals of TransformerLayer: every rule by its class and its whole sentence, and that nothing else happens.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { loadAttention } from 'attention-wasm';

import { refusalsOf } from '../../support/js/refusals.js';

const api = await loadAttention();
const { TransformerLayer } = api;

const tensor = (...dims) => ({
  data: Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, (_, at) => Math.sin(at)),
  dims,
});

const refuses = refusalsOf(api);

// Two heads of 4 numbers, in a layer 6 wide; the memory is 9 wide.
const attention = (context = 6) => ({
  query: tensor(8, 6),
  key: tensor(8, context),
  value: tensor(8, context),
  output: tensor(6, 8),
});
const weightsOf = (hasMemory) => ({
  self: attention(),
  ...(hasMemory && { cross: attention(9), crossNorm: tensor(6) }),
  selfNorm: tensor(6),
  feedForwardNorm: tensor(6),
  widen: tensor(10, 6),
  narrow: tensor(6, 10),
});

/** A layer of these weights, those of self-attention and options instead of or beside the usual ones. */
const make = (weights, options, self, hasMemory = false) => {
  const usual = weightsOf(hasMemory);
  return TransformerLayer.fromWeights(
    { ...usual, ...weights, ...(self && { self: { ...usual.self, ...self } }) },
    { heads: 2, ...options },
  );
};

const where = 'TransformerLayer.fromWeights';
const ofAttention =
  'query, queryBias, key, keyBias, value, valueBias, output, outputBias, queryNorm, keyNorm';

describe('TransformerLayer.fromWeights() refuses', () => {
  const relative = { maxDistance: 8, bidirectional: false };
  for (const [message, ...given] of [
    ['self.query is missing', { self: {} }],
    ['self.output is missing', {}, {}, { output: undefined }],
    [
      'self.outputBias needs output, whose rows it is added to',
      {},
      {},
      { output: undefined, outputBias: tensor(6) },
    ],
    ['self.query has 1 dimension (48) but must have 2', {}, {}, { query: tensor(48) }],
    [
      'self.query has dims 7×6 but heads is 2: 7 is not a multiple of it',
      {},
      {},
      { query: tensor(7, 6) },
    ],
    [
      'self.key has dims 6×6 but self.query has 8×6 and heads is 2: keys must be kvHeads × d_k = 2 × 4 = 8 wide',
      {},
      {},
      { key: tensor(6, 6) },
    ],
    [
      'self.value has dims 8×5 but self.key has 8×6: keys and values are made of one context, so both must take rows of its width',
      {},
      {},
      { value: tensor(8, 5) },
    ],
    [
      'self.output has dims 6×7 but must take heads × d_v = 2 × 4 = 8 numbers',
      {},
      {},
      { output: tensor(6, 7) },
    ],
    ['self.output has 5 rows but the layer is d_model = 6 wide', {}, {}, { output: tensor(5, 8) }],
    [
      'self.key has 5 columns but the layer is d_model = 6 wide',
      {},
      {},
      { key: tensor(8, 5), value: tensor(8, 5) },
    ],
    ['self.queryBias has dims 6 but must be out = 8', {}, {}, { queryBias: tensor(6) }],
    ['self.queryNorm has dims 8 but must be d_k = 4', {}, {}, { queryNorm: tensor(8) }],
    ['self.keyNorm has 2 dimensions (1×4) but must have 1', {}, {}, { keyNorm: tensor(1, 4) }],
    [
      'cross.query has 5 columns but the layer is d_model = 6 wide',
      { cross: { ...attention(9), query: tensor(8, 5) } },
      {},
      undefined,
      true,
    ],
    [
      'cross.keyNorm has dims 3 but must be d_k = 4',
      { cross: { ...attention(9), keyNorm: tensor(3) } },
      {},
      undefined,
      true,
    ],
    ['crossNorm is missing', { crossNorm: undefined }, {}, undefined, true],
    ['crossNorm is given without cross', { crossNorm: tensor(6) }],
    ['selfNorm is missing', { selfNorm: undefined }],
    ['selfNorm has dims 5 but must be out = 6', { selfNorm: tensor(5) }],
    ['feedForwardNorm is missing', { feedForwardNorm: undefined }],
    [
      'feedForwardNorm is missing',
      { feedForwardNorm: undefined, feedForwardNormBias: tensor(6) },
      { parallel: true },
    ],
    [
      'selfNormBias is given but an RMS norm has none',
      { selfNormBias: tensor(6) },
      { norm: 'rms' },
    ],
    ['widen is missing', { widen: undefined }],
    ['widen has dims 10×5 but must be out × d_model = 10×6', { widen: tensor(10, 5) }],
    ['widen has dims 0×6 but no axis may be 0', { widen: tensor(0, 6), narrow: tensor(6, 0) }],
    [
      'narrow has dims 6×9 but must be d_model × the rows of widen = 6×10',
      { narrow: tensor(6, 9) },
    ],
    ['gate has dims 9×6 but must be the rows of widen × d_model = 10×6', { gate: tensor(9, 6) }],
    ['gate is missing', { gateBias: tensor(10) }],
    ['gateBias has dims 6 but must be out = 10', { gate: tensor(10, 6), gateBias: tensor(6) }],
    ['selfScale has dims 10 but must be d_model = 6', { selfScale: tensor(10) }],
    ['feedForwardScale has dims 5 but must be d_model = 6', { feedForwardScale: tensor(5) }],
    // Read as in × out the matrices are others.
    [
      'widen has dims 10×6 but must be d_model × out = 8×6',
      { self: { ...attention(), output: tensor(6, 8) } },
      { layout: 'in × out', heads: 2 },
      { query: tensor(8, 8), key: tensor(8, 8), value: tensor(8, 6), output: tensor(6, 8) },
    ],
    ['heads is 0 but must be a whole number of at least 1', {}, { heads: 0 }],
    ['heads is 2 but kvHeads is 3: heads must be a multiple of kvHeads', {}, { kvHeads: 3 }],
    ['scale is Infinity but must be a finite float32 number', {}, { scale: Infinity }],
    ['epsilon is -1 but must be a finite float32 number of at least 0', {}, { epsilon: -1 }],
    ['rotary.width is 3 but must be an even number from 0 to d = 4', {}, { rotary: { width: 3 } }],
    ['rotary.width is 6 but must be an even number from 0 to d = 4', {}, { rotary: { width: 6 } }],
    ['rotary.base is 0 but must be a finite float32 number above 0', {}, { rotary: { base: 0 } }],
    ['rotary.factor is NaN but must be a finite float32 number', {}, { rotary: { factor: NaN } }],
    [
      'rotary.base and rotary.frequencies are given, but one replaces the other',
      {},
      { rotary: { base: 10, frequencies: [1, 2] } },
    ],
    [
      'rotary.frequencies holds 3 numbers but must hold width / 2 = 2',
      {},
      { rotary: { frequencies: [1, 2, 3] } },
    ],
    [
      'rotary.frequencies[1] is Infinity but must be a finite number',
      {},
      { rotary: { frequencies: [1, Infinity] } },
    ],
    [
      'self.relativeBias is given without relativePositions',
      {},
      {},
      { relativeBias: tensor(4, 2) },
    ],
    ['self.relativeBias is missing', {}, { relativePositions: relative }],
    [
      'self.relativeBias has dims 4×3 but must be buckets × heads = 4×2',
      {},
      { relativePositions: relative },
      { relativeBias: tensor(4, 3) },
    ],
    [
      'the number of buckets is 1 but must be a whole number of at least 2',
      {},
      { relativePositions: relative },
      { relativeBias: tensor(1, 2) },
    ],
    [
      'half of the buckets is 2.5 but must be a whole number of at least 2',
      {},
      { relativePositions: { maxDistance: 8, bidirectional: true } },
      { relativeBias: tensor(5, 2) },
    ],
    [
      'relativePositions.maxDistance is 2 but must be a whole number of at least 3',
      {},
      { relativePositions: { maxDistance: 2, bidirectional: false } },
      { relativeBias: tensor(4, 2) },
    ],
    [
      'relativePositions.maxDistance is 1000000000000 but must be at most 4294967295',
      {},
      { relativePositions: { maxDistance: 1e12, bidirectional: false } },
      { relativeBias: tensor(4, 2) },
    ],
    [
      'this call needs 4.5 GiB for its arguments and results but WebAssembly can address 4 GiB',
      {},
      { relativePositions: { maxDistance: 3e8, bidirectional: false } },
      { relativeBias: tensor(4, 2) },
    ],
    [
      'parallel is true but normFirst is false: parallel parts take x normed',
      {},
      { parallel: true, normFirst: false },
    ],
    [
      'parallel is true but attention to a memory looks at what self-attention gave, so there must be no cross',
      {},
      { parallel: true },
      undefined,
      true,
    ],
  ]) {
    it(message, () => refuses(() => make(...given), RangeError, message));
  }

  for (const [message, ...given] of [
    [`${where}() needs the weight 'self'`, { self: null }],
    [`${where}() needs the option 'heads'`, {}, { heads: null }],
    [`the weights of self in ${where}() must be an object, found 3`, { self: 3 }],
    [
      `self in ${where}() has no weight 'q'; it has ${ofAttention}, relativeBias`,
      {},
      {},
      { q: tensor(1) },
    ],
    [
      `cross in ${where}() has no weight 'relativeBias'; it has ${ofAttention}`,
      { cross: { relativeBias: tensor(2, 2) } },
    ],
    ['self.keyBias must be a tensor { data, dims }, found 1', {}, {}, { keyBias: 1 }],
    [
      "self.key.data is a Uint16Array, so self.key.type must be 'float16' or 'bfloat16', found undefined",
      {},
      {},
      { key: { data: new Uint16Array(48), dims: [8, 6] } },
    ],
    ["rotary.base must be a number, found '10'", {}, { rotary: { base: '10' } }],
    [
      `rotary in ${where}() has no option 'theta'; it has width, interleaved, base, frequencies, factor`,
      {},
      { rotary: { theta: 1 } },
    ],
    [`the options of rotary in ${where}() must be an object, found true`, {}, { rotary: true }],
    [
      `relativePositions in ${where}() needs the option 'bidirectional'`,
      {},
      { relativePositions: { maxDistance: 8 } },
    ],
    ['parallel must be true or false, found 1', {}, { parallel: 1 }],
  ]) {
    it(message, () => refuses(() => make(...given), TypeError, message));
  }
  for (const [message, given] of [
    [
      "activation must be 'relu', 'gelu', 'gelu_tanh', 'quick_gelu' or 'silu', found 'swish'",
      { activation: 'swish' },
    ],
    ["layout must be 'out × in' or 'in × out', found 'in x out'", { layout: 'in x out' }],
    ["norm must be 'layer' or 'rms', found 'batch'", { norm: 'batch' }],
  ]) {
    it(message, () => refuses(() => make({}, given), RangeError, message));
  }

  it('what is no set of weights, and a constructor called by hand', () => {
    refuses(
      () => TransformerLayer.fromWeights(undefined, { heads: 2 }),
      TypeError,
      `${where}() needs the weight 'self'`,
    );
    refuses(
      () => new TransformerLayer(),
      TypeError,
      'a TransformerLayer is made by TransformerLayer.fromWeights()',
    );
  });
});

describe('TransformerLayer.forward() refuses', () => {
  const x = tensor(2, 4, 6);
  const memory = tensor(2, 5, 9);
  const alone = make();
  const looks = make({}, {}, undefined, true);
  for (const [message, layer, given, Kind = RangeError] of [
    ['memory is missing', looks, {}],
    [
      'memory has dims 2×5×6 but the layer takes rows of 9: the last axis must be context_dim',
      looks,
      { memory: tensor(2, 5, 6) },
    ],
    ['memory is given but the layer has no attention to a memory', alone, { memory }],
    [
      'crossKeyLengths is given but the layer has no attention to a memory',
      alone,
      { crossKeyLengths: [1, 2] },
    ],
    [
      'crossMask is given but the layer has no attention to a memory',
      alone,
      { crossMask: { data: Uint8Array.of(1), dims: [1] } },
    ],
    ['memory must be a tensor { data, dims }, found true', looks, { memory: true }, TypeError],
    ['projections must be true or false, found 1', alone, { projections: 1 }, TypeError],
  ]) {
    it(message, () => refuses(() => layer.forward(x, given), Kind, message));
  }

  it('a memory to project where there is none, and what was deleted', () => {
    const message = 'the layer has no attention to a memory';
    refuses(() => alone.projectMemory(memory), RangeError, message);
    const gone = make();
    gone.delete();
    gone.delete();
    const deleted = { name: 'DeletedError', message: 'this TransformerLayer was deleted' };
    for (const use of ['forward', 'projectMemory', 'createCache']) {
      assert.throws(() => gone[use](use === 'createCache' ? { capacity: 3 } : x), deleted, use);
    }
    for (const size of ['heads', 'kvHeads', 'keyDim', 'valueDim', 'modelDim']) {
      assert.throws(() => gone[size], deleted, size);
    }
  });
});
