// attention-wasm/pool in Node: the bits of attention() and of the layer for any number of workers, and
// what becomes of calls, workers and processes when something is closed, dies or is forgotten.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';

import { loadAttention } from 'attention-wasm';
import { loadAttentionPool } from 'attention-wasm/pool';
import fc from 'fast-check';

import { inNode, inPages } from '../../../web/lib/pool/worth_a_worker.js';
import { Workers } from '../../../web/lib/pool/workers.js';
import { makeCall } from '../../support/js/arbitrary_calls.js';
import { run } from '../../support/js/package.js';
import {
  additiveMask,
  attentionTensors,
  booleanMask,
  normalTensor,
  seeded,
} from '../../support/js/random_tensors.js';
import { filled } from '../../support/js/rearrange.js';
import { same, watchedPool, workerFile } from '../../support/js/watched_pool.js';

const SEED = 2017;
const worthAWorker = inNode.each;
const COUNTS = [1, 2, 3, 5];

const range = (from, to) => Array.from({ length: to - from }, (_, at) => from + at);

/** How a call ended: with its error, if it failed. */
async function errorOf(call) {
  try {
    await call();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** The pool must fail with the class and the sentence of the same call without a pool; its options are one more. */
async function failAlike(pooled, direct) {
  const want = await errorOf(async () => direct());
  if (want?.message.includes('it has')) want.message += ', signal';
  assert.ok(want instanceof Error, `without a pool this does not fail: ${direct}`);
  let rejected;
  assert.doesNotThrow(() => (rejected = pooled()), 'an error must be a rejection');
  const got = await errorOf(() => rejected);
  assert.deepEqual(
    { name: got?.name, message: got?.message, isRange: got instanceof RangeError },
    { name: want.name, message: want.message, isRange: want instanceof RangeError },
  );
}

/** Resolves when `condition` holds; fails after five seconds. */
async function until(condition, what) {
  for (let wait = 0; wait < 500; wait++) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.fail(`still waiting until ${what}`);
}

// 8 heads × 192 queries × 192 keys × 2 · 32: just enough for three workers.
const bigLayout = { heads: 8, qLen: 192, kLen: 192, keyDim: 32, valueDim: 32 };
const big = (seed = 'big', more = {}) => attentionTensors(seeded(seed), { ...bigLayout, ...more });
const workOf = ({ batch = 1, heads = 1, qLen, kLen, keyDim, valueDim }) =>
  batch * heads * qLen * kLen * (keyDim + valueDim);

/** Calls of 1 to 8 times the work that one worker is woken for. */
const arbitraryBigCall = fc
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

/** The call that a description stands for, masks of any rank that their axes allow. */
function makeBigCall(described) {
  const { maskRank, weights, scores, logSumExp } = described;
  const { query, key, value, options } = makeCall(described);
  // An offset says nothing without something that looks at positions.
  if (!options.causal && !options.window && !options.slopes) delete options.offset;
  if (options.mask) {
    const { data, dims } = options.mask;
    const shown = dims.findIndex((size) => size > 1);
    const leading = Math.min(4 - maskRank, shown < 0 ? 3 : shown);
    options.mask = { data, dims: dims.slice(leading) };
  }
  return { query, key, value, options: { ...options, weights, scores, logSumExp } };
}

describe('the pool computes the bits of attention()', async () => {
  const { attention } = await loadAttention();
  const pools = await Promise.all(COUNTS.map((workers) => loadAttentionPool({ workers })));
  after(() => Promise.all(pools.map((pool) => pool.close())));

  const check = async (query, key, value, options, label) => {
    const want = attention(query, key, value, options);
    for (const pool of pools) {
      const got = await pool.attention(query, key, value, options);
      same(got, want, `${label ?? ''} with ${pool.workers} workers`);
    }
  };

  it('for any call', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryBigCall, async (described) => {
        const { query, key, value, options } = makeBigCall(described);
        await check(query, key, value, options);
      }),
      { seed: SEED, numRuns: 60 },
    );
  });

  const { query, key, value } = big();
  const [batch, heads, qLen, kLen] = [2, 4, 150, 160];
  const sizes = { batch, heads, qLen, kLen, keyDim: 32, valueDim: 24 };
  const full = [batch, heads, qLen, kLen];

  for (const rank of [2, 3, 4]) {
    const layout = { ...sizes, rank, ...(rank === 2 && { batch: 1, heads: 8 }) };
    const entries = rank === 2 ? 1 : 2;
    const cases = {
      'nothing else': {},
      causal: { causal: true, offset: 0 },
      'causal and an offset': { causal: true, offset: 10 },
      'causal and a negative offset': { causal: true, offset: -40 },
      'causal and an offset for each entry': { causal: true, offset: [10, -3].slice(0, entries) },
      'a window': { window: [30, 20], offset: 5 },
      'a window of one side': { window: [null, 0], offset: 5 },
      'a window and causal': { window: [40, null], causal: true, offset: 10 },
      'lengths of keys': { keyLengths: [111, 160].slice(0, entries) },
      'no keys in one entry': { keyLengths: [160, 0].slice(0, entries) },
      'a soft cap and a scale': { softcap: 3, scale: 0.5 },
    };
    for (const [name, options] of Object.entries(cases)) {
      it(`at rank ${rank} with ${name}`, async () => {
        const tensors = attentionTensors(seeded(`${rank} ${name}`), layout);
        const named = rank === 4 ? options : { ...options, heads: layout.heads };
        for (const more of [
          {},
          { weights: true, scores: 'raw', logSumExp: true },
          { weights: 'average', scores: 'capped' },
          { scores: 'biased' },
        ]) {
          await check(tensors.query, tensors.key, tensors.value, { ...named, ...more });
        }
      });
    }
  }

  it('with grouped heads, slopes and sinks', async () => {
    for (const kvHeads of [1, 2, 4]) {
      const grouped = attentionTensors(seeded(`grouped ${kvHeads}`), { ...sizes, kvHeads });
      const slopes = { slopes: [0.5, 0.25, 0, -0.125], offset: 10 };
      const perHead = { ...slopes, sinks: [0, 1, -1, 3] };
      for (const options of [{}, perHead, { ...perHead, causal: true, weights: 'average' }]) {
        await check(grouped.query, grouped.key, grouped.value, options);
      }
      const sideBySide = attentionTensors(seeded(`${kvHeads}`), { ...sizes, kvHeads, rank: 3 });
      const options = { heads, kvHeads, ...perHead, weights: true };
      await check(sideBySide.query, sideBySide.key, sideBySide.value, options);
    }
  });

  it('without heads named, at rank 2 and 3', async () => {
    for (const rank of [2, 3]) {
      const layout = { rank, batch: rank - 1, heads: 1, qLen: 300, kLen: 300 };
      const one = attentionTensors(seeded(`one ${rank}`), { ...layout, keyDim: 64, valueDim: 64 });
      for (const options of [
        { weights: true, scores: 'raw', logSumExp: true, causal: true },
        { weights: 'average' },
        { slopes: [0.5], sinks: [1] },
      ]) {
        await check(one.query, one.key, one.value, options);
      }
    }
  });

  it('with masks of both kinds in every form', async () => {
    const random = seeded('masks');
    const tensors = attentionTensors(random, sizes);
    for (let axes = 0; axes < 16; axes++) {
      const dims = full.map((size, axis) => ((axes >> axis) & 1 ? size : 1));
      for (const make of [booleanMask, additiveMask]) {
        for (let leading = 0; leading < 4; leading++) {
          if (dims.slice(0, leading).some((size) => size > 1)) continue;
          const mask = make(random, dims.slice(leading));
          const label = `[${mask.dims}]`;
          await check(tensors.query, tensors.key, tensors.value, { mask }, label);
          const options = { mask, causal: true, offset: 3 };
          await check(tensors.query, tensors.key, tensors.value, options, `causal ${label}`);
        }
      }
    }
  });

  it('of 16-bit numbers and float64', async () => {
    const halves = (type, tensor) => ({
      type,
      dims: tensor.dims,
      // Any finite bits: signs and fractions as they come, moderate exponents.
      data: Uint16Array.from(tensor.data, (number, at) => {
        const [exponent, width] = type === 'float16' ? [14, 10] : [126, 7];
        return (number < 0 ? 0x8000 : 0) | (exponent << width) | ((at * 37) % 2 ** width);
      }),
    });
    for (const type of ['float16', 'bfloat16']) {
      const [q, k, v] = [query, key, value].map((tensor) => halves(type, tensor));
      await check(q, k, v, { weights: true });
      await check(q, key, v, { causal: true });
    }
    const wide = ({ data, dims }) => ({ data: Float64Array.from(data, (n) => n + 1e-9), dims });
    await check(wide(query), wide(key), wide(value), { causal: true });
    await check(query, wide(key), value);
  });

  it('of parts of larger arrays, of shared memory, and of arrays that are more than they seem', async () => {
    const part = ({ data, dims }) => {
      const larger = new Float32Array(data.length + 13);
      larger.set(data, 7);
      return { data: larger.subarray(7, 7 + data.length), dims };
    };
    await check(part(query), part(key), part(value), { causal: true });

    const shared = ({ data, dims }) => {
      const copy = new Float32Array(new SharedArrayBuffer(data.byteLength));
      copy.set(data);
      return { data: copy, dims };
    };
    await check(shared(query), shared(key), shared(value), { causal: true });

    class Labelled extends Float32Array {
      constructor(label, data) {
        super(data);
        this.label = label;
      }
    }
    const labelled = ({ data, dims }) => ({ data: new Labelled('numbers', data), dims });
    await check(labelled(query), labelled(key), labelled(value));

    const mask = booleanMask(seeded('buffer'), [192, 192]);
    mask.data = Buffer.from(mask.data);
    await check(query, key, value, { mask });
  });

  it('of tensors without numbers', async () => {
    const empty = (layout) => attentionTensors(seeded('empty'), { ...bigLayout, ...layout });
    for (const layout of [{ kLen: 0 }, { qLen: 0 }, { batch: 0 }, { kLen: 0, heads: 512 }]) {
      const tensors = empty(layout);
      const options = { weights: true, scores: 'biased', logSumExp: true };
      await check(tensors.query, tensors.key, tensors.value, options, JSON.stringify(layout));
      await check(tensors.query, tensors.key, tensors.value, { causal: true, offset: 0 });
    }
  });

  it('whatever keys that nobody sees hold', async () => {
    const poisoned = (tensor) =>
      filled(
        tensor,
        range(0, 8).flatMap((head) => range(100, 192).map((at) => [0, head, at])),
        NaN,
      );
    const [k, v] = [poisoned(key), poisoned(value)];
    const hidden = booleanMask(seeded('poison'), [1, 192], 1);
    hidden.data.fill(0, 100);
    for (const options of [
      { keyLengths: [100] },
      { mask: hidden },
      { causal: true, offset: -92 },
    ]) {
      const want = attention(query, key, value, options);
      for (const pool of pools) {
        const got = await pool.attention(query, k, v, options);
        same(got, want, `${Object.keys(options)} with ${pool.workers} workers`);
        assert.ok(got.output.data.every((number) => !Number.isNaN(number)));
      }
    }
    // Where they are seen, they are seen by the same rows.
    await check(query, k, v, { causal: true, weights: true });
    const nanQuery = filled(query, [[0, 3, 70]], NaN);
    await check(nanQuery, key, value, { weights: 'average' });
  });

  it('with the reference kernels', async () => {
    const options = { kernels: 'reference' };
    const reference = await loadAttention(options);
    const pool = await loadAttentionPool({ ...options, workers: 2 });
    assert.equal(pool.kernels, 'reference');
    const asked = { causal: true, weights: true };
    const got = await pool.attention(query, key, value, asked);
    same(got, reference.attention(query, key, value, asked));
    await pool.close();
  });
});

