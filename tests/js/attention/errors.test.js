// Refusals of the family: every rule by its class and its whole sentence, and that nothing else happens. Then options
// that lie or change. What layers say of their weights' shapes is in multi_head_attention.test.js too.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { loadAttention } from 'attention-wasm';

import { refusalsOf } from '../../support/js/refusals.js';

const api = await loadAttention();
const { kernelAttention, linearAttention, rotaryEmbedding, sinusoidalPositions } = api;
const { KeyValueCache, MultiHeadAttention, TransformerEncoderLayer, TransformerDecoderLayer } = api;

const tensor = (...dims) => ({
  data: Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, (_, at) => Math.sin(at)),
  dims,
});
const pair = (...dims) => ({ data: Uint8Array.from(tensor(...dims).data, () => 1), dims });

const refuses = refusalsOf(api);

const rule = (message, call) => it(message, () => refuses(call, RangeError, message));
const kind = (message, call) => it(message, () => refuses(call, TypeError, message));

/** Options by the sentence that refuses them. */
function options(run, sentences, tell) {
  for (const [message, given] of sentences) tell(message, () => run(given));
}

const attentionNames = 'scale, softcap, causal, offset, window, keyLengths, mask, slopes, sinks';

describe('shapes that belong together', () => {
  const square = tensor(1, 2, 3, 4);
  for (const call of [kernelAttention, linearAttention]) {
    for (const [message, tensors, given] of [
      [
        'kvHeads is 1 but key has dims 1×2×3×4: at 4 dimensions the second is kvHeads',
        [square, square, square],
        { kvHeads: 1 },
      ],
      [
        'heads is 1 but query has dims 1×2×3×4: at 4 dimensions the second is heads',
        [square, square, square],
        { heads: 1 },
      ],
      [
        'key has dims 1×2×3×5 but query has 1×2×3×4: the last axes must both be d_k = 4',
        [square, tensor(1, 2, 3, 5), square],
      ],
      [
        'key has dims 3×7 but query has 3×8: the last axis of key must be kvHeads × d_k = 2 × 2 = 4',
        [tensor(3, 8), tensor(3, 7), tensor(3, 4)],
        { heads: 4, kvHeads: 2 },
      ],
      [
        'value has dims 1×1×3×4 but key has 1×2×3×4: the second axes must both be kvHeads',
        [square, square, tensor(1, 1, 3, 4)],
      ],
      [
        'value has dims 4×2 but key has 5×4: there must be as many values as keys, k_len = 5',
        [tensor(3, 4), tensor(5, 4), tensor(4, 2)],
      ],
      [
        'value has dims 5×3 but kvHeads is 2: the last axis must be kvHeads × d_v',
        [tensor(3, 4), tensor(5, 4), tensor(5, 3)],
        { heads: 2 },
      ],
      [
        'key has dims 2×5×4 but query has 1×3×4: the first axes must both be batch',
        [tensor(1, 3, 4), tensor(2, 5, 4), tensor(2, 5, 4)],
      ],
      ['query has dims 3×0: d_k must be at least 1', [tensor(3, 0), tensor(5, 0), tensor(5, 2)]],
    ]) {
      it(`${call.name}(): ${message}`, () =>
        refuses(() => call(...tensors, given), RangeError, message));
    }
  }
  rule('kvHeads is 1 but value has dims 1×2×3×4: at 4 dimensions the second is kvHeads', () =>
    api.weightedSum(tensor(1, 2, 3, 3), square, { kvHeads: 1 }),
  );
  rule(
    'value has dims 2×2 but weights have 1×1×2×2: weights of 4 dimensions go with a value of 3 or 4, others with one of 2',
    () => api.weightedSum(tensor(1, 1, 2, 2), tensor(2, 2)),
  );
  rule(
    'value has dims 4×2 but weights has 2×3: there must be as many values as keys, k_len = 3',
    () => api.weightedSum(tensor(2, 3), tensor(4, 2)),
  );
  options(
    (given) => kernelAttention(tensor(3, 4), tensor(3, 4), tensor(3, 2), given),
    [
      [
        'window holds -1 on the left but must hold whole numbers of at least 0, or null for an unbounded side',
        { window: [-1, 0] },
      ],
      [
        'window holds 0.5 on the right but must hold whole numbers of at least 0, or null for an unbounded side',
        { window: [null, 0.5] },
      ],
      ['offset is 0.5 but must be a whole number', { causal: true, offset: 0.5 }],
      ['offset[0] is Infinity but must be a whole number', { causal: true, offset: [Infinity] }],
      ['offset holds 2 numbers but must hold one per batch entry, 1', { offset: [0, 1] }],
    ],
    rule,
  );
});

