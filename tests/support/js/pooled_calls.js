// Helpers of the pool's tests: large calls and layers, and how their errors are compared with those of plain calls.
import assert from 'node:assert/strict';

import fc from 'fast-check';

import { inNode } from '../../../web/lib/pool/workers.js';
import { makeCall } from './arbitrary_calls.js';
import { attentionTensors, normalTensor, seeded } from './random_tensors.js';

export const SEED = 2017;
export const worthAWorker = inNode.each;
export const COUNTS = [1, 2, 3, 5];

export { range } from './rearrange.js';

/** The outcome of a call: its result or error. */
/** @returns {Promise<Error | undefined>} */
export async function errorOf(call) {
  try {
    await call();
  } catch (error) {
    return /** @type {Error} */ (error);
  }
  return undefined;
}

/**
 * The pool must fail with the same class and message as the call without a pool. It has the option `signal`, and no
 * interventions.
 */
export async function failAlike(pooled, direct) {
  const want = await errorOf(async () => direct());
  if (want?.message.includes('it has')) {
    want.message = `${want.message.replace(', interventions', '')}, signal`;
  }
  assert.ok(want instanceof Error, `without a pool this does not fail: ${direct}`);
  let rejected;
  assert.doesNotThrow(() => (rejected = pooled()), 'an error must be a rejection');
  const got = await errorOf(() => rejected);
  assert.deepEqual(
    { name: got?.name, message: got?.message, isRange: got instanceof RangeError },
    { name: want.name, message: want.message, isRange: want instanceof RangeError },
  );
}

/** Resolves when `condition` holds; fails after two minutes. */
export async function until(condition, what) {
  for (let wait = 0; wait < 12_000; wait++) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.fail(`still waiting until ${what}`);
}

// 8 heads × 192 queries × 192 keys × 2 · 32: just enough for three workers.
export const bigLayout = { heads: 8, qLen: 192, kLen: 192, keyDim: 32, valueDim: 32 };
export const big = (seed = 'big', more = {}) =>
  attentionTensors(seeded(seed), { ...bigLayout, ...more });
export const workOf = ({ batch = 1, heads = 1, qLen, kLen, keyDim, valueDim }) =>
  batch * heads * qLen * kLen * (keyDim + valueDim);

/** Calls of 1 to 8 times the minimum work for a worker. */
export const arbitraryBigCall = fc
  .record({
    seed: fc.integer({ min: 0, max: 1e6 }),
    rank: fc.constantFrom(2, 3, 4),
    batch: fc.integer({ min: 1, max: 3 }),
    kvHeads: fc.integer({ min: 1, max: 3 }),
    group: fc.integer({ min: 1, max: 3 }),
    qLen: fc.constantFrom(1, 7, 60, 64, 65, 130, 200, 333),
    kLen: fc.constantFrom(1, 33, 64, 65, 129, 200, 400, 1000),
    keyDim: fc.constantFrom(3, 16, 33, 64),
    valueDim: fc.constantFrom(1, 16, 40, 64),
    spread: fc.constantFrom(1, 1, 4),
    options: fc.subarray([
      'scale',
      'softcap',
      'causal',
      'window',
      'keyLengths',
      'slopes',
      'sinks',
      'offset',
    ]),
    mask: fc.constantFrom('none', 'boolean', 'additive'),
    maskAxes: fc.integer({ min: 0, max: 15 }),
    maskRank: fc.integer({ min: 1, max: 4 }),
    weights: fc.constantFrom(undefined, false, true, 'average'),
    scores: fc.constantFrom(undefined, false, 'raw', 'capped', 'biased'),
    logSumExp: fc.boolean(),
  })
  .map((call) => ({ ...call, batch: call.rank === 2 ? 1 : call.batch }))
  .filter((call) => {
    const work = workOf({ ...call, heads: call.kvHeads * call.group });
    return work >= worthAWorker && work <= 8 * worthAWorker;
  });

