// A pool worker that posts messages other than answers: its calls reject, none stays pending, no rejection is unhandled, and
// the pool continues with another worker.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';

import { loadAttention } from 'attention-wasm';
import { loadAttentionPool } from 'attention-wasm/pool';

import { WorkerClient, listen } from '../../../web/lib/pool/worker_client.js';
import { serveTasks } from '../../../web/lib/pool/serve_tasks.js';
import { createFromEither } from '../../../web/lib/pool/fallback_worker.js';
import { run } from '../../support/js/package.js';
import { attentionTensors, seeded } from '../../support/js/random_tensors.js';
import { same, workerFile } from '../../support/js/watched_pool.js';

const { query, key, value } = attentionTensors(seeded('answers'), {
  ...{ heads: 8, qLen: 192, kLen: 192, keyDim: 32, valueDim: 32 },
});

/** A worker that answers its start, and posts the value of `expression` for every other task. */
const posting = (expression) => {
  const code = `import { parentPort } from 'node:worker_threads';
    parentPort.on('message', (task) => parentPort.postMessage(
      task.task === 'start' ? { id: task.id, result: [], error: undefined } : ${expression}));`;
  return new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`));
};

describe('a worker that posts', () => {
  const tensor = '{ data: new Float32Array(2), dims: [3] }';
  for (const expression of [
    ...['null', 'undefined', '5', "'text'", 'true', '[]', 'new Map()', '{ error: null }'],
    ...['{ here: true }', '{ id: 99, result: [] }', '{ id: String(task.id), result: [] }'],
    ...['{ id: task.id }', '{ id: task.id, result: null }', '{ id: task.id, result: 7 }'],
    ...['[]', '[null]', '[{}]', '[{ output: null }]', `[{ output: ${tensor} }]`].map(
      (result) => `{ id: task.id, result: ${result} }`,
    ),
    ...['null', "'x'", '{}', "{ name: 'RangeError' }"].map(
      (error) => `{ id: task.id, error: ${error} }`,
    ),
  ]) {
    it(
      `${expression} is terminated, and the next call has another worker`,
      { timeout: 60_000 },
      async () => {
        let count = 0;
        const pool = await loadAttentionPool({
          workers: 1,
          createWorker: () => (count++ === 0 ? posting(expression) : new Worker(workerFile)),
        });
        const calls = Array.from({ length: 4 }, () => pool.attention(query, key, value));
        for (const call of calls) {
          await assert.rejects(call, {
            name: 'Error',
            message: /^a worker of the pool posted .* not an answer/,
          });
        }
        const { attention } = await loadAttention();
        same(await pool.attention(query, key, value), attention(query, key, value));
        assert.equal(count, 2);
        await pool.close();
      },
    );
  }

  it('an error of an unknown class gives an Error', async () => {
    for (const name of ['constructor', '__proto__', 'SyntaxError']) {
      const error = `{ id: task.id, error: { name: ${JSON.stringify(name)}, message: 'so' } }`;
      const pool = await loadAttentionPool({ workers: 1, createWorker: () => posting(error) });
      const call = pool.attention(query, key, value);
      await assert.rejects(call, { name: 'Error', message: 'so' });
      await pool.close();
    }
  });

  it('an unreadable message rejects its calls', () => {
    const heard = [];
    const listeners = {};
    const worker = { on: (event, listener) => (listeners[event] = listener) };
    listen(worker, { message() {}, death: (reason) => heard.push(reason) });
    listeners.messageerror(new Error('could not be cloned'));
    assert.equal(heard.length, 1);
  });

  it('columns that cannot be sent on is terminated', async () => {
    const worker = new EventTarget();
    Object.assign(worker, { postMessage() {}, terminate() {} });
    const client = new WorkerClient(worker, () => {});
    const call = client.request({ task: 'run' });
    const { port1, port2 } = new MessageChannel();
    client.relays.set(1, (columns) =>
      port1.postMessage(
        columns,
        columns.map(({ buffer }) => buffer),
      ),
    );
    const rows = new Float32Array(4);
    const columns = [rows, rows.subarray(1)]; // of one buffer, which can be transferred once
    worker.dispatchEvent(Object.assign(new Event('message'), { data: { run: 1, columns } }));
    await assert.rejects(call, { name: 'DataCloneError' });
    assert.ok(client.isDead);
    port2.close();
  });
});

describe('a file that does not begin like the worker', () => {
  it('is replaced with the embedded code', { timeout: 60_000 }, async () => {
    const other = `import { parentPort } from 'node:worker_threads';
      parentPort.on('message', () => {}); parentPort.postMessage(null);`;
    const create = createFromEither({
      fromFile: () => new Worker(new URL(`data:text/javascript,${encodeURIComponent(other)}`)),
      fromCode: async () => new Worker(workerFile),
    });
    const worker = create();
    const answer = new Promise((resolve, reject) => {
      worker.on('message', resolve);
      worker.on('error', reject);
    });
    worker.postMessage({ id: 7, task: 'none' }, []);
    assert.equal((await answer).id, 7);
    await worker.terminate();
  });
});

describe('the side of the worker', () => {
  const served = async (...messages) => {
    const answers = [];
    const serve = serveTasks(
      () => Promise.reject(null),
      (answer) => answers.push(answer),
    );
    for (const message of messages) await serve(message);
    return answers;
  };

  it('ignores messages for other code', async () => {
    assert.deepEqual(await served(null, undefined, 5, 'text', {}, { task: 'start' }), []);
  });

  it('answers unknown tasks, and values of any type that were thrown', async () => {
    const answers = await served({ id: 1, task: 'toString' }, { id: 2, task: 'start' });
    assert.deepEqual(
      answers.map(({ id, error }) => [id, typeof error.message]),
      [
        [1, 'string'],
        [2, 'string'],
      ],
    );
  });
});

describe('a value that is not a worker', () => {
  it('is refused', async () => {
    const { port1 } = new MessageChannel();
    const silent = { postMessage() {}, terminate() {} };
    for (const worker of [undefined, null, 5, {}, port1, silent]) {
      const pool = await loadAttentionPool({ workers: 1, createWorker: () => worker });
      await assert.rejects(pool.attention(query, key, value), {
        name: 'TypeError',
        message: /^createWorker must return a worker/,
      });
    }
  });
});

describe('tasks of a call that failed while it sent them', () => {
  // In a process of its own: one with an unhandled rejection ends with 1.
  const after = (lines) =>
    run(process.execPath, [
      '--input-type=module',
      '--eval',
      `import { loadAttentionPool } from '${import.meta.resolve('attention-wasm/pool')}';
       import { Worker } from 'node:worker_threads';
       const x = { data: new Float32Array(4 * 512 * 64).fill(1), dims: [4, 512, 64] };
       const outcome = (call) => call.then(() => 'done', ({ name }) => name);
       ${lines}`,
    ]);

  it('cause no unhandled rejection when the pool is closed', async () => {
    const out = await after(`
      const { signal } = new AbortController();
      let reads = 0; // one read for the check, then one for each worker
      const get = () => {
        if (++reads === 3) throw new RangeError('no');
        return false;
      };
      Object.defineProperty(signal, 'aborted', { get });
      const pool = await loadAttentionPool({ workers: 2 });
      console.log(await outcome(pool.attention(x, x, x, { signal })));
      await pool.close();`);
    assert.equal(out, 'RangeError\n');
  });

  it('reject when the pool is closed, for any number of queued tasks', async () => {
    const out = await after(`
      const pool = await loadAttentionPool({ workers: 2 });
      const { signal } = new AbortController();
      const calls = Array.from({ length: 30 }, (_, at) =>
        outcome(pool.attention(x, x, x, at % 2 ? { signal } : {})));
      await pool.close();
      console.log(new Set(await Promise.all(calls)).size, await calls[0], await calls[29]);`);
    assert.equal(out, '1 Error Error\n');
  });
});