describe('kernelAttention()', () => {
  const self = (given) => kernelAttention(tensor(3, 4), tensor(5, 4), tensor(5, 2), given);
  const two = 'the similarities exponential and polynomial';
  const wide = 'the similarities gaussian and laplacian';
  const one = 'the similarity polynomial';
  options(
    self,
    [
      [`scale is given but belongs to ${two}`, { similarity: 'gaussian', scale: 1 }],
      [`scale is given but belongs to ${two}`, { similarity: 'laplacian', scale: 1 }],
      [`scale is given but belongs to ${two}`, { similarity: 'cosine', scale: 1 }],
      [`scale is given but belongs to ${two}`, { similarity: () => 1, scale: 1 }],
      [`bandwidth is given but belongs to ${wide}`, { bandwidth: 1 }],
      [`bandwidth is given but belongs to ${wide}`, { similarity: 'polynomial', bandwidth: 1 }],
      [`constant is given but belongs to ${one}`, { similarity: 'cosine', constant: 1 }],
      [`degree is given but belongs to ${one}`, { similarity: () => 1, degree: 1 }],
      [
        'bandwidth is 0 but must be a finite float32 number above 0',
        { similarity: 'gaussian', bandwidth: 0 },
      ],
      [
        'bandwidth is -1 but must be a finite float32 number above 0',
        { similarity: 'laplacian', bandwidth: -1 },
      ],
      [
        'bandwidth is NaN but must be a finite float32 number above 0',
        { similarity: 'laplacian', bandwidth: NaN },
      ],
      [
        'constant is Infinity but must be a finite float32 number',
        { similarity: 'polynomial', constant: Infinity },
      ],
      ['degree is 1001 but must be at most 1000', { similarity: 'polynomial', degree: 1001 }],
      [
        'degree is 0 but must be a whole number of at least 1',
        { similarity: 'polynomial', degree: 0 },
      ],
      [
        'degree is 1.5 but must be a whole number of at least 1',
        { similarity: 'polynomial', degree: 1.5 },
      ],
      [
        'degree is NaN but must be a whole number of at least 1',
        { similarity: 'polynomial', degree: NaN },
      ],
      ['scale is NaN but must be a finite float32 number', { scale: NaN }],
      [
        'mask holds numbers to add to scores, which kernelAttention() does not have: give a Uint8Array',
        { mask: tensor(3, 5) },
      ],
      [
        'mask has dims 3×4 but must broadcast, aligned to the right, to batch × heads × q_len × k_len = 1×1×3×5',
        { mask: pair(3, 4) },
      ],
      [
        'causal needs an offset, the number of keys before the first query, because q_len is 3 and k_len is 5: offset 0 aligns the queries with the first keys, offset 2 with the last',
        { causal: true },
      ],
      ['keyLengths[0] is 6 but must be from 0 to k_len = 5', { keyLengths: [6] }],
      [
        "similarity must be 'exponential', 'gaussian', 'laplacian', 'cosine', 'polynomial' or a function, found 'dot'",
        { similarity: 'dot' },
      ],
    ],
    rule,
  );
  options(
    self,
    [
      [
        "similarity must be 'exponential', 'gaussian', 'laplacian', 'cosine', 'polynomial' or a function, found 7",
        { similarity: 7 },
      ],
      ["bandwidth must be a number, found '1'", { similarity: 'gaussian', bandwidth: '1' }],
      ['constant must be a number, found true', { similarity: 'polynomial', constant: true }],
      ['degree must be a number, found 2n', { similarity: 'polynomial', degree: 2n }],
      ["weights must be true, false or 'average', found 1", { weights: 1 }],
      ['similarity must return a number, found undefined', { similarity: () => {} }],
      ["similarity must return a number, found '1'", { similarity: () => '1' }],
      ['similarity must return a number, found 1n', { similarity: () => 1n }],
      [
        "kernelAttention() has no option 'softcap'; it has similarity, scale, bandwidth, constant, degree, heads, kvHeads, causal, offset, window, mask, keyLengths, weights",
        { softcap: 1 },
      ],
      ['the options of kernelAttention() must be an object, found an array', []],
      ['the options of kernelAttention() must be an object, found null', null],
      ['mask must be a tensor { data, dims }, found 1', { mask: 1 }],
    ],
    kind,
  );
  kind('query must be a tensor { data, dims }, found undefined', () => kernelAttention());
  kind('key must be a tensor { data, dims }, found 1', () => kernelAttention(tensor(1, 1), 1));
  kind("value must be a tensor { data, dims }, found 'v'", () =>
    kernelAttention(tensor(1, 1), tensor(1, 1), 'v'),
  );
  rule(
    'key has dims 5×3 but query has 3×4: the last axes must both be heads × d_k = 1 × 4 = 4',
    () =>
      kernelAttention(tensor(3, 4), tensor(5, 3), tensor(5, 2), {
        similarity: () => assert.fail(),
      }),
  );
  rule(
    'this call needs 18.5 GiB for its arguments and results but WebAssembly can address 4 GiB',
    () => {
      const long = tensor(70_373, 1);
      kernelAttention(long, long, long, { weights: true });
    },
  );
});