describe('the pool and the arguments of a call', () => {
  const small = { data: Float32Array.from([1, 0, 0, 1]), dims: [2, 2] };

  it('starts no worker before there is work for one, and no more than there is work for', async () => {
    const { attention } = await loadAttention();
    const { pool, made } = await watchedPool({ workers: 3 });
    same(await pool.attention(small, small, small), attention(small, small, small));
    const layer = pool.MultiHeadAttention.fromWeights(
      { query: small, key: small, value: small },
      { heads: 1 },
    );
    await layer.forward(small);
    layer.delete();
    assert.equal(made.length, 0);

    // Just below the work that is sent, that of three workers, and above it.
    for (const [count, started] of [
      [1.9, 0],
      [2.99, 2],
      [9.01, 3],
    ]) {
      const qLen = Math.floor((count * worthAWorker) / (200 * 128));
      const sizes = { qLen, kLen: 200, keyDim: 64, valueDim: 64 };
      assert.equal(Math.floor(workOf(sizes) / worthAWorker), Math.floor(count));
      const { query, key, value } = attentionTensors(seeded(`lazy ${count}`), sizes);
      same(await pool.attention(query, key, value), attention(query, key, value));
      assert.equal(made.length, started);
    }
    await pool.close();
  });

  it('reads and copies them before it returns, and takes none away', async () => {
    const { attention, MultiHeadAttention } = await loadAttention();
    const { pool, made } = await watchedPool({ workers: 3 });
    const wreck = ({ query, key, value, options }) => {
      for (const { data, dims } of [query, key, value, options.mask]) {
        data.fill(1);
        dims[0] = -5;
      }
      options.slopes.fill(7);
      options.keyLengths[0] = 1;
      options.offset[0] = 3;
      options.window[0] = 0;
      options.causal = true;
      options.weights = false;
    };
    const make = () => ({
      ...big('changed'),
      options: {
        offset: [2],
        window: [190, 190],
        keyLengths: [180],
        slopes: Array(8).fill(0.25),
        mask: booleanMask(seeded('changed'), [8, 192, 192], 0.9),
        weights: true,
      },
    });
    // Twice: workers that start and workers that are there.
    for (let round = 0; round < 2; round++) {
      const call = make();
      const { query, key, value, options } = call;
      const want = attention(query, key, value, options);
      const promise = pool.attention(query, key, value, options);
      wreck(call);
      same(await promise, want);
      for (const tensor of [query, key, value, options.mask]) assert.ok(tensor.data.length > 0);
    }
    assert.equal(made.length, 3);

    const random = seeded('changed layer');
    const weights = layerWeights(random);
    const sizes = { heads: 6, kvHeads: 3 };
    const direct = MultiHeadAttention.fromWeights(weights, sizes);
    const layer = pool.MultiHeadAttention.fromWeights(weights, sizes);
    const want = [];
    const promises = [];
    for (let round = 0; round < 2; round++) {
      const x = normalTensor(random, [400, layerWidth]);
      const context = normalTensor(random, [300, layerWidth]);
      const options = {
        mask: booleanMask(random, [6, 400, 300], 0.9),
        slopes: [1, 0, 0, 1, 2, 1],
        offset: 0,
        scores: 'biased',
      };
      want.push(direct.forward(x, context, options));
      promises.push(layer.forward(x, context, options));
      for (const { data, dims } of [x, context, options.mask]) {
        data.fill(1);
        dims[0] = -5;
        assert.ok(data.length > 0);
      }
      options.slopes.fill(9);
      if (round === 0) for (const { data } of Object.values(weights)) data.fill(0);
    }
    for (const [at, promise] of promises.entries()) same(await promise, want[at]);
    layer.delete();
    direct.delete();
    await pool.close();
  });

  it('gives results that can be written to and handed over', async () => {
    const { pool } = await watchedPool();
    const { query, key, value } = big();
    const { output, weights } = await pool.attention(query, key, value, { weights: true });
    for (const { data } of [output, weights]) {
      data.fill(0);
      assert.equal(data.byteLength, data.buffer.byteLength);
      structuredClone(data, { transfer: [data.buffer] });
      assert.equal(data.length, 0);
    }
    await pool.close();
  });

  it('rejects with the error that attention() throws', async () => {
    const { attention } = await loadAttention();
    const { pool, made } = await watchedPool();
    const { query, key, value } = big();
    const gone = { data: new Float32Array(4), dims: [2, 2] };
    structuredClone(gone.data, { transfer: [gone.data.buffer] });
    const calls = [
      [],
      [small],
      [small, small, new Float32Array(4)],
      [small, small, gone],
      [query, key, small],
      [query, small, value],
      [{ ...query, dims: [1, 8, 192, 33] }, key, value],
      [{ ...query, dims: [1, 8, 192, '32'] }, key, value],
      [{ data: new Uint16Array(4), dims: [2, 2] }, small, small],
      [query, key, value, null],
      [query, key, value, 'causal'],
      [query, key, value, { casual: true }],
      [query, key, value, { causal: 1 }],
      [query, key, value, { scale: NaN }],
      [query, key, value, { softcap: -1 }],
      [query, key, value, { heads: 3 }],
      [query, key, value, { offset: 1.5, causal: true }],
      [query, key, value, { offset: [1, 2], causal: true }],
      [query, key, value, { window: [1] }],
      [query, key, value, { window: [-1, 2] }],
      [query, key, value, { keyLengths: [193] }],
      [query, key, value, { slopes: [1] }],
      [query, key, value, { sinks: Array(9).fill(0) }],
      [query, key, value, { mask: booleanMask(seeded(1), [3, 192, 192]) }],
      [query, key, value, { mask: { data: new Uint8Array(1), dims: [] } }],
      [query, key, value, { weights: 'mean' }],
      [query, key, value, { scores: 'final' }],
      [query, key, value, { logSumExp: 'yes' }],
    ];
    for (const args of calls) {
      await failAlike(
        () => pool.attention(...args),
        () => attention(...args),
      );
    }
    assert.equal(made.length, 0, 'no worker is woken for a call that is refused');
    await pool.close();
  });

  it('computes many calls at once', async () => {
    const { attention } = await loadAttention();
    const { pool, made } = await watchedPool({ workers: 3 });
    const calls = range(0, 24).map((at) => {
      const { query, key, value } =
        at % 5
          ? big(`many ${at}`)
          : attentionTensors(seeded(at), {
              qLen: 3,
              kLen: 4,
              keyDim: 2,
              valueDim: 2,
            });
      const options = {
        causal: at % 2 === 0,
        offset: at % 2 ? undefined : 0,
        weights: at % 3 === 0,
      };
      return [query, key, value, options];
    });
    const want = calls.map((args) => attention(...args));
    const got = await Promise.all(calls.map((args) => pool.attention(...args)));
    got.forEach((results, at) => same(results, want[at], `call ${at}`));
    assert.equal(made.length, 3);
    await pool.close();
  });
});

