// Calls of a pool that are aborted: every promise settles with the right bits or the signal's reason, what waits
// for a worker is never computed, and the workers go on.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';

import { loadAttention } from 'attention-wasm';
import { loadAttentionPool } from 'attention-wasm/pool';

import { run } from '../../support/js/package.js';
import {
  attentionTensors,
  encoderWeights,
  normalTensor,
  seeded,
} from '../../support/js/random_tensors.js';
import { same, watchedPool } from '../../support/js/watched_pool.js';

const api = await loadAttention();
const width = 64;
// Work for one worker: queries that the kernels take together.
const { query, key, value } = attentionTensors(seeded('signals'), {
  ...{ heads: 1, qLen: 64, kLen: 4096, keyDim: width, valueDim: width },
});
const want = api.attention(query, key, value);
const attend = (pool, options) => pool.attention(query, key, value, options);
const random = seeded('layers with signals');
const x = normalTensor(random, [400, width]);
const square = () => normalTensor(random, [width, width]);
const weights = { query: square(), key: square(), value: square(), output: square() };
const makeLayer = (from) => from.MultiHeadAttention.fromWeights(weights, { heads: 4 });
const encoderState = encoderWeights(random, width);
const makeEncoder = (from) => from.TransformerEncoderLayer.fromTorch(encoderState, { heads: 4 });
const wantOf = (make) => {
  const layer = make(api);
  const results = layer.forward(x);
  layer.delete();
  return results;
};

/** Counts the listeners that a signal has. */
function countListeners(signal) {
  let count = 0;
  for (const [name, by] of Object.entries({ addEventListener: 1, removeEventListener: -1 })) {
    const before = signal[name];
    signal[name] = function (...given) {
      count += by;
      return before.apply(this, given);
    };
  }
  return () => count;
}

describe('a signal', () => {
  it('that was aborted before keeps a call from any worker', async () => {
    const { pool, made } = await watchedPool();
    const reason = new RangeError('not wanted');
    const signal = AbortSignal.abort(reason);
    const layer = makeLayer(pool);
    for (const call of [
      () => attend(pool, { signal }),
      () => pool.attention(normalTensor(random, [2, 2]), x, x, { signal }),
      () => layer.forward(x, undefined, { signal }),
    ]) {
      await assert.rejects(call(), (found) => found === reason);
    }
    assert.equal(made.length, 0);
    layer.delete();
    await pool.close();
  });

  it('must be one', async () => {
    const { pool } = await watchedPool();
    const layers = [makeLayer(pool), makeEncoder(pool)];
    for (const [signal, found] of [
      [5, '5'],
      [{ aborted: true }, 'an object'],
    ]) {
      const error = { name: 'TypeError', message: `signal must be an AbortSignal, found ${found}` };
      await assert.rejects(attend(pool, { signal }), error);
      await assert.rejects(layers[0].forward(x, null, { signal }), error);
      await assert.rejects(layers[1].forward(x, { signal }), error);
    }
    assert.throws(() => api.attention(query, key, value, { signal: AbortSignal.abort() }), {
      message: /^attention\(\) has no option 'signal'/,
    });
    same(await attend(pool, { signal: null }), want);
    for (const layer of layers) layer.delete();
    await pool.close();
  });

  it('rejects at once, and what waited for a worker is never sent to one', async () => {
    const { pool, made, called } = await watchedPool({ workers: 1 });
    same(await attend(pool), want);
    called.length = 0;
    const controller = new AbortController();
    const listeners = countListeners(controller.signal);
    const { signal } = controller;
    const kept = [attend(pool), attend(pool)];
    const given = Array.from({ length: 50 }, () => attend(pool, { signal }));
    const last = attend(pool);
    assert.equal(listeners(), 1);
    let isDone = false;
    kept[0].then(() => (isDone = true));
    controller.abort('enough');
    for (const one of await Promise.allSettled(given)) {
      assert.deepEqual(one, { status: 'rejected', reason: 'enough' });
    }
    assert.equal(isDone, false, 'the worker was at something else');
    for (const one of [...kept, last]) same(await one, want);
    assert.equal(called.length, 3);
    assert.equal(listeners(), 0);
    assert.equal(made.length, 1);
    await pool.close();
  });

  it('leaves a worker that is at it to finish, and to go on', async () => {
    const { pool, made } = await watchedPool({ workers: 2 });
    const long = attentionTensors(seeded('long'), {
      ...{ heads: 8, qLen: 512, kLen: 512, keyDim: width, valueDim: width },
    });
    await pool.attention(long.query, long.key, long.value);
    const controller = new AbortController();
    const { signal } = controller;
    const aborted = pool.attention(long.query, long.key, long.value, { signal });
    const after = attend(pool);
    controller.abort();
    await assert.rejects(aborted, { name: 'AbortError' });
    same(await after, want);
    same(await attend(pool, { signal: new AbortController().signal }), want);
    assert.equal(made.length, 2);
    await pool.close();
  });

  it('that is aborted afterwards changes nothing', async () => {
    const { pool } = await watchedPool();
    const controller = new AbortController();
    const listeners = countListeners(controller.signal);
    const results = await attend(pool, { signal: controller.signal });
    assert.equal(listeners(), 0);
    controller.abort();
    same(results, want);
    same(await attend(pool), want);
    await pool.close();
  });

  it('of a layer that its workers do not have yet leaves it whole', async () => {
    for (const [make, forward] of [
      [makeLayer, (layer, options) => layer.forward(x, undefined, options)],
      [makeEncoder, (layer, options) => layer.forward(x, options)],
    ]) {
      const { pool, called } = await watchedPool();
      const layer = make(pool);
      const controller = new AbortController();
      const aborted = forward(layer, { signal: controller.signal });
      controller.abort(7);
      await assert.rejects(aborted, (reason) => reason === 7);
      same(await forward(layer), wantOf(make));
      const count = called.length;
      same(await forward(layer), wantOf(make));
      assert.equal(count, called.length - count, 'a call that was aborted was computed');
      layer.delete();
      await pool.close();
    }
  });
});