/** The call of a description, with masks of any allowed rank. */
export function makeBigCall(described) {
  const { maskRank, weights, scores, logSumExp } = described;
  const { query, key, value, options } = makeCall(described);
  // An offset has no effect without a positional option.
  if (!options.causal && !options.window && !options.slopes) delete options.offset;
  if (options.mask) {
    const { data, dims } = options.mask;
    const shown = dims.findIndex((size) => size > 1);
    const leading = Math.min(4 - maskRank, shown < 0 ? 3 : shown);
    options.mask = { data, dims: dims.slice(leading) };
  }
  return { query, key, value, options: { ...options, weights, scores, logSumExp } };
}

export const layerWidth = 72;

/** Weights of 6 heads over 3, keys 16 wide and values 8; work for workers from about 320 rows on. */
export function layerWeights(random, { contextWidth = layerWidth, out = 80, biases = true } = {}) {
  const put = (...dims) => normalTensor(random, dims, dims[0] ** -0.5);
  const weights = {
    query: put(layerWidth, 96),
    key: put(contextWidth, 48),
    value: put(contextWidth, 24),
  };
  if (out) weights.output = put(48, out);
  if (biases) {
    Object.assign(weights, { queryBias: put(96), keyBias: put(48), valueBias: put(24) });
    if (out) weights.outputBias = put(out);
  }
  return weights;
}

/** nn.MultiheadAttention of 6 heads over 72 numbers. */
export function torchState(
  random,
  { separate = false, bias = true, contextWidth = 72, prefix = '' } = {},
) {
  const state = {};
  const put = (name, ...dims) => (state[prefix + name] = normalTensor(random, dims, 0.1));
  if (separate) {
    put('q_proj_weight', 72, 72);
    put('k_proj_weight', 72, contextWidth);
    put('v_proj_weight', 72, contextWidth);
  } else put('in_proj_weight', 216, 72);
  if (bias) put('in_proj_bias', 216);
  put('out_proj.weight', 72, 72);
  if (bias) put('out_proj.bias', 72);
  return state;
}

export const perHead = { slopes: [0.5, 0, 0.25, 1, -0.5, 2], sinks: [0, 1, 2, -1, -2, 3] };

export const transformerWidth = 96;

/** The state dict of a Transformer layer of 6 heads; work for workers from about 190 rows on. */
export function transformerState(
  random,
  {
    decoder = false,
    memoryWidth = transformerWidth,
    biases = true,
    norm = 'layer',
    prefix = '',
  } = {},
) {
  const [width, wide] = [transformerWidth, 200];
  const state = {};
  const put = (name, dims, center = 0) => {
    const { data } = normalTensor(random, dims, dims.length === 2 ? dims[1] ** -0.5 : 0.25);
    state[prefix + name] = { dims, data: data.map((number) => number + center) };
  };
  const bias = (name, size) => biases && put(name, [size]);
  const attention = (part, context) => {
    if (context === width) put(`${part}.in_proj_weight`, [3 * width, width]);
    else {
      put(`${part}.q_proj_weight`, [width, width]);
      put(`${part}.k_proj_weight`, [width, context]);
      put(`${part}.v_proj_weight`, [width, context]);
    }
    bias(`${part}.in_proj_bias`, 3 * width);
    put(`${part}.out_proj.weight`, [width, width]);
    bias(`${part}.out_proj.bias`, width);
  };
  attention('self_attn', width);
  if (decoder) attention('multihead_attn', memoryWidth);
  put('linear1.weight', [wide, width]);
  bias('linear1.bias', wide);
  put('linear2.weight', [width, wide]);
  bias('linear2.bias', width);
  for (let n = 1; n <= (decoder ? 3 : 2); n++) {
    put(`norm${n}.weight`, [width], 1);
    if (norm === 'layer') bias(`norm${n}.bias`, width);
  }
  return state;
}

/** A layer of a pool or of the library. */
export const makeTransformer = (
  api,
  state,
  /** @type {{ decoder?: boolean }} */ { decoder, ...options } = {},
) =>
  api[decoder ? 'TransformerDecoderLayer' : 'TransformerEncoderLayer'].fromTorch(state, {
    heads: 6,
    ...options,
  });