const layerWidth = 72;

/** Weights of 6 heads over 3, keys 16 wide and values 8; work for workers from about 320 rows on. */
function layerWeights(random, { contextWidth = layerWidth, out = 80, biases = true } = {}) {
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
function torchState(
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

const perHead = { slopes: [0.5, 0, 0.25, 1, -0.5, 2], sinks: [0, 1, 2, -1, -2, 3] };

describe('the MultiHeadAttention of the pool has the bits of the layer', async () => {
  const { MultiHeadAttention } = await loadAttention();
  const pools = await Promise.all(COUNTS.map((workers) => loadAttentionPool({ workers })));
  after(() => Promise.all(pools.map((pool) => pool.close())));

  /** make: a layer of the class given; calls: the arguments of forward(). */
  const check = async (make, calls) => {
    const direct = make(MultiHeadAttention);
    const want = calls.map((args) => direct.forward(...args));
    for (const pool of pools) {
      const layer = make(pool.MultiHeadAttention);
      for (const name of ['heads', 'kvHeads', 'keyDim', 'valueDim', 'modelDim']) {
        assert.equal(layer[name], direct[name], name);
      }
      for (const [at, args] of calls.entries()) {
        same(await layer.forward(...args), want[at], `call ${at} with ${pool.workers} workers`);
      }
      layer.delete();
    }
    direct.delete();
  };

  const random = seeded('pooled layers');
  const sizes = { heads: 6, kvHeads: 3 };
  const x = normalTensor(random, [350, layerWidth]);
  const batched = normalTensor(random, [2, 260, layerWidth]);
  const asked = { weights: true, scores: 'biased', logSumExp: true, headOutputs: true };

  it('of weights with and without biases, with and without an output', async () => {
    for (const biases of [true, false]) {
      for (const out of [80, 0]) {
        const weights = layerWeights(random, { biases, out });
        const make = (Layer) => Layer.fromWeights(weights, sizes);
        await check(make, [
          [x],
          [x, null, asked],
          [x, x, { weights: 'average', causal: true }],
          [batched, undefined, { ...asked, scores: 'raw' }],
          [batched, batched, { weights: 'average', scores: 'capped', softcap: 2 }],
          [normalTensor(random, [3, layerWidth]), null, asked],
        ]);
      }
    }
  });

  it('of state dicts, stacked and separate', async () => {
    for (const separate of [false, true]) {
      for (const bias of [false, true]) {
        const prefix = separate ? 'layer.' : '';
        const state = torchState(random, { separate, bias, prefix });
        const make = (Layer) => Layer.fromTorch(state, { heads: 6, prefix });
        await check(make, [[x], [batched, null, { ...asked, causal: true }]]);
      }
    }
    const state = torchState(random, { separate: true, contextWidth: 40 });
    const make = (Layer) => Layer.fromTorch(state, { heads: 6 });
    await check(make, [[x, normalTensor(random, [400, 40]), asked]]);
  });

  it('with a context, of any length', async () => {
    const weights = layerWeights(random, { contextWidth: 40 });
    const make = (Layer) => Layer.fromWeights(weights, sizes);
    const context = (...dims) => normalTensor(random, [...dims, 40]);
    await check(make, [
      [x, context(500), asked],
      [x, context(1)],
      [x, context(0), { logSumExp: true }],
      [batched, context(2, 300), { ...asked, keyLengths: [300, 0] }],
    ]);
  });

  it('with every option', async () => {
    const weights = layerWeights(random);
    const make = (Layer) => Layer.fromWeights(weights, sizes);
    const kLen = 200;
    const context = normalTensor(random, [2, kLen, layerWidth]);
    const full = [2, 6, 260, kLen];
    const masks = range(0, 16).flatMap((axes) => {
      const dims = full.map((size, axis) => ((axes >> axis) & 1 ? size : 1));
      const shown = Math.min(3, dims.findIndex((size) => size > 1) & 3);
      return [booleanMask(random, dims, 0.8), additiveMask(random, dims.slice(shown), 0.2)];
    });
    const at = { offset: -20 };
    await check(make, [
      [batched, context, { causal: true, ...at, ...asked }],
      [batched, context, { causal: true, offset: [-20, 4], weights: 'average' }],
      [batched, context, { window: [10, 40], ...at, scores: 'raw' }],
      [batched, context, { ...perHead, ...at, ...asked }],
      [batched, context, { scale: 0.3, softcap: 1.5, ...asked, scores: 'capped' }],
      [batched, context, { keyLengths: [100, 31], weights: 'average' }],
      ...masks.map((mask) => [batched, context, { mask, weights: true }]),
      [batched, context, { mask: masks[30], ...perHead, causal: true, ...at, ...asked }],
    ]);
    const mask = booleanMask(random, [6, 350, 350], 0.7);
    await check(make, [[x, x, { mask, ...perHead, ...asked }]]);
  });

  it('of one head, and of heads of their own', async () => {
    const put = (...dims) => normalTensor(random, dims, dims[0] ** -0.5);
    for (const heads of [1, 7]) {
      const width = 84;
      const weights = {
        query: put(layerWidth, width),
        key: put(layerWidth, width),
        value: put(layerWidth, width),
        output: put(width, 90),
      };
      const make = (Layer) => Layer.fromWeights(weights, { heads });
      await check(make, [
        [x, null, asked],
        [batched, null, { weights: 'average' }],
      ]);
    }
  });

  it('of 16-bit numbers and float64', async () => {
    const half = ({ dims, data }) => ({
      dims,
      type: 'bfloat16',
      data: Uint16Array.from(new Uint32Array(Float32Array.from(data).buffer), (bits) => bits >> 16),
    });
    const wide = ({ dims, data }) => ({ dims, data: Float64Array.from(data, (n) => n + 1e-9) });
    for (const convert of [half, wide]) {
      const weights = Object.fromEntries(
        Object.entries(layerWeights(random)).map(([name, tensor]) => [name, convert(tensor)]),
      );
      await check(
        (Layer) => Layer.fromWeights(weights, sizes),
        [
          [convert(x), x],
          [x, convert(x)],
        ],
      );
      const state = Object.fromEntries(
        Object.entries(torchState(random)).map(([name, tensor]) => [name, convert(tensor)]),
      );
      await check(
        (Layer) => Layer.fromTorch(state, { heads: 6 }),
        [[convert(batched), null, asked]],
      );
    }
  });

  it('in many calls at once, of several layers', async () => {
    const all = [layerWeights(random), layerWeights(random, { biases: false })];
    const direct = all.map((weights) => MultiHeadAttention.fromWeights(weights, sizes));
    const inputs = range(0, 6).map(() => normalTensor(random, [350, layerWidth]));
    for (const pool of pools) {
      const layers = all.map((weights) => pool.MultiHeadAttention.fromWeights(weights, sizes));
      const got = await Promise.all(inputs.map((input, at) => layers[at % 2].forward(input)));
      got.forEach((result, at) => same(result, direct[at % 2].forward(inputs[at])));
      for (const layer of layers) layer.delete();
    }
  });

  it('and its errors, as rejections', async () => {
    const weights = layerWeights(random);
    const [pool] = pools;
    const made = [MultiHeadAttention, pool.MultiHeadAttention];
    for (const args of [
      [weights],
      [weights, { heads: 4 }],
      [{ ...weights, key: undefined }, sizes],
      [{ ...weights, keys: weights.key }, sizes],
      [{ ...weights, queryBias: weights.key }, sizes],
    ]) {
      const [want, got] = await Promise.all(
        made.map((Layer) => errorOf(async () => Layer.fromWeights(...args))),
      );
      assert.ok(want);
      assert.deepEqual([got.name, got.message], [want.name, want.message]);
    }
    for (const args of [
      [{ 'out_proj.weight': x }, { heads: 2 }],
      [{ ...torchState(random), bias_k: x }, { heads: 6 }],
    ]) {
      const [want, got] = await Promise.all(
        made.map((Layer) => errorOf(async () => Layer.fromTorch(...args))),
      );
      assert.ok(want);
      assert.deepEqual([got.name, got.message], [want.name, want.message]);
    }
    assert.throws(() => new pool.MultiHeadAttention(), {
      name: 'TypeError',
      message: 'a MultiHeadAttention is made by MultiHeadAttention.fromWeights() or .fromTorch()',
    });

    const [direct, layer] = made.map((Layer) => Layer.fromWeights(weights, sizes));
    for (const args of [
      [],
      [x.data],
      [normalTensor(random, [350, 5])],
      [x, batched],
      [x, 5],
      [x, null, { slopes: [1] }],
      [x, null, { causal: true, offset: [1, 2] }],
      [x, null, { weights: 'mean' }],
      [x, null, { headOutputs: 1 }],
      [x, null, { mask: booleanMask(random, [7, 350, 350]) }],
    ]) {
      await failAlike(
        () => layer.forward(...args),
        () => direct.forward(...args),
      );
    }
    // A cache lives in one module.
    const cache = direct.createCache({ capacity: 4 });
    await assert.rejects(layer.forward(x, null, { cache }), {
      name: 'TypeError',
      message: /^forward\(\) has no option 'cache'; it has /,
    });
    await assert.rejects(layer.forward(x, cache), TypeError);
    for (const object of [cache, direct, layer]) object.delete();
  });
});

const transformerWidth = 96;

/** The state dict of a Transformer layer of 6 heads; work for workers from about 190 rows on. */
function transformerState(
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
  const put = (name, dims, centre = 0) => {
    const { data } = normalTensor(random, dims, dims.length === 2 ? dims[1] ** -0.5 : 0.25);
    state[prefix + name] = { dims, data: data.map((number) => number + centre) };
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
const makeTransformer = (api, state, { decoder, ...options } = {}) =>
  api[decoder ? 'TransformerDecoderLayer' : 'TransformerEncoderLayer'].fromTorch(state, {
    heads: 6,
    ...options,
  });

describe('the Transformer layers of the pool have the bits of the layers', async () => {
  const api = await loadAttention();
  const pools = await Promise.all(COUNTS.map((workers) => loadAttentionPool({ workers })));
  after(() => Promise.all(pools.map((pool) => pool.close())));

  /** calls: the arguments of forward(). */
  const check = async (state, options, calls) => {
    const direct = makeTransformer(api, state, options);
    const want = calls.map((args) => direct.forward(...args));
    for (const pool of pools) {
      const layer = makeTransformer(pool, state, options);
      for (const name of ['heads', 'keyDim', 'modelDim']) {
        assert.equal(layer[name], direct[name], name);
      }
      for (const [at, args] of calls.entries()) {
        same(await layer.forward(...args), want[at], `call ${at} with ${pool.workers} workers`);
      }
      layer.delete();
    }
    direct.delete();
  };

  const random = seeded('pooled transformer layers');
  const sequence = (...dims) => normalTensor(random, [...dims, transformerWidth]);
  const x = sequence(397);
  const batched = sequence(3, 150);
  const even = sequence(10, 61);
  const memory = sequence(83);
  const memories = sequence(3, 170);
  const shapes = [x, batched, even, sequence(2, 203), sequence(90), sequence(3), sequence(0)];
  const asked = { weights: true };
  const averaged = { weights: 'average' };

  const variants = [
    {},
    { normFirst: true, activation: 'gelu' },
    { normFirst: true, norm: 'rms', activation: 'gelu_tanh', epsilon: 0.125 },
    { norm: 'rms', biases: false },
  ];
  for (const { biases, ...options } of variants) {
    it(`of any shape: ${JSON.stringify({ biases, ...options })}`, async () => {
      const state = transformerState(random, { biases, norm: options.norm });
      await check(
        state,
        options,
        shapes.flatMap((one) => [[one], [one, asked], [one, { causal: true, ...averaged }]]),
      );
      const decoder = transformerState(random, { decoder: true, biases, norm: options.norm });
      const lengths = [1, 40, 500];
      const calls = shapes.flatMap((one) =>
        lengths.flatMap((length) => {
          const looked = sequence(...one.dims.slice(0, -2), length);
          return [
            [one, looked],
            [one, looked, { causal: true, ...asked }],
          ];
        }),
      );
      await check(decoder, { ...options, decoder: true }, calls);
    });
  }

  it('with a memory of another width, and an empty one', async () => {
    const state = transformerState(random, { decoder: true, memoryWidth: 40 });
    const other = (...dims) => normalTensor(random, [...dims, 40]);
    await check(state, { decoder: true }, [
      [x, other(83), asked],
      [batched, other(3, 9)],
      [x, other(0), asked],
    ]);
  });

  it('with every option', async () => {
    const kLen = 150;
    const masks = (qLen, width, heads = 6) => {
      const full = [3, heads, qLen, width];
      return range(0, 16).map((axes) => {
        const dims = full.map((size, axis) => ((axes >> axis) & 1 ? size : 1));
        const shown = Math.min(3, dims.findIndex((size) => size > 1) & 3);
        return axes % 2
          ? booleanMask(random, dims.slice(shown), 0.8)
          : additiveMask(random, dims.slice(shown), 0.2);
      });
    };
    const options = [
      { causal: true, offset: 10, ...asked },
      { causal: true, offset: [-20, 4, 0], ...averaged },
      { window: [10, 40], ...asked },
      { window: [null, 0], offset: [3, 4, 5], ...averaged },
      { ...perHead, ...asked },
      { ...perHead, causal: true, offset: -3 },
      { scale: 0.3, softcap: 1.5, ...asked },
      { keyLengths: [150, 31, 0], ...averaged },
      ...masks(kLen, kLen).map((mask) => ({ mask, ...asked })),
    ];
    await check(
      transformerState(random),
      {},
      options.map((more) => [batched, more]),
    );
    const cross = [
      ...options,
      { crossKeyLengths: [170, 0, 3], ...asked },
      ...masks(kLen, 170).map((crossMask) => ({ crossMask, ...asked })),
    ];
    await check(
      transformerState(random, { decoder: true }),
      { decoder: true, normFirst: true },
      cross.map((more) => [batched, memories, more]),
    );
    const mask = booleanMask(random, [6, 397, 397], 0.7);
    const crossMask = additiveMask(random, [397, 83], 0.3);
    await check(transformerState(random), {}, [[x, { mask, ...perHead, ...asked }]]);
    await check(transformerState(random, { decoder: true }), { decoder: true }, [
      [x, memory, { mask, crossMask, keyLengths: [300], crossKeyLengths: [50], ...asked }],
    ]);
  });

  it('for any call', async () => {
    const state = transformerState(random, { decoder: true });
    const layers = pools.map((pool) => makeTransformer(pool, state, { decoder: true }));
    const direct = makeTransformer(api, state, { decoder: true });
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          batch: fc.integer({ min: 0, max: 6 }),
          rows: fc.integer({ min: 1, max: 260 }),
          memoryRows: fc.integer({ min: 0, max: 260 }),
          causal: fc.boolean(),
          weights: fc.constantFrom(undefined, true, 'average'),
        }),
        async ({ batch, rows, memoryRows, ...options }) => {
          const lead = batch === 0 ? [] : [batch];
          const args = [sequence(...lead, rows), sequence(...lead, memoryRows), options];
          const want = direct.forward(...args);
          const got = await Promise.all(layers.map((layer) => layer.forward(...args)));
          got.forEach((results, at) => same(results, want, `${COUNTS[at]} workers`));
        },
      ),
      { seed: SEED, numRuns: 40 },
    );
    for (const layer of [direct, ...layers]) layer.delete();
  });

  it('of 16-bit numbers and float64, a Map and names below a prefix', async () => {
    const half = ({ dims, data }) => ({
      dims,
      type: 'bfloat16',
      data: Uint16Array.from(new Uint32Array(Float32Array.from(data).buffer), (bits) => bits >> 16),
    });
    const wide = ({ dims, data }) => ({ dims, data: Float64Array.from(data, (n) => n + 1e-9) });
    const prefix = 'layers.3.';
    for (const convert of [half, wide]) {
      for (const decoder of [false, true]) {
        const state = Object.entries(transformerState(random, { decoder, prefix }));
        const map = new Map(state.map(([name, tensor]) => [name, convert(tensor)]));
        const calls = decoder
          ? [
              [convert(x), convert(memory), asked],
              [batched, convert(memories), asked],
            ]
          : [[convert(x)], [convert(batched), asked]];
        await check(map, { decoder, prefix }, calls);
      }
    }
  });

  it('whatever rows that nobody sees hold', async () => {
    const state = transformerState(random, { decoder: true });
    const spoilt = filled(
      memories,
      range(0, 3).flatMap((entry) => range(100, 170).map((row) => [entry, row])),
      NaN,
    );
    const options = { crossKeyLengths: [100, 90, 0], weights: true };
    await check(state, { decoder: true }, [[batched, spoilt, options]]);
    const direct = makeTransformer(api, state, { decoder: true });
    const { output } = direct.forward(batched, spoilt, options);
    assert.ok(output.data.every((number) => !Number.isNaN(number)));
    direct.delete();
  });

  it('in many calls at once, of several layers', async () => {
    const states = [transformerState(random), transformerState(random, { biases: false })];
    const direct = states.map((state) => makeTransformer(api, state));
    const inputs = range(0, 6).map((at) => (at % 3 ? sequence(180) : sequence(2, 70)));
    for (const pool of pools) {
      const layers = states.map((state) => makeTransformer(pool, state));
      const got = await Promise.all(inputs.map((input, at) => layers[at % 2].forward(input)));
      got.forEach((result, at) => same(result, direct[at % 2].forward(inputs[at])));
      for (const layer of layers) layer.delete();
    }
    for (const layer of direct) layer.delete();
  });

  it('with the reference kernels', async () => {
    const options = { kernels: 'reference' };
    const pool = await loadAttentionPool({ ...options, workers: 2 });
    const state = transformerState(random);
    const layer = makeTransformer(pool, state);
    const direct = makeTransformer(await loadAttention(options), state);
    same(await layer.forward(x, asked), direct.forward(x, asked));
    layer.delete();
    await pool.close();
  });

  it('and their errors, as rejections', async () => {
    const [pool] = pools;
    for (const decoder of [false, true]) {
      const name = decoder ? 'TransformerDecoderLayer' : 'TransformerEncoderLayer';
      const state = transformerState(random, { decoder });
      for (const args of [
        [],
        [state],
        [state, { heads: 7 }],
        [state, { heads: 6, norms: 'rms' }],
        [state, { heads: 6, norm: 'rms' }],
        [{ ...state, 'norm9.weight': x }, { heads: 6 }],
        [{ ...state, 'norm1.weight': undefined }, { heads: 6 }],
      ]) {
        const [want, got] = await Promise.all(
          [api, pool].map((one) => errorOf(async () => one[name].fromTorch(...args))),
        );
        assert.ok(want);
        assert.deepEqual([got.name, got.message], [want.name, want.message]);
      }
      assert.throws(() => new pool[name](), {
        name: 'TypeError',
        message: `a ${name} is made by ${name}.fromTorch()`,
      });

      const [direct, layer] = [api, pool].map((one) => makeTransformer(one, state, { decoder }));
      const looked = decoder ? [memories] : [];
      const wrong = [
        [],
        [x.data, ...looked],
        [normalTensor(random, [3, 150, 5]), ...looked],
        [batched, ...looked, 5],
        [batched, ...looked, { slopes: [1] }],
        [batched, ...looked, { causal: true, offset: [1, 2] }],
        [batched, ...looked, { weights: 'mean' }],
        [batched, ...looked, { scores: 'raw' }],
        [batched, ...looked, { cache: 5 }],
        [batched, ...looked, { mask: booleanMask(random, [7, 150, 150]) }],
        ...(decoder
          ? [
              [batched],
              [batched, null],
              [batched, 7],
              [batched, {}],
              [batched, memory],
              [batched, sequence(2, 5)],
              [batched, memories, { crossKeyLengths: [1] }],
              [batched, memories, { crossKeyLengths: [1, 2, 171] }],
              [batched, memories, { crossMask: booleanMask(random, [150, 171]) }],
            ]
          : [[batched, { crossKeyLengths: [1, 1, 1] }]]),
      ];
      for (const args of wrong) {
        await failAlike(
          () => layer.forward(...args),
          () => direct.forward(...args),
        );
      }
      direct.delete();
      layer.delete();
    }
  });
});