describe('linearAttention()', () => {
  const self = (given) => linearAttention(tensor(3, 4), tensor(5, 4), tensor(5, 2), given);
  const state = (S, z) => ({ state: { S, z } });
  options(
    self,
    [
      [
        'causal is true but the feature map efficient looks at all positions at once: it has no causal form',
        { featureMap: 'efficient', causal: true },
      ],
      [
        'causal is true but q_len is 3 and k_len is 5: they must be equal, with earlier keys in a state',
        { causal: true },
      ],
      [
        'epsilon is given but the feature map efficient divides by nothing',
        { featureMap: 'efficient', epsilon: 0 },
      ],
      ['epsilon is -1 but must be a finite float32 number of at least 0', { epsilon: -1 }],
      ['epsilon is NaN but must be a finite float32 number of at least 0', { epsilon: NaN }],
      [
        'epsilon is Infinity but must be a finite float32 number of at least 0',
        { epsilon: Infinity },
      ],
      [
        'state is given but the feature map efficient has none',
        { featureMap: 'efficient', state: true },
      ],
      ['state.S has 3 dimensions (1×4×2) but must have 4', state(tensor(1, 4, 2), tensor(1, 1, 4))],
      ['state.z has 2 dimensions (1×4) but must have 3', state(tensor(1, 1, 4, 2), tensor(1, 4))],
      [
        'state.S has dims 1×1×4×4 but must be batch × kvHeads × d_k × d_v = 1×1×4×2',
        state(tensor(1, 1, 4, 4), tensor(1, 1, 4)),
      ],
      [
        'state.z has dims 2×1×4 but must be batch × kvHeads × d_k = 1×1×4',
        state(tensor(1, 1, 4, 2), tensor(2, 1, 4)),
      ],
      [
        'state.z has dims 1×1×4 = 4 numbers but its data holds 3',
        state(tensor(1, 1, 4, 2), { data: new Float32Array(3), dims: [1, 1, 4] }),
      ],
      ['keyLengths[0] is 6 but must be from 0 to k_len = 5', { keyLengths: [6] }],
      ['keyLengths[0] is 0.5 but must be a whole number', { keyLengths: [0.5] }],
      ['keyLengths holds 2 numbers but must hold one per batch entry, 1', { keyLengths: [1, 1] }],
      [
        "featureMap must be 'elu', 'relu', 'exp' or 'efficient', found 'softmax'",
        { featureMap: 'softmax' },
      ],
      ['query has dims 3×4 but heads is 3: the last axis must be heads × d_k', { heads: 3 }],
      [
        'heads is 2 but kvHeads is 4: heads must be a multiple of kvHeads',
        { heads: 2, kvHeads: 4 },
      ],
    ],
    rule,
  );
  const names = 'featureMap, heads, kvHeads, causal, keyLengths, epsilon, state, weights';
  options(
    self,
    [
      ["featureMap must be 'elu', 'relu', 'exp' or 'efficient', found 1", { featureMap: 1 }],
      ["epsilon must be a number, found '0'", { epsilon: '0' }],
      ['causal must be true or false, found 1', { causal: 1 }],
      ['state must be true or a state { S, z }, found 1', { state: 1 }],
      ["linearAttention() needs the part of a state 'z'", { state: { S: tensor(1, 1, 4, 2) } }],
      ["linearAttention() needs the part of a state 'S'", { state: {} }],
      [
        "linearAttention() has no part of a state 'y'; it has S, z",
        { state: { S: tensor(1, 1, 4, 2), z: tensor(1, 1, 4), y: 1 } },
      ],
      ['state.S must be a tensor { data, dims }, found 1', state(1, tensor(1, 1, 4))],
      [
        'state.z must be a tensor { data, dims }, found a Float32Array',
        state(tensor(1, 1, 4, 2), new Float32Array(4)),
      ],
      [`linearAttention() has no option 'window'; it has ${names}`, { window: [1, 1] }],
      [`linearAttention() has no option 'offset'; it has ${names}`, { offset: 0 }],
    ],
    kind,
  );
  rule("weights must be true, false or 'average', found 'mean'", () => self({ weights: 'mean' }));
});

describe('rotaryEmbedding()', () => {
  const turn = (given) => rotaryEmbedding(tensor(2, 3, 8), { heads: 2, ...given });
  options(
    turn,
    [
      ['heads is 0 but must be a whole number of at least 1', { heads: 0 }],
      ['heads is 1.5 but must be a whole number of at least 1', { heads: 1.5 }],
      ['x has dims 2×3×8 but heads is 3: the last axis must be heads × d', { heads: 3 }],
      ['width is 3 but must be an even number from 0 to d = 4', { width: 3 }],
      ['width is 6 but must be an even number from 0 to d = 4', { width: 6 }],
      ['width is -2 but must be an even number from 0 to d = 4', { width: -2 }],
      ['width is NaN but must be an even number from 0 to d = 4', { width: NaN }],
      ['width is 1 but must be an even number from 0 to d = 1', { heads: 8 }],
      ['cos is given without sin', { cos: tensor(3, 2) }],
      ['sin is given without cos', { sin: tensor(3, 2) }],
      [
        'cos and sin are given and so are base, which they replace',
        { cos: tensor(3, 2), sin: tensor(3, 2), base: 10 },
      ],
      [
        'cos and sin are given and so are offset, which they replace',
        { cos: tensor(3, 2), sin: tensor(3, 2), offset: 0 },
      ],
      [
        'cos and sin are given and so are positions, which they replace',
        { cos: tensor(3, 2), sin: tensor(3, 2), positions: [0, 1, 2] },
      ],
      [
        'cos has dims 3×4 but must be len × width / 2 = 3×2',
        { cos: tensor(3, 4), sin: tensor(3, 2) },
      ],
      [
        'sin has dims 2×2 but must be len × width / 2 = 3×2',
        { cos: tensor(3, 2), sin: tensor(2, 2) },
      ],
      ['cos has 1 dimension (6) but must have from 2 to 4', { cos: tensor(6), sin: tensor(3, 2) }],
      ['base is 0 but must be a finite float32 number above 0', { base: 0 }],
      ['base is Infinity but must be a finite float32 number above 0', { base: Infinity }],
      ['offset is Infinity but must be a finite number', { offset: Infinity }],
      [
        'offset and positions are given, but one replaces the other',
        { offset: 0, positions: [0, 1, 2] },
      ],
      [
        'positions holds 2 numbers but must hold one per row, 3, or one per row of each batch entry, 6',
        { positions: [0, 1] },
      ],
      ['positions[1] is NaN but must be a finite number', { positions: [0, NaN, 2] }],
    ],
    rule,
  );
  rule('x has 1 dimension (4) but must have from 2 to 4', () => rotaryEmbedding(tensor(4)));
  rule('heads is 3 but x has dims 1×2×3×4: at 4 dimensions the second is heads', () =>
    rotaryEmbedding(tensor(1, 2, 3, 4), { heads: 3 }),
  );
  const names = 'heads, width, interleaved, base, offset, positions, cos, sin';
  options(
    turn,
    [
      ["width must be a number, found '4'", { width: '4' }],
      ['interleaved must be true or false, found 1', { interleaved: 1 }],
      ['offset must be a number, found an array', { offset: [1] }],
      ['positions must be an array of numbers, found 1', { positions: 1 }],
      ["positions[0] must be a number, found '0'", { positions: ['0', 1, 2] }],
      ['cos must be a tensor { data, dims }, found 1', { cos: 1 }],
      [`rotaryEmbedding() has no option 'theta'; it has ${names}`, { theta: 1 }],
    ],
    kind,
  );
  kind('x must be a tensor { data, dims }, found undefined', () => rotaryEmbedding());
});