describe('hundreds of calls, aborted at random', () => {
  const outcomes = async (promises, isAsked, expected) => {
    const counts = { right: 0, aborted: 0, closed: 0 };
    const settled = await Promise.allSettled(promises);
    settled.forEach(({ status, value: results, reason }, at) => {
      if (status === 'fulfilled') {
        same(results, expected[at]);
        counts.right++;
      } else if (reason === at) {
        assert.ok(isAsked[at], `call ${at} was not to be aborted`);
        counts.aborted++;
      } else {
        assert.deepEqual([reason.name, reason.message], ['Error', 'the pool was closed']);
        counts.closed++;
      }
    });
    return counts;
  };

  for (const seed of [1, 2, 3]) {
    it(`and closed in the middle, all settle (${seed})`, async (t) => {
      const { uniform: numbers } = seeded(`aborts ${seed}`);
      const { pool, made } = await watchedPool({ workers: 3 });
      const layer = makeLayer(pool);
      const encoder = makeEncoder(pool);
      const kinds = [
        [(options) => attend(pool, options), want],
        [(options) => layer.forward(x, undefined, options), wantOf(makeLayer)],
        [(options) => encoder.forward(x, options), wantOf(makeEncoder)],
      ];
      const promises = [];
      const expected = [];
      const isAsked = [];
      const ends = [];
      for (let at = 0; at < 300; at++) {
        const [call, results] = kinds[Math.floor(numbers() * kinds.length)];
        const controller = new AbortController();
        promises.push(call({ signal: controller.signal }));
        expected.push(results);
        isAsked.push(numbers() < 0.6);
        promises.at(-1).catch(() => {});
        if (!isAsked[at]) continue;
        const abort = () => controller.abort(at);
        ends.push(new Promise((done) => setTimeout(() => done(abort()), numbers() * 300)));
      }
      let closing;
      const closeAt = seed === 1 ? undefined : 100 * seed;
      if (closeAt) {
        closing = new Promise((done) => setTimeout(() => done(pool.close()), closeAt));
      }
      const counts = await outcomes(promises, isAsked, expected);
      await Promise.all(ends);
      t.diagnostic(`note: ${JSON.stringify(counts)}`);
      assert.ok(counts.aborted > 0);
      assert.equal(made.length, 3);
      if (closeAt) {
        await closing;
      } else {
        assert.equal(counts.closed, 0);
        same(await attend(pool), want);
        const exits = made.map((worker) => once(worker, 'exit'));
        await pool.close();
        await Promise.all(exits);
      }
      layer.delete();
      encoder.delete();
    });
  }
});

describe('a process with a pool', () => {
  it('ends by itself after calls that were aborted, the pool open', async () => {
    const script = `
      setTimeout(() => { throw new Error('still alive'); }, 30_000).unref();
      import { loadAttentionPool } from '${import.meta.resolve('attention-wasm/pool')}';
      const pool = await loadAttentionPool({ workers: 2 });
      const x = { data: new Float32Array(512 * 64).fill(1), dims: [512, 64] };
      const controller = new AbortController();
      const { signal } = controller;
      const calls = Array.from({ length: 20 }, () => pool.attention(x, x, x, { signal }));
      setTimeout(() => controller.abort(1), 20);
      const settled = await Promise.allSettled(calls);
      console.log(settled.every(({ status, reason }) => status === 'fulfilled' || reason === 1));
      await pool.attention(x, x, x, { signal: new AbortController().signal });
    `;
    const args = ['--input-type=module', '--eval', script];
    assert.equal(await run(process.execPath, args), 'true\n');
  });

  it('is not warned of listeners', async () => {
    const warnings = [];
    const onWarning = (warning) => warnings.push(warning.name);
    process.on('warning', onWarning);
    const pool = await loadAttentionPool({ workers: 1 });
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 30 }, () => attend(pool, { signal })));
    await pool.close();
    process.off('warning', onWarning);
    assert.deepEqual(warnings, []);
  });
});