describe('a Transformer layer and the workers', async () => {
  const api = await loadAttention();
  const random = seeded('transformer layer in workers');
  const sequence = (...dims) => normalTensor(random, [...dims, transformerWidth]);
  const state = transformerState(random);
  const decoderState = transformerState(random, { decoder: true });
  const x = sequence(300);
  const direct = makeTransformer(api, state);
  const directDecoder = makeTransformer(api, decoderState, { decoder: true });
  const want = direct.forward(x);

  it('computes small calls in place', async () => {
    const { pool, made } = await watchedPool();
    const layer = makeTransformer(pool, state);
    const decoder = makeTransformer(pool, decoderState, { decoder: true });
    const small = sequence(100);
    same(await layer.forward(small, { weights: true }), direct.forward(small, { weights: true }));
    same(await decoder.forward(small, small), directDecoder.forward(small, small));
    assert.equal(made.length, 0);
    await pool.close();
  });

  it('gives whole entries of a batch to each, or rows of all', async () => {
    for (const [dims, names] of [
      [[300], ['projectLayer', 'projectLayer', 'transformerLayer', 'transformerLayer']],
      [
        [2, 150],
        ['transformerLayer', 'transformerLayer'],
      ],
      [
        [4, 150],
        ['transformerLayer', 'transformerLayer'],
      ],
    ]) {
      const { pool, called } = await watchedPool();
      const layer = makeTransformer(pool, state);
      const input = sequence(...dims);
      same(await layer.forward(input), direct.forward(input));
      assert.deepEqual(called, names, `${dims}`);
      await pool.close();
    }
  });

  it('does in place whatever has to do with a cache', async () => {
    const { pool, made } = await watchedPool();
    const layer = makeTransformer(pool, state);
    const decoder = makeTransformer(pool, decoderState, { decoder: true });
    const cache = layer.createCache({ capacity: 300 });
    const causal = direct.forward(x, { causal: true });
    same(await layer.forward(x, { causal: true, cache }), causal);
    assert.equal(cache.length, 300);
    const full = { name: 'RangeError', message: /^the cache holds 300 of 300 keys/ };
    await assert.rejects(layer.forward(sequence(1), { cache }), full);

    const memory = sequence(120);
    const seen = decoder.projectMemory(memory);
    const options = { weights: true, causal: true };
    same(await decoder.forward(x, seen, options), directDecoder.forward(x, memory, options));
    const own = decoder.createCache({ capacity: 300 });
    same(
      await decoder.forward(x, memory, { ...options, cache: own }),
      directDecoder.forward(x, memory, options),
    );
    const elsewhere = await loadAttention({ kernels: 'simd' });
    const stranger = new elsewhere.KeyValueCache({ keyDim: 16, kvHeads: 6, capacity: 4 });
    await failAlike(
      () => decoder.forward(x, stranger),
      () => directDecoder.forward(x, stranger),
    );
    await failAlike(
      () => layer.forward(x, { cache: stranger }),
      () => direct.forward(x, { cache: stranger }),
    );
    assert.equal(made.length, 0);
    // And it is the same layer that the workers have.
    same(await layer.forward(x), want);
    assert.equal(made.length, 2);
    for (const object of [cache, seen, own, layer, decoder]) object.delete();
    await pool.close();
  });

  it('reads and copies what it is given before it returns', async () => {
    const { pool } = await watchedPool();
    for (const lead of [[], [2]]) {
      const own = transformerState(seeded('copied'), { decoder: true });
      const reference = makeTransformer(api, own, { decoder: true });
      const layer = makeTransformer(pool, own, { decoder: true });
      for (const { data } of Object.values(own)) data.fill(0);
      // Twice: workers that start and workers that are there.
      for (let round = 0; round < 2; round++) {
        const args = [sequence(...lead, 200), sequence(...lead, 140)];
        const entries = lead[0] ?? 1;
        const options = {
          mask: booleanMask(random, [6, 200, 200], 0.9),
          crossMask: additiveMask(random, [200, 140], 0.1),
          slopes: [1, 0, 0, 1, 2, 1],
          offset: Array(entries).fill(2),
          keyLengths: Array(entries).fill(190),
          crossKeyLengths: Array(entries).fill(100),
          weights: true,
        };
        const expected = reference.forward(...args, options);
        const promise = layer.forward(...args, options);
        for (const { data, dims } of [...args, options.mask, options.crossMask]) {
          data.fill(1);
          dims[0] = -5;
          assert.ok(data.length > 0);
        }
        for (const name of ['slopes', 'offset', 'keyLengths', 'crossKeyLengths']) {
          options[name].fill(9);
        }
        same(await promise, expected, `${lead} round ${round}`);
      }
      layer.delete();
      reference.delete();
    }
    await pool.close();
  });

  it('is deleted here and there, and a call under way is not hurt', async () => {
    const { pool, count } = await watchedPool();
    const deleted = { name: 'DeletedError', message: 'this TransformerEncoderLayer was deleted' };
    for (let round = 0; round < 2; round++) {
      const layer = makeTransformer(pool, state);
      if (round === 1) same(await layer.forward(x), want);
      const promise = layer.forward(x);
      layer.delete();
      layer[Symbol.dispose ?? 'delete']();
      same(await promise, want, `round ${round}`);
      await assert.rejects(layer.forward(x), deleted);
      await assert.rejects(layer.forward(sequence(1)), deleted);
      assert.throws(() => layer.heads, deleted);
      assert.throws(() => layer.createCache({ capacity: 1 }), deleted);
    }
    await until(() => count('release') === 4, 'all is released');
    assert.equal(count('create'), 4, 'one layer in each worker');
    await pool.close();
    assert.equal(count('release'), 4);
  });

  it('is released when it is forgotten', async () => {
    setFlagsFromString('--expose-gc');
    const gc = runInNewContext('gc');
    const { pool, count } = await watchedPool();
    await (async () => {
      const layer = makeTransformer(pool, state);
      same(await layer.forward(x), want);
    })();
    await until(() => {
      gc();
      return count('release') === 2;
    }, 'the forgotten layer is released');
    await pool.close();
  });

  it('goes on when a worker dies, and ends with the pool', async () => {
    const { pool, made } = await watchedPool();
    const layer = makeTransformer(pool, state);
    same(await layer.forward(x), want);
    const died = { name: 'Error', message: 'a worker of the pool died: it ended with exit code 1' };
    const pending = assert.rejects(layer.forward(x), died);
    await Promise.all([made[1].terminate(), pending]);
    same(await layer.forward(x), want);
    assert.equal(made.length, 3);
    const closed = { name: 'Error', message: 'the pool was closed' };
    const late = assert.rejects(layer.forward(x), closed);
    await pool.close();
    await late;
    await assert.rejects(layer.forward(x), closed);
    await assert.rejects(layer.forward(sequence(1)), closed);
    layer.delete();
  });
});