describe('KeyValueCache', () => {
  const wholeFromOne = 'but must be a whole number of at least 1';
  const make = (given) => new KeyValueCache({ keyDim: 2, capacity: 3, ...given });
  options(
    make,
    [
      ['batch is -1 but must be a whole number of at least 0', { batch: -1 }],
      [`kvHeads is 1.5 ${wholeFromOne}`, { kvHeads: 1.5 }],
      [`keyDim is 0 ${wholeFromOne}`, { keyDim: 0 }],
      [`valueDim is -1 ${wholeFromOne}`, { valueDim: -1 }],
      [`capacity is 0 ${wholeFromOne}`, { capacity: 0 }],
      [`capacity is NaN ${wholeFromOne}`, { capacity: NaN }],
      ['capacity is Infinity but must be at most 4294967295', { capacity: Infinity }],
      [
        'a cache of 1048576 keys of 1 × 8 × 128 needs more than the 4 GiB that WebAssembly can address',
        { capacity: 2 ** 20, kvHeads: 8, keyDim: 128 },
      ],
    ],
    rule,
  );
  const names = 'batch, kvHeads, keyDim, valueDim, capacity, sliding';
  options(
    make,
    [
      ["batch must be a number, found '1'", { batch: '1' }],
      ['capacity must be a number, found 3n', { capacity: 3n }],
      ['sliding must be true or false, found 0', { sliding: 0 }],
      [`KeyValueCache() has no option 'heads'; it has ${names}`, { heads: 1 }],
    ],
    kind,
  );
  kind("KeyValueCache() needs the option 'keyDim'", () => new KeyValueCache());
  kind("KeyValueCache() needs the option 'capacity'", () => new KeyValueCache({ keyDim: 1 }));
  kind('the options of KeyValueCache() must be an object, found 7', () => new KeyValueCache(7));

  const cache = new KeyValueCache({ batch: 2, kvHeads: 2, keyDim: 3, valueDim: 2, capacity: 5 });
  cache.append(tensor(2, 3, 6), tensor(2, 3, 4));
  const sizes = 'but the cache has batch 2, kvHeads 2 and';
  for (const [message, key, value] of [
    ['key has 1 dimension (6) but must have from 2 to 4', tensor(6), tensor(2, 1, 4)],
    ['value has 1 dimension (4) but must have from 2 to 4', tensor(2, 1, 6), tensor(4)],
    [
      'value has dims 2×2×1×2 but key has 2×1×6: both must have the same number of dimensions',
      tensor(2, 1, 6),
      tensor(2, 2, 1, 2),
    ],
    ['key has dims 1×6 but the cache has batch 2', tensor(1, 6), tensor(1, 4)],
    [`key has dims 1×1×6 ${sizes} d_k 3: expected 2×1×6`, tensor(1, 1, 6), tensor(2, 1, 4)],
    [`key has dims 2×1×4 ${sizes} d_k 3: expected 2×1×6`, tensor(2, 1, 4), tensor(2, 1, 4)],
    [`value has dims 2×1×6 ${sizes} d_v 2: expected 2×1×4`, tensor(2, 1, 6), tensor(2, 1, 6)],
    [
      `key has dims 2×1×1×3 ${sizes} d_k 3: expected 2×2×1×3`,
      tensor(2, 1, 1, 3),
      tensor(2, 2, 1, 2),
    ],
    [
      'value has dims 2×2×4 but key has 2×1×6: there must be as many values as keys',
      tensor(2, 1, 6),
      tensor(2, 2, 4),
    ],
    ['the cache holds 3 of 5 keys: there is no room for 3 more', tensor(2, 3, 6), tensor(2, 3, 4)],
  ]) {
    rule(message, () => cache.append(key, value));
  }
  kind('key must be a tensor { data, dims }, found undefined', () => cache.append());
  kind('value must be a tensor { data, dims }, found undefined', () =>
    cache.append(tensor(2, 1, 6)),
  );

  options(
    (given) => cache.attend(tensor(2, 1, 12), { heads: 4, ...given }),
    [
      ['heads is 0 but must be a whole number of at least 1', { heads: 0 }],
      ['heads is 3 but kvHeads is 2: heads must be a multiple of kvHeads', { heads: 3 }],
      ['kvHeads is 4 but the cache has 2', { kvHeads: 4 }],
      [
        'query has dims 2×1×12 but the cache has d_k = 3: the last axis of query must be heads × d_k = 2 × 3 = 6',
        { heads: 2 },
      ],
      ['offset is given but the cache supplies its own, 2', { offset: 2 }],
      ['offset is given but the cache supplies its own, 2', { offset: [2, 2] }],
      ['keyLengths[1] is 4 but must be from 0 to k_len = 3', { keyLengths: [3, 4] }],
      ['slopes holds 1 number but must hold one per head, 4', { slopes: [1] }],
      ['sinks[0] is Infinity but must be a number below Infinity', { sinks: [Infinity, 0, 0, 0] }],
      [
        'mask has dims 1×5 but must broadcast, aligned to the right, to batch × heads × q_len × k_len = 2×4×1×3',
        { mask: pair(1, 5) },
      ],
    ],
    rule,
  );
  rule('query has dims 1×1×12 but the cache has batch 2', () =>
    cache.attend(tensor(1, 1, 12), { heads: 4 }),
  );
  rule('heads is 2 but query has dims 2×4×1×3: at 4 dimensions the second is heads', () =>
    cache.attend(tensor(2, 4, 1, 3), { heads: 2 }),
  );
  rule('query has dims 2×4×1×2 but the cache has d_k = 3: the last axis of query must be d_k', () =>
    cache.attend(tensor(2, 4, 1, 2)),
  );
  rule('query has 1 dimension (6) but must have from 2 to 4', () => cache.attend(tensor(6)));
  kind(
    `attend() has no option 'cache'; it has heads, kvHeads, ${attentionNames}, weights, scores, logSumExp`,
    () => cache.attend(tensor(2, 1, 12), { cache }),
  );
  kind('query must be a tensor { data, dims }, found undefined', () => cache.attend());

  const slid = new KeyValueCache({ keyDim: 2, capacity: 3, sliding: true });
  slid.append(tensor(5, 2), tensor(5, 2));
  rule('offset is given but the cache supplies its own, 4', () =>
    slid.attend(tensor(1, 2), { offset: 2 }),
  );
  for (const length of [-1, 4, 1.5, NaN]) {
    rule(`length is ${length} but must be a whole number from 0 to 3`, () => cache.rewind(length));
  }
  for (const length of [1, 6]) {
    const fallen = 'but must be a whole number from 2 to 5: older keys have fallen out';
    rule(`length is ${length} ${fallen}`, () => slid.rewind(length));
  }
  kind('length must be a number, found undefined', () => cache.rewind());

  it('is as it was', () => {
    assert.deepEqual([cache.length, slid.length], [3, 5]);
  });
});

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

