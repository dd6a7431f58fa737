// pool.attention(): the bits of attention() for any number of workers, and its arguments.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';

import { loadAttention } from 'attention-wasm';
import { loadAttentionPool } from 'attention-wasm/pool';
import fc from 'fast-check';

import {
  additiveMask,
  attentionTensors,
  booleanMask,
  normalTensor,
  seeded,
} from '../../support/js/random_tensors.js';
import { filled } from '../../support/js/rearrange.js';
import { same, watchedPool } from '../../support/js/watched_pool.js';
import { runCount } from '../../support/js/run_count.js';
import {
  SEED,
  worthAWorker,
  COUNTS,
  range,
  failAlike,
  bigLayout,
  big,
  workOf,
  arbitraryBigCall,
  makeBigCall,
  layerWidth,
  layerWeights,
} from '../../support/js/pooled_calls.js';

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
      { seed: SEED, numRuns: runCount(60) },
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

  it('without `heads`, at rank 2 and 3', async () => {
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
      // Random finite numbers: any sign and fraction, moderate exponents.
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

  it('for views of larger arrays, shared memory, and subclassed arrays', async () => {
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

    class Labeled extends Float32Array {
      constructor(label, data) {
        super(data);
        this.label = label;
      }
    }
    const labeled = ({ data, dims }) => ({ data: new Labeled('numbers', data), dims });
    await check(labeled(query), labeled(key), labeled(value));

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

  it('for any contents of masked keys', async () => {
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
    // NaNs reach the same rows.
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

  it('starts workers on first use, and only as many as the work needs', async () => {
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

    // Work just below the threshold, for three workers, and above.
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

  it('reads and copies them before it returns, and detaches none', async () => {
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
    // Twice: with starting and with running workers.
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

  it('returns results that can be changed and transferred', async () => {
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
