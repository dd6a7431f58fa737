// Parts that are loaded later: again after a failure, without being shown once more.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLater, retryAfter } from '../../web/demo/page/scheduling.js';

/** Lets promises that are settled go on. */
const settle = () => new Promise((done) => setImmediate(done));

describe('a component that is loaded later', () => {
  it('is loaded again after a failure, and shows what was shown last', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    globalThis.requestAnimationFrame = (paint) => Number(setTimeout(paint, 0)) || 0;
    t.after(() => delete globalThis.requestAnimationFrame);
    const pass = async (time) => {
      t.mock.timers.tick(time);
      await settle();
      t.mock.timers.tick(1);
      await settle();
    };
    const shown = [];
    let tries = 0;
    const later = createLater(
      async () => {
        if (++tries < 3) throw new Error('offline');
        return { show: (...what) => shown.push(what) };
      },
      (promise) => promise,
    );
    later.show(1);
    await pass(0);
    later.show(2, 'two');
    await pass(0);
    assert.deepEqual([tries, shown], [1, []], 'not at each show()');
    await pass(retryAfter);
    await pass(0);
    assert.equal(tries, 2);
    await pass(retryAfter);
    await pass(0);
    assert.deepEqual([tries, shown], [3, [[2, 'two']]]);
    later.show(3);
    assert.deepEqual(shown.at(-1), [3]);
    await pass(retryAfter);
    assert.equal(tries, 3);
  });
});