describe('deleting a pooled layer', async () => {
  const { MultiHeadAttention } = await loadAttention();
  const random = seeded('deleted');
  const weights = layerWeights(random);
  const sizes = { heads: 6, kvHeads: 3 };
  const x = normalTensor(random, [350, layerWidth]);
  const direct = MultiHeadAttention.fromWeights(weights, sizes);
  const want = direct.forward(x);
  const deleted = { name: 'DeletedError', message: 'this MultiHeadAttention was deleted' };

  it('ends it, and doing so twice is harmless', async () => {
    const { pool } = await watchedPool();
    const layer = pool.MultiHeadAttention.fromWeights(weights, sizes);
    same(await layer.forward(x), want);
    layer.delete();
    layer.delete();
    await assert.rejects(layer.forward(x), deleted);
    await assert.rejects(layer.forward(normalTensor(random, [1, layerWidth])), deleted);
    for (const name of ['heads', 'kvHeads', 'keyDim', 'valueDim', 'modelDim']) {
      assert.throws(() => layer[name], deleted);
    }
    const other = pool.MultiHeadAttention.fromWeights(weights, sizes);
    await pool.close();
    other.delete();
    layer.delete();
  });

  it('gives back what it holds in the workers', async () => {
    const { pool, count } = await watchedPool({ workers: 3 });
    const layers = range(0, 4).map(() => pool.MultiHeadAttention.fromWeights(weights, sizes));
    for (const layer of layers) {
      same(await layer.forward(x), want);
      same(await layer.forward(x), want);
    }
    assert.equal(count('create'), 4 * 6, 'the projections and the output, in each worker once');
    assert.equal(count('release'), 0);
    for (const layer of layers) layer[Symbol.dispose ?? 'delete']();
    await until(() => count('release') === count('create'), 'all is released');
    await pool.close();
  });

  it('does not hurt a call under way, and leaves nothing of it in the workers', async () => {
    const { pool, count } = await watchedPool();
    for (let round = 0; round < 2; round++) {
      const layer = pool.MultiHeadAttention.fromWeights(weights, sizes);
      if (round === 1) await layer.forward(x);
      const promise = layer.forward(x);
      layer.delete();
      same(await promise, want, `round ${round}`);
    }
    await until(() => count('release') === count('create'), 'all is released');
    await pool.close();
  });

  it('is done for those who forget it', async () => {
    setFlagsFromString('--expose-gc');
    const gc = runInNewContext('gc');
    const { pool, count } = await watchedPool();
    await (async () => {
      const layer = pool.MultiHeadAttention.fromWeights(weights, sizes);
      same(await layer.forward(x), want);
    })();
    await until(() => {
      gc();
      return count('release') === 4;
    }, 'the forgotten layer is released');
    assert.equal(count('create'), 4);
    await pool.close();
  });
});

