// Parts that are loaded later: again after a failure.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLoaded, retryAfter } from '../../web/demo/page/scheduling.js';

/** Lets promises that are settled go on. */
const settle = () => new Promise((done) => setImmediate(done));

describe('what is loaded later', () => {
  it('is loaded again after a failure, and once', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    globalThis.requestAnimationFrame = (paint) => Number(setTimeout(paint, 0)) || 0;
    t.after(() => delete globalThis.requestAnimationFrame);
    const pass = async (time) => {
      t.mock.timers.tick(time);
      await settle();
      t.mock.timers.tick(1);
      await settle();
    };
    let tries = 0;
    const { get, come } = createLoaded(async () => {
      if (++tries < 3) throw new Error('offline');
      return 'loaded';
    });
    const waited = [];
    const wait = (promise) => {
      waited.push(promise.catch(() => {}));
      return promise;
    };
    const ends = [1, 2].map(() => come(wait));
    await pass(0);
    assert.deepEqual([tries, get()], [1, null], 'not at each come()');
    await pass(retryAfter);
    await pass(0);
    assert.equal(tries, 2);
    await pass(retryAfter);
    await pass(0);
    assert.deepEqual([tries, get(), waited.length], [3, 'loaded', 3]);
    await Promise.all(ends);
    await come(wait);
    await pass(retryAfter);
    assert.equal(tries, 3);
  });
});