describe('MultiHeadAttention', () => {
  const square = tensor(6, 6);
  const weights = { query: square, key: square, value: square, output: square };
  const fromWeights = (given) => MultiHeadAttention.fromWeights(weights, given);
  const fromTorch = (given) => MultiHeadAttention.fromTorch(attentionState(), given);

  options(
    fromWeights,
    [
      ['heads is 0 but must be a whole number of at least 1', { heads: 0 }],
      ['heads is NaN but must be a whole number of at least 1', { heads: NaN }],
      ['kvHeads is -1 but must be a whole number of at least 1', { heads: 2, kvHeads: -1 }],
      [
        'heads is 3 but kvHeads is 2: heads must be a multiple of kvHeads',
        { heads: 3, kvHeads: 2 },
      ],
      ['query has dims 6×6 but heads is 4: 6 is not a multiple of it', { heads: 4 }],
    ],
    rule,
  );
  rule(
    'kvHeads is 1 but heads is 2: in_proj_weight holds as many heads of keys as of queries',
    () => fromTorch({ heads: 2, kvHeads: 1 }),
  );
  options(
    fromWeights,
    [
      ["MultiHeadAttention.fromWeights() needs the option 'heads'", undefined],
      ["heads must be a number, found '2'", { heads: '2' }],
      [
        "MultiHeadAttention.fromWeights() has no option 'prefix'; it has heads, kvHeads",
        { heads: 2, prefix: '' },
      ],
    ],
    kind,
  );
  const names = 'query, key, value, output, queryBias, keyBias, valueBias, outputBias';
  const only = (given) => MultiHeadAttention.fromWeights(given, { heads: 2 });
  options(
    only,
    [
      ['the weights of MultiHeadAttention.fromWeights() must be an object, found 1', 1],
      ["MultiHeadAttention.fromWeights() needs the weight 'query'", {}],
      ["MultiHeadAttention.fromWeights() needs the weight 'value'", { ...weights, value: null }],
      [
        `MultiHeadAttention.fromWeights() has no weight 'bias'; it has ${names}`,
        { ...weights, bias: square },
      ],
      [
        'key must be a tensor { data, dims }, found a Float32Array',
        { ...weights, key: square.data },
      ],
      ['keyBias must be a tensor { data, dims }, found true', { ...weights, keyBias: true }],
    ],
    kind,
  );
  options(
    fromTorch,
    [
      ["MultiHeadAttention.fromTorch() needs the option 'heads'", {}],
      ['prefix must be a string, found 1', { heads: 2, prefix: 1 }],
      [
        "MultiHeadAttention.fromTorch() has no option 'bias'; it has heads, kvHeads, prefix",
        { heads: 2, bias: true },
      ],
    ],
    kind,
  );
  const read = (dict, prefix) => () => MultiHeadAttention.fromTorch(dict, { heads: 2, prefix });
  for (const [found, dict] of [
    ['undefined', undefined],
    ['null', null],
    ['an array', []],
    ["'state'", 'state'],
  ]) {
    kind(`stateDict must be an object or a Map of names and tensors, found ${found}`, read(dict));
  }
  kind("out_proj.weight must be a tensor { data, dims }, found 'w'", () =>
    read({ ...attentionState(), 'out_proj.weight': 'w' })(),
  );
  kind(
    'p.in_proj_weight.data must be a Float32Array, Float64Array, Float16Array, Uint16Array or Int8Array, found an Int16Array',
    () => read({ 'p.in_proj_weight': { data: new Int16Array(108), dims: [18, 6] } }, 'p.')(),
  );
  rule('stateDict is empty', read({}));
  rule('stateDict is empty', read(new Map()));
  rule("stateDict has no name that begins with 'layers.'", read(attentionState(), 'layers.'));
  rule("stateDict has no 'in_proj_weight'", read({ 'out_proj.weight': square }));
  rule(
    "stateDict has no 'v_proj_weight'",
    read({ q_proj_weight: square, k_proj_weight: square, 'out_proj.weight': square }),
  );
  rule("stateDict has no 'p.out_proj.weight'", read({ 'p.in_proj_weight': tensor(18, 6) }, 'p.'));
  rule("stateDict has no 'out_proj.weight'", () =>
    read({ ...attentionState(), 'out_proj.weight': undefined })(),
  );
  rule(
    "stateDict has 'in_proj_weight' and 'k_proj_weight', but one replaces the other",
    read({ ...attentionState(), k_proj_weight: square }),
  );
  kind('a MultiHeadAttention is made by MultiHeadAttention.fromWeights() or .fromTorch()', () => {
    new MultiHeadAttention();
  });

  const layer = fromWeights({ heads: 2 });
  const x = tensor(2, 6);
  const own = `${attentionNames}, weights, scores, logSumExp, headOutputs, cache`;
  options(
    (given) => layer.forward(x, undefined, given),
    [
      [`forward() has no option 'heads'; it has ${own}`, { heads: 2 }],
      [`forward() has no option 'kvHeads'; it has ${own}`, { kvHeads: 2 }],
      ['headOutputs must be true or false, found 1', { headOutputs: 1 }],
      ['cache must be a KeyValueCache, found an object', { cache: {} }],
      ['cache must be a KeyValueCache, found an object', { cache: layer }],
      ['cache must be a KeyValueCache, found true', { cache: true }],
      ['the options of forward() must be an object, found null', null],
    ],
    kind,
  );
  kind('x must be a tensor { data, dims }, found undefined', () => layer.forward());
  kind('context must be a tensor { data, dims }, found 7', () => layer.forward(x, 7));
  kind('context must be a tensor { data, dims }, found an object', () => layer.forward(x, layer));
  kind('x must be a tensor { data, dims }, found undefined', () => layer.project());
  kind('context must be a tensor { data, dims }, found true', () => layer.project(x, true));
  kind('context must be a tensor { data, dims }, found undefined', () => layer.projectContext());
  kind("createCache() needs the option 'capacity'", () => layer.createCache());
  kind("createCache() has no option 'keyDim'; it has batch, capacity, sliding", () =>
    layer.createCache({ capacity: 1, keyDim: 1 }),
  );
  rule('capacity is 0 but must be a whole number of at least 1', () =>
    layer.createCache({ capacity: 0 }),
  );
  rule("scores must be 'raw', 'capped', 'biased' or false, found 'all'", () =>
    layer.forward(x, undefined, { scores: 'all' }),
  );
});