/** A worker that runs a text instead of a file. */
const workerOf = (source) => new Worker(source, { eval: true });

describe('workers for some work', () => {
  const wanted = (count, worth, ...work) => {
    return new Workers(count, () => assert.fail('no worker is made'), {}, worth).wantedFor(...work);
  };

  it('are as many as have enough of it, in Node from less on than in a page', () => {
    for (const worth of [inNode, inPages]) {
      // Attention that is given nothing, and a layer.
      for (const [least, ...numbers] of [[worth.from, 0], [worth.layer]]) {
        assert.ok(least >= worth.each);
        assert.equal(wanted(3, worth, least - 1, ...numbers), 0);
        for (const count of [1, 2, 3]) {
          const few = Math.min(count, Math.max(2, Math.floor(least / worth.each)));
          assert.equal(wanted(count, worth, least, ...numbers), few);
          assert.equal(wanted(count, worth, 100 * least, ...numbers), count);
        }
      }
    }
    // 12 heads × 128 × 64 is done sooner in the page, and by two threads of Node.
    const layout = { heads: 12, qLen: 128, kLen: 128, keyDim: 64, valueDim: 64 };
    const numbers = 3 * 12 * 128 * 64;
    assert.equal(wanted(2, inPages, workOf(layout), numbers), 0);
    assert.equal(wanted(2, inNode, workOf(layout), numbers), 2);
  });

  it('are never one of several, which would take longer than the thread that asks it', () => {
    for (const worth of [inNode, inPages]) {
      for (let work = 1e6; work < 1e8; work *= 1.1) {
        for (const numbers of [0, 1e5, undefined]) {
          assert.notEqual(wanted(2, worth, work, numbers), 1, `${work} of ${numbers}`);
        }
      }
    }
    // A head of 256 × 64, half a millisecond in Node.js, and a layer 28 × 256.
    const head = { heads: 1, qLen: 256, kLen: 256, keyDim: 64, valueDim: 64 };
    assert.equal(wanted(2, inNode, workOf(head), 3 * 256 * 64), 0);
    assert.equal(wanted(2, inNode, 28 * 256 * (4 * 256 + 2 * 28)), 0);
  });

  it('are none where sending the numbers takes longer than the work', async () => {
    for (const worth of [inNode, inPages]) {
      const least = worth.from + worth.perNumber * 1e8;
      assert.equal(wanted(2, worth, least, 1e8), 2);
      assert.equal(wanted(2, worth, least - 1, 1e8), 0);
    }
    // Large batches of short sequences are sent in a page no sooner than they are computed.
    const batch = { batch: 16, heads: 12, qLen: 64, kLen: 64, keyDim: 64, valueDim: 64 };
    assert.equal(wanted(2, inPages, workOf(batch), 3 * 16 * 12 * 64 * 64), 0);
    // One query for every head, and very many keys.
    const createWorker = () => assert.fail('no worker is made');
    const pool = await loadAttentionPool({ workers: 2, createWorker });
    const sizes = { batch: 1, heads: 8, kvHeads: 8, qLen: 1, kLen: 8192, keyDim: 64, valueDim: 64 };
    assert.ok(workOf(sizes) > inNode.from);
    const { query, key, value } = attentionTensors(seeded('one query'), sizes);
    const { attention } = await loadAttention();
    same(await pool.attention(query, key, value), attention(query, key, value));
    await pool.close();
  });
});

