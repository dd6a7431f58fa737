// Calls between the page and its worker: results, events and errors, each once; what is moved; a worker that is stopped;
// and that the newest of two calls wins.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { answerCalls, createCaller, Stopped, transfer } from '../../../web/demo/worker/calls.js';
import { createNewest } from '../../../web/demo/worker/newest.js';

/** A promise and what settles it. */
function deferred() {
  const parts = {};
  parts.promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return parts;
}

const ports = [];
after(() => ports.forEach((port) => port.close()));

/** Both ends, with a channel between them; `unclaimed`: messages that belong to no call. */
function connect(methods) {
  const { port1, port2 } = new MessageChannel();
  ports.push(port1, port2);
  const caller = createCaller((call) => port1.postMessage(call));
  const unclaimed = [];
  port1.onmessage = ({ data }) => caller.hear(data) || unclaimed.push(data);
  port2.onmessage = answerCalls(methods, (message, buffers) => port2.postMessage(message, buffers));
  return { caller, unclaimed, post: (message) => port2.postMessage(message) };
}

describe('a call', () => {
  it('has its result, after its events in their order', async () => {
    const { caller } = connect({
      async sweep({ over }, on) {
        for (const first of [0, 1, 2]) on.swept({ first, over });
        return 'measured';
      },
      tensors: () => null,
    });
    const swept = [];
    const call = caller.call('sweep', { over: 'heads' }, { swept: (step) => swept.push(step) });
    assert.equal(caller.isBusy(), true);
    assert.equal(await call, 'measured');
    assert.deepEqual(
      swept,
      [0, 1, 2].map((first) => ({ first, over: 'heads' })),
    );
    assert.equal(await caller.call('tensors'), null);
    assert.equal(caller.isBusy(), false);
  });

  it('has its own answer where several are due', async () => {
    const held = [deferred(), deferred()];
    const { caller } = connect({ inside: (row) => held[row].promise });
    const [first, second] = [0, 1].map((row) => caller.call('inside', row));
    held[1].resolve('second');
    assert.equal(await second, 'second');
    held[0].resolve('first');
    assert.equal(await first, 'first');
  });

  it('rejects with the message of an error, thrown at once or later, also of one that is no Error', async () => {
    const { caller } = connect({
      headScores: () => assert.fail('no text is shown'),
      effect: () => Promise.reject('out of memory'),
    });
    await assert.rejects(caller.call('headScores', 0), { message: 'no text is shown' });
    await assert.rejects(caller.call('effect'), { message: 'out of memory' });
    assert.equal(caller.isBusy(), false);
  });

  it('that cannot be sent is not due', async () => {
    const { caller } = connect({});
    await assert.rejects(
      caller.call('open', () => {}),
      { name: 'DataCloneError' },
    );
    assert.equal(caller.isBusy(), false);
  });

  it('moves the buffers of what is marked, and copies all else', async () => {
    const own = { moved: new Float32Array([1, 2]), copied: new Float32Array([3, 4]) };
    const { caller } = connect({
      show: (_, on) => on.shown(transfer({ picture: { weights: own.moved } })),
      tensors: () => ({ query: own.copied }),
    });
    const shown = [];
    await caller.call('show', {}, { shown: (answer) => shown.push(answer) });
    assert.deepEqual(Array.from(shown[0].picture.weights), [1, 2]);
    assert.equal(own.moved.length, 0, 'it is lost in the worker');
    assert.deepEqual(Array.from((await caller.call('tensors')).query), [3, 4]);
    assert.equal(own.copied.length, 2);
  });

  it('ends where its worker is stopped; what comes then belongs to none', async () => {
    const held = deferred();
    const { caller, unclaimed, post } = connect({
      inside: () => held.promise,
      tensors: () => null,
    });
    const call = caller.call('inside', 0);
    caller.stop();
    await assert.rejects(
      call,
      (error) => error instanceof Stopped && /stopped/.test(error.message),
    );
    assert.equal(caller.isBusy(), false);
    held.resolve(1);
    post({ type: 'swept', id: 99 });
    await caller.call('tensors'); // its end comes after both
    assert.deepEqual(unclaimed.map(({ type }) => type).sort(), ['done', 'swept']);
  });
});

describe('the newest work', () => {
  it('aborts the one that runs, and begins when that has ended; one that waits never begins', async () => {
    const newest = createNewest();
    const said = [];
    const ends = [];
    const work = (name) => async (signal) => {
      said.push(`${name} begins`);
      const end = deferred();
      ends.push(end);
      await end.promise;
      said.push(`${name} ends${signal.aborted ? ', aborted' : ''}`);
      signal.throwIfAborted();
    };
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const calls = [newest(work('first'))];
    await turn();
    calls.push(newest(work('second')), newest(work('third')));
    await turn();
    assert.deepEqual(said, ['first begins']);
    ends[0].resolve();
    await turn();
    ends[1].resolve();
    assert.deepEqual(await Promise.all(calls), [undefined, undefined, undefined]);
    assert.deepEqual(said, ['first begins', 'first ends, aborted', 'third begins', 'third ends']);
  });

  it('rejects if it fails, and the next one runs', async () => {
    const newest = createNewest();
    const failed = newest(() => Promise.reject(new Error('out of memory')));
    await assert.rejects(failed, { message: 'out of memory' });
    let hasRun = false;
    await newest(async () => {
      hasRun = true;
    });
    assert.equal(hasRun, true);
  });
});
