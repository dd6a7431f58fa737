// Aborted calls of a pool: every promise settles with the right bits or the signal's reason, queued work is never computed,
// and the workers continue.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';

import {
  api,
  attend,
  key,
  makeEncoder,
  makeLayer,
  query,
  random,
  value,
  want,
  wantOf,
  width,
  x,
} from '../../support/js/abortable_calls.js';
import { attentionTensors, normalTensor, seeded } from '../../support/js/random_tensors.js';
import { signalLike } from '../../support/js/signal_like.js';
import { same, watchedPool, workerFile } from '../../support/js/watched_pool.js';

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
  it('that was aborted before prevents the call', async () => {
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

  it('must be an AbortSignal', async () => {
    const { pool } = await watchedPool();
    const layers = [makeLayer(pool), makeEncoder(pool)];
    for (const [signal, found] of [
      [5, '5'],
      [{ aborted: true }, 'an object'],
      [{ throwIfAborted() {} }, 'an object'],
      ...['aborted', 'reason', 'throwIfAborted', 'addEventListener', 'removeEventListener'].map(
        (lacking) => [signalLike(new AbortController().signal, lacking), 'an object'],
      ),
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

  it('of another realm is accepted', async () => {
    const { pool, made } = await watchedPool({ workers: 1 });
    const controller = new AbortController();
    const signal = signalLike(controller.signal);
    same(await attend(pool, { signal }), want);
    const aborted = attend(pool, { signal });
    controller.abort('enough');
    await assert.rejects(aborted, (reason) => reason === 'enough');
    assert.equal(made.length, 1);
    await pool.close();
  });

  it('that fails to add a listener, or aborts while tasks are sent, leaves no task behind', async () => {
    const deaf = signalLike(new AbortController().signal);
    deaf.addEventListener = () => {
      throw new RangeError('deaf');
    };
    const { pool, tasks } = await watchedPool();
    const layer = makeEncoder(pool);
    for (const call of [attend(pool, { signal: deaf }), layer.forward(x, { signal: deaf })]) {
      await assert.rejects(call, { name: 'RangeError', message: 'deaf' });
    }
    assert.deepEqual(tasks, []);
    layer.delete();
    await pool.close();

    const controller = new AbortController();
    const { signal } = controller;
    const watched = await watchedPool({}, () => {
      controller.abort('while it starts');
      return new Worker(workerFile);
    });
    await assert.rejects(
      attend(watched.pool, { signal }),
      (reason) => reason === 'while it starts',
    );
    assert.deepEqual(watched.called, []);
    await watched.pool.close();
  });

  it('rejects at once, and queued tasks are never sent', async () => {
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

  it('lets a busy worker finish and continue', async () => {
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

  it('during a layer’s first call leaves the layer intact', async () => {
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