describe('the life of a pool', async () => {
  const { attention, MultiHeadAttention } = await loadAttention();
  const { query, key, value } = big();
  const want = attention(query, key, value);
  const small = { data: Float32Array.from([1, 0, 0, 1]), dims: [2, 2] };
  // Work for one worker: queries that the kernels take together.
  const single = attentionTensors(seeded('single'), {
    heads: 1,
    qLen: 64,
    kLen: 4096,
    keyDim: 64,
    valueDim: 64,
  });
  const singleWant = attention(single.query, single.key, single.value);
  const one = (pool) => pool.attention(single.query, single.key, single.value);
  const random = seeded('living layer');
  const weights = layerWeights(random);
  const sizes = { heads: 6, kvHeads: 3 };
  const x = normalTensor(random, [350, layerWidth]);
  const direct = MultiHeadAttention.fromWeights(weights, sizes);
  const layerWant = direct.forward(x);
  direct.delete();
  const closed = { name: 'Error', message: 'the pool was closed' };

  it('begins with options that make sense', async () => {
    for (const [options, error] of [
      [{ workers: 0 }, /^RangeError: workers is 0 but must be a whole number from 1 to 1024$/],
      [{ workers: 1.5 }, /^RangeError: workers is 1.5 but must be a whole number/],
      [{ workers: -1 }, /^RangeError: workers is -1 but must be/],
      [{ workers: 1025 }, /^RangeError: workers is 1025 but must be/],
      [{ workers: NaN }, /^RangeError: workers is NaN but must be/],
      [{ workers: '2' }, /^TypeError: workers must be a number, found '2'$/],
      [{ createWorker: workerFile }, /^TypeError: createWorker must be a function, found /],
      [
        { threads: 2 },
        /^TypeError: loadAttentionPool\(\) has no option 'threads'; it has workers, /,
      ],
      [
        { kernels: 'scalar' },
        /^RangeError: kernels must be 'simd' or 'reference', found 'scalar'$/,
      ],
      [{ kernels: 1 }, /^TypeError: kernels must be 'simd' or 'reference', found 1$/],
      [2, /^TypeError: the options of loadAttentionPool\(\) must be an object, found 2$/],
    ]) {
      const promise = loadAttentionPool(options);
      await assert.rejects(promise, (found) => error.test(String(found)));
    }
    const unsaid = await loadAttentionPool();
    assert.deepEqual([unsaid.workers, unsaid.kernels], [availableParallelism(), 'simd']);
    const nulls = { workers: null, createWorker: null, kernels: null };
    const pool = await loadAttentionPool(nulls);
    assert.deepEqual([pool.workers, pool.kernels], [availableParallelism(), 'simd']);
    assert.ok(Object.isFrozen(pool));
    for (const one of [unsaid, pool]) await one.close();
  });

  it('ends with close(): what was under way and what comes later is rejected', async () => {
    const { pool, made } = await watchedPool();
    const layer = pool.MultiHeadAttention.fromWeights(weights, sizes);
    same(await layer.forward(x), layerWant);
    same(await pool.attention(query, key, value), want);
    const ended = Promise.all(made.map((worker) => once(worker, 'exit')));
    const pending = [pool.attention(query, key, value), layer.forward(x), one(pool)];
    const rejections = pending.map((promise) => assert.rejects(promise, closed));
    await Promise.all([pool.close(), pool.close(), ...rejections, ended]);
    await pool.close();
    const small2 = normalTensor(random, [1, layerWidth]);
    for (const call of [
      () => pool.attention(query, key, value),
      () => pool.attention(small, small, small),
      () => pool.attention(),
      () => layer.forward(x),
      () => layer.forward(small2),
    ]) {
      await assert.rejects(call(), closed);
    }
    assert.equal(made.length, 2);
    layer.delete();
  });

  it('may end at once, while workers start, and without any', async () => {
    const { pool, made } = await watchedPool();
    await pool.close();
    await assert.rejects(pool.attention(query, key, value), closed);
    assert.equal(made.length, 0);
    const starting = await watchedPool();
    const layer = starting.pool.MultiHeadAttention.fromWeights(weights, sizes);
    const pending = [starting.pool.attention(query, key, value), layer.forward(x)];
    const rejections = pending.map((promise) => assert.rejects(promise, closed));
    await starting.pool.close();
    await Promise.all(rejections);
    layer.delete();
  });

  it('may end while answers are on their way', async () => {
    const { pool, made } = await watchedPool();
    await pool.attention(query, key, value);
    const uncaught = [];
    const onUncaught = (error) => uncaught.push(error);
    process.on('uncaughtException', onUncaught);
    const pending = assert.rejects(pool.attention(query, key, value), closed);
    // The workers answer while nobody listens.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    await Promise.all([pool.close(), pending, ...made.map((worker) => once(worker, 'exit'))]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    process.off('uncaughtException', onUncaught);
    assert.deepEqual(uncaught, []);
  });

  it('goes on when a worker dies: only what it was computing is rejected', async () => {
    const { pool, made } = await watchedPool();
    const layer = pool.MultiHeadAttention.fromWeights(weights, sizes);
    same(await layer.forward(x), layerWant);
    same(await pool.attention(query, key, value), want);
    assert.equal(made.length, 2);

    const long = big('long', { qLen: 512, kLen: 512, keyDim: 64, valueDim: 64 });
    const died = { name: 'Error', message: 'a worker of the pool died: it ended with exit code 1' };
    for (const victim of [0, 1]) {
      const before = made.length;
      // Something long for both, so that neither comes to the rest, which they get in turns.
      const both = assert.rejects(pool.attention(long.query, long.key, long.value), died);
      const singles = [one(pool), one(pool), one(pool), one(pool)];
      const layered = assert.rejects(layer.forward(x), died);
      const [gone] = made.splice(victim, 1);
      const [settled] = await Promise.all([
        Promise.allSettled(singles),
        both,
        layered,
        gone.terminate(),
      ]);
      settled.forEach((result, at) => {
        if (at % 2 === victim) assert.equal(result.reason?.message, died.message);
        else same(result.value, singleWant);
      });
      // Its successor takes its place, and has the layer again.
      same(await layer.forward(x), layerWant);
      same(await pool.attention(query, key, value), want);
      assert.equal(made.length, before);
      made.splice(victim, 0, made.pop());
    }
    layer.delete();
    await pool.close();
  });

  it('goes on when an idle worker dies', async () => {
    const { pool, made } = await watchedPool();
    const layer = pool.MultiHeadAttention.fromWeights(weights, sizes);
    same(await layer.forward(x), layerWant);
    await Promise.all(made.map((worker) => worker.terminate()));
    same(await pool.attention(query, key, value), want);
    same(await layer.forward(x), layerWant);
    assert.equal(made.length, 4);
    layer.delete();
    await pool.close();
  });

  const failing = {
    'cannot be made': [
      () => {
        throw new Error('no more threads');
      },
      /^no more threads$/,
    ],
    'is not there': [
      () => new Worker(new URL('no-such-file.js', workerFile)),
      /^a worker of the pool died: Cannot find module /,
    ],
    'throws when it starts': [
      () => workerOf('throw new RangeError("boom")'),
      /^a worker of the pool died: boom$/,
    ],
    'throws what is no error': [() => workerOf('throw null'), /^a worker of the pool died: /],
    'throws when it is asked': [
      () =>
        workerOf(
          'require("worker_threads").parentPort.on("message", () => { throw Error("asked"); })',
        ),
      /^a worker of the pool died: asked$/,
    ],
    'ends when it is asked': [
      () => workerOf('require("worker_threads").parentPort.on("message", () => process.exit(3))'),
      /^a worker of the pool died: it ended with exit code 3$/,
    ],
    'cannot load the module': [
      () =>
        workerOf(`
          const { parentPort } = require('worker_threads');
          parentPort.on('message', ({ id, task }) =>
            parentPort.postMessage({ id, error: { name: 'Error', message: 'no ' + task } }));
        `),
      /^no start$/,
    ],
  };
  for (const [name, [makeFailing, message]] of Object.entries(failing)) {
    it(`goes on after a worker that ${name}`, async () => {
      let failures = 1;
      const { pool } = await watchedPool({}, () =>
        failures-- > 0 ? makeFailing() : new Worker(workerFile),
      );
      const rejected = { name: 'Error', message };
      await assert.rejects(pool.attention(query, key, value), rejected);
      same(await pool.attention(query, key, value), want);
      failures = 0;
      const layer = pool.MultiHeadAttention.fromWeights(weights, sizes);
      same(await layer.forward(x), layerWant);
      layer.delete();
      await pool.close();

      failures = 1;
      const other = await watchedPool({}, () =>
        failures-- > 0 ? makeFailing() : new Worker(workerFile),
      );
      const otherLayer = other.pool.MultiHeadAttention.fromWeights(weights, sizes);
      await assert.rejects(otherLayer.forward(x), rejected);
      same(await otherLayer.forward(x), layerWant);
      otherLayer.delete();
      await other.pool.close();
    });
  }
});