describe('Transformer layers', () => {
  const state = ({ decoder = false, context = 6 } = {}) => ({
    ...attentionState('self_attn.'),
    ...(decoder && attentionState('multihead_attn.', context)),
    'linear1.weight': tensor(10, 6),
    'linear2.weight': tensor(6, 10),
    'norm1.weight': tensor(6),
    'norm2.weight': tensor(6),
    ...(decoder && { 'norm3.weight': tensor(6) }),
  });
  const encoder = (more, given) => () =>
    TransformerEncoderLayer.fromTorch({ ...state(), ...more }, { heads: 2, ...given });
  const decoder = (more, given) => () =>
    TransformerDecoderLayer.fromTorch(
      { ...state({ decoder: true }), ...more },
      { heads: 2, ...given },
    );
  const without = (name, { [name]: _, ...rest }) => rest;

  for (const [message, more] of [
    [
      'self_attn.in_proj_weight has 1 dimension (18) but must have 2',
      { 'self_attn.in_proj_weight': tensor(18) },
    ],
    [
      'self_attn.in_proj_weight has dims 15×6 but heads is 2: 5 is not a multiple of it',
      { 'self_attn.in_proj_weight': tensor(15, 6) },
    ],
    [
      'self_attn.out_proj.weight has dims 6×4 but must take heads × d_v = 2 × 3 = 6 numbers',
      { 'self_attn.out_proj.weight': tensor(6, 4) },
    ],
    [
      'self_attn.out_proj.weight has 5 rows but the layer is d_model = 6 wide',
      { 'self_attn.out_proj.weight': tensor(5, 6) },
    ],
    [
      'self_attn.in_proj_bias has dims 6 but must be out = 18',
      { 'self_attn.in_proj_bias': tensor(6) },
    ],
    [
      'linear1.weight has dims 10×5 but must be out × d_model = 10×6',
      { 'linear1.weight': tensor(10, 5) },
    ],
    [
      'linear2.weight has dims 10×6 but must be d_model × the rows of linear1.weight = 6×10',
      { 'linear2.weight': tensor(10, 6) },
    ],
    [
      'linear1.weight has dims 0×6 but no axis may be 0',
      { 'linear1.weight': tensor(0, 6), 'linear2.weight': tensor(6, 0) },
    ],
    ['linear1.weight has 1 dimension (60) but must have 2', { 'linear1.weight': tensor(60) }],
    ['linear1.bias has dims 6 but must be out = 10', { 'linear1.bias': tensor(6) }],
    ['linear2.bias has dims 10 but must be out = 6', { 'linear2.bias': tensor(10) }],
    ['norm1.weight has dims 5 but must be out = 6', { 'norm1.weight': tensor(5) }],
    ['norm2.weight has 2 dimensions (1×6) but must have 1', { 'norm2.weight': tensor(1, 6) }],
    ['norm2.bias has dims 7 but must be out = 6', { 'norm2.bias': tensor(7) }],
  ]) {
    rule(message, encoder(more));
    it(`${message}, in a decoder layer`, () => refuses(decoder(more), RangeError, message));
  }
  for (const [message, more] of [
    [
      'multihead_attn.in_proj_weight has 5 columns but the layer is d_model = 6 wide',
      { 'multihead_attn.in_proj_weight': tensor(18, 5) },
    ],
    [
      'multihead_attn.out_proj.weight has 7 rows but the layer is d_model = 6 wide',
      { 'multihead_attn.out_proj.weight': tensor(7, 6) },
    ],
    [
      'multihead_attn.out_proj.bias has dims 1 but must be out = 6',
      { 'multihead_attn.out_proj.bias': tensor(1) },
    ],
    ['norm3.weight has dims 3 but must be out = 6', { 'norm3.weight': tensor(3) }],
  ]) {
    rule(message, decoder(more));
  }
  rule('self_attn.in_proj_weight has 4 columns but the layer is d_model = 6 wide', () => {
    const own = without('self_attn.in_proj_weight', state());
    TransformerEncoderLayer.fromTorch({ ...own, ...attentionState('self_attn.', 4) }, { heads: 2 });
  });
  rule(
    'norm1.bias is given but an RMS norm has none',
    encoder({ 'norm1.bias': tensor(6) }, { norm: 'rms' }),
  );
  rule(
    'norm3.bias is given but an RMS norm has none',
    decoder({ 'norm3.bias': tensor(6) }, { norm: 'rms' }),
  );
  rule(
    "stateDict has 'self_attn.in_proj_weight' and 'self_attn.q_proj_weight', but one replaces the other",
    encoder({ 'self_attn.q_proj_weight': tensor(6, 6) }),
  );
  options(
    (given) => encoder({}, given)(),
    [
      ['heads is 0 but must be a whole number of at least 1', { heads: 0 }],
      [
        'self_attn.in_proj_weight has dims 18×6 but heads is 4: 6 is not a multiple of it',
        { heads: 4 },
      ],
      ['epsilon is -1 but must be a finite float32 number of at least 0', { epsilon: -1 }],
      ['epsilon is NaN but must be a finite float32 number of at least 0', { epsilon: NaN }],
      ["activation must be 'relu', 'gelu' or 'gelu_tanh', found 'swish'", { activation: 'swish' }],
      ["norm must be 'layer' or 'rms', found 'batch'", { norm: 'batch' }],
    ],
    rule,
  );
  const names = 'heads, prefix, normFirst, activation, norm, epsilon';
  options(
    (given) => decoder({}, given)(),
    [
      ['normFirst must be true or false, found 1', { normFirst: 1 }],
      [
        "activation must be 'relu', 'gelu' or 'gelu_tanh', found a function",
        { activation: () => 1 },
      ],
      ["norm must be 'layer' or 'rms', found true", { norm: true }],
      ["epsilon must be a number, found '1e-5'", { epsilon: '1e-5' }],
      ['prefix must be a string, found an array', { prefix: [] }],
      [
        `TransformerDecoderLayer.fromTorch() has no option 'norm_first'; it has ${names}`,
        { norm_first: true },
      ],
    ],
    kind,
  );
  for (const Layer of [TransformerEncoderLayer, TransformerDecoderLayer]) {
    const { name } = Layer;
    kind(`${name}.fromTorch() needs the option 'heads'`, () => Layer.fromTorch(state()));
    kind('stateDict must be an object or a Map of names and tensors, found undefined', () =>
      Layer.fromTorch(undefined, { heads: 2 }),
    );
    kind(`a ${name} is made by ${name}.fromTorch()`, () => new Layer());
  }

  const x = tensor(2, 4, 6);
  const memory = tensor(2, 5, 9);
  const encodes = encoder({}, {})();
  const decodes = TransformerDecoderLayer.fromTorch(state({ decoder: true, context: 9 }), {
    heads: 2,
  });
  const own = `${attentionNames}, weights, cache`;
  kind('x must be a tensor { data, dims }, found undefined', () => encodes.forward());
  kind('memory must be a tensor { data, dims }, found undefined', () => decodes.forward(x));
  kind('memory must be a tensor { data, dims }, found an object', () =>
    decodes.forward(x, encodes),
  );
  kind('memory must be a tensor { data, dims }, found undefined', () => decodes.projectMemory());
  kind('cache must be a KeyValueCache, found an object', () =>
    encodes.forward(x, { cache: encodes }),
  );
  kind(`forward() has no option 'scores'; it has ${own}`, () =>
    encodes.forward(x, { scores: 'raw' }),
  );
  kind(`forward() has no option 'crossMask'; it has ${own}`, () =>
    encodes.forward(x, { crossMask: pair(4, 4) }),
  );
  kind(`forward() has no option 'heads'; it has ${own}, crossMask, crossKeyLengths`, () =>
    decodes.forward(x, memory, { heads: 2 }),
  );
  kind('crossKeyLengths must be an array of numbers, found 1', () =>
    decodes.forward(x, memory, { crossKeyLengths: 1 }),
  );
  kind('crossMask must be a tensor { data, dims }, found true', () =>
    decodes.forward(x, memory, { crossMask: true }),
  );
  kind("createCache() needs the option 'capacity'", () => encodes.createCache({}));

  rule('x has dims 2×4×5 but the layer takes rows of 6: the last axis must be model_dim', () =>
    encodes.forward(tensor(2, 4, 5)),
  );
  rule('x has 4 dimensions (1×2×4×6) but must have from 2 to 3', () =>
    encodes.forward(tensor(1, 2, 4, 6)),
  );
  rule(
    'memory has dims 2×5×6 but the layer takes rows of 9: the last axis must be context_dim',
    () => decodes.forward(x, tensor(2, 5, 6)),
  );
  rule('memory has dims 5×9 but x has 2×4×6: both must have the same number of dimensions', () =>
    decodes.forward(x, tensor(5, 9)),
  );
  rule('memory has dims 1×5×9 but x has 2×4×6: the first axes must both be batch', () =>
    decodes.forward(x, tensor(1, 5, 9)),
  );
  rule('memory has dims 5×6 but the layer takes rows of 9: the last axis must be context_dim', () =>
    decodes.projectMemory(tensor(5, 6)),
  );
  options(
    (given) => decodes.forward(x, memory, given),
    [
      [
        'crossMask has dims 4×4 but must broadcast, aligned to the right, to batch × heads × q_len × k_len = 2×2×4×5',
        { crossMask: pair(4, 4) },
      ],
      [
        'mask has dims 4×5 but must broadcast, aligned to the right, to batch × heads × q_len × k_len = 2×2×4×4',
        { mask: pair(4, 5) },
      ],
      ['crossKeyLengths[1] is 6 but must be from 0 to k_len = 5', { crossKeyLengths: [5, 6] }],
      [
        'crossKeyLengths holds 1 number but must hold one per batch entry, 2',
        { crossKeyLengths: [5] },
      ],
      ['keyLengths[0] is 5 but must be from 0 to k_len = 4', { keyLengths: [5, 4] }],
      ['slopes holds 1 number but must hold one per head, 2', { slopes: [1] }],
    ],
    rule,
  );
  const suited = decodes.projectMemory(memory);
  const narrow = new KeyValueCache({ batch: 2, kvHeads: 2, keyDim: 2, capacity: 4 });
  const cacheOf = (batch, dim) => `batch ${batch}, kvHeads 2, keyDim ${dim} and valueDim ${dim}`;
  rule(`the cache has ${cacheOf(2, 2)} but must have ${cacheOf(2, 3)}`, () =>
    decodes.forward(x, narrow),
  );
  rule(`the cache has ${cacheOf(2, 3)} but must have ${cacheOf(1, 3)}`, () =>
    decodes.forward(tensor(4, 6), suited),
  );
  const steps = decodes.createCache({ batch: 2, capacity: 5 });
  rule('the cache holds 0 of 5 keys: there is no room for 6 more', () =>
    decodes.forward(tensor(2, 6, 6), suited, { cache: steps }),
  );
  rule('crossKeyLengths[0] is 6 but must be from 0 to k_len = 5', () =>
    decodes.forward(x, suited, { cache: steps, crossKeyLengths: [6, 5] }),
  );
  rule(
    'memory has dims 2×5×6 but the layer takes rows of 9: the last axis must be context_dim',
    () => decodes.forward(x, tensor(2, 5, 6), { cache: steps }),
  );
  it('appends nothing of a call that was refused', () => {
    assert.equal(steps.length, 0);
    assert.equal(suited.length, 5);
  });
});

// Every function that takes options, with some that it takes.
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
    // From here on some options must be there.
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

describe('options of the family', () => {
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

    it(`undefined and null are not given: ${name}`, () => {
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

  it('polluted prototypes do not get into embed() and a state dict', () => {
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

  it('methods work on what they are methods of', () => {
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
