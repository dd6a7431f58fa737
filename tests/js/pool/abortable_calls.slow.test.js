// Aborted calls of a pool: every promise settles with the right bits or the signal's reason, queued work is never computed,
// and the workers continue.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';

import { loadAttentionPool } from 'attention-wasm/pool';

import { run } from '../../support/js/package.js';
import {
  attend,
  makeEncoder,
  makeLayer,
  want,
  wantOf,
  x,
} from '../../support/js/abortable_calls.js';
import { seeded } from '../../support/js/random_tensors.js';
import { same, watchedPool } from '../../support/js/watched_pool.js';

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
    it(`all settle, also if the pool is closed meanwhile (${seed})`, async (t) => {
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
      // Actions by the number of calls that have settled.
      const later = Array.from({ length: 301 }, () => []);
      let settled = 0;
      const settle = () => later[++settled].forEach((act) => act());
      for (let at = 0; at < 300; at++) {
        const [call, results] = kinds[Math.floor(numbers() * kinds.length)];
        const controller = new AbortController();
        promises.push(call({ signal: controller.signal }));
        expected.push(results);
        isAsked.push(numbers() < 0.6);
        promises.at(-1).then(settle, settle);
        if (isAsked[at]) later[Math.floor(numbers() * 200)].push(() => controller.abort(at));
      }
      let closing;
      if (seed !== 1) later[100 * (seed - 1)].push(() => (closing = pool.close()));
      for (const act of later[0]) act();
      const counts = await outcomes(promises, isAsked, expected);
      t.diagnostic(`note: ${JSON.stringify(counts)}`);
      assert.ok(counts.aborted > 0);
      assert.equal(made.length, 3);
      if (seed !== 1) {
        assert.ok(counts.closed > 0);
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
      setTimeout(() => { throw new Error('still alive'); }, 120_000).unref();
      import { loadAttentionPool } from '${import.meta.resolve('attention-wasm/pool')}';
      const pool = await loadAttentionPool({ workers: 2 });
      const x = { data: new Float32Array(512 * 64).fill(1), dims: [512, 64] };
      const controller = new AbortController();
      const { signal } = controller;
      const calls = Array.from({ length: 20 }, () => pool.attention(x, x, x, { signal }));
      calls[0].then(() => controller.abort(1));
      const settled = await Promise.allSettled(calls);
      console.log(settled.every(({ status, reason }) => status === 'fulfilled' || reason === 1));
      await pool.attention(x, x, x, { signal: new AbortController().signal });
    `;
    const args = ['--input-type=module', '--eval', script];
    assert.equal(await run(process.execPath, args), 'true\n');
  });

  it('gets no warning about listeners', async () => {
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