describe('a worker that never answers', () => {
  it('is given up after a minute, and replaced', async (t) => {
    const { query, key, value } = big();
    const silent = () => workerOf('require("worker_threads").parentPort.on("message", () => {})');
    const { pool, made } = await watchedPool({ workers: 1 }, (before) =>
      before === 0 ? silent() : new Worker(workerFile),
    );
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const call = pool.attention(query, key, value);
    let ended = false;
    const rejected = assert.rejects(call, {
      name: 'Error',
      message: 'a worker of the pool was given up: it did not start within 60 seconds',
    });
    rejected.then(() => (ended = true));
    t.mock.timers.tick(59_999);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(ended, false);
    t.mock.timers.tick(1);
    await rejected;
    t.mock.timers.reset();
    const api = await loadAttention();
    same(await pool.attention(query, key, value), api.attention(query, key, value));
    assert.equal(made.length, 2);
    await pool.close();
  });
});

describe('a process with a pool', () => {
  const script = (end) => `
    // Fires only in a process that something else keeps alive.
    setTimeout(() => { throw new Error('still alive'); }, 10_000).unref();
    import { loadAttentionPool } from '${import.meta.resolve('attention-wasm/pool')}';
    const pool = await loadAttentionPool({ workers: 2 });
    const x = { data: new Float32Array(512 * 64).fill(1), dims: [512, 64] };
    const matrix = { data: new Float32Array(64 * 64).fill(1), dims: [64, 64] };
    const weights = { query: matrix, key: matrix, value: matrix, output: matrix };
    const multiHead = pool.MultiHeadAttention.fromWeights(weights, { heads: 2 });
    const compute = async () => {
      const { output } = await pool.attention(x, x, x);
      const forwarded = await multiHead.forward(x);
      console.log(output.dims.join(), forwarded.output.dims.join());
    };
    ${end}
  `;
  let folder;
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'attention-pool-'))));
  after(() => rm(folder, { recursive: true, force: true }));

  const runScript = async (end) => {
    const file = join(folder, 'script.mjs');
    await writeFile(file, script(end));
    return run(process.execPath, [file], folder);
  };

  const ends = {
    'ends by itself when workers have nothing to do': 'await compute();',
    'waits for what they compute': 'compute();',
    'ends after close()': 'await compute(); await pool.close();',
    'ends after close() at once': 'await compute(); multiHead.delete(); await pool.close();',
    'ends when nothing was computed': 'console.log("512,64 512,64");',
  };
  for (const [name, end] of Object.entries(ends)) {
    it(name, async () => {
      assert.equal(await runScript(end), '512,64 512,64\n');
    });
  }

  it('may be a line on the command line', async () => {
    const args = ['--input-type=module', '--eval', script('await compute();')];
    assert.equal(await run(process.execPath, args), '512,64 512,64\n');
  });

  it('may have arguments that no worker can have', async () => {
    const file = join(folder, 'with_arguments.mjs');
    await writeFile(file, script('await compute();'));
    const args = ['--max-old-space-size=300', '--expose-gc', '--title=pool', '--no-warnings', file];
    assert.equal(await run(process.execPath, args, folder), '512,64 512,64\n');
  });

  it('imports it without starting anything', async () => {
    const printed = await run(process.execPath, [
      '--input-type=module',
      '--eval',
      `
        import worker from 'node:worker_threads';
        import { syncBuiltinESMExports } from 'node:module';
        worker.Worker = class { constructor() { console.log('a worker'); } };
        syncBuiltinESMExports();
        WebAssembly.compile = () => console.log('compiled');
        WebAssembly.Module = class { constructor() { console.log('compiled'); } };
        await import('attention-wasm/pool');
        console.log(import.meta.resolve('attention-wasm/pool-worker').split('/').at(-1));
        `,
    ]);
    assert.equal(printed, 'pool_worker.node.js\n');
  });
});
