// Workers of a pool: their number, and the outcome of calls and processes when a pool is closed, a worker dies, or a pool is collected.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';

import { loadAttention } from 'attention-wasm';
import { loadAttentionPool } from 'attention-wasm/pool';

import { inNode, inPages } from '../../../web/lib/pool/workers.js';
import { Workers } from '../../../web/lib/pool/workers.js';
import { run } from '../../support/js/package.js';
import { attentionTensors, normalTensor, seeded } from '../../support/js/random_tensors.js';
import { same, watchedPool, workerFile } from '../../support/js/watched_pool.js';
import { big, workOf, layerWidth, layerWeights } from '../../support/js/pooled_calls.js';

const workerOf = (source) => new Worker(source, { eval: true });

/** A pool worker that counts its messages in a shared Int32Array. */
function countingWorker(counter) {
  const program = `
    import { parentPort, workerData } from 'node:worker_threads';
    const post = parentPort.postMessage.bind(parentPort);
    parentPort.postMessage = (answer, transfer) => {
      post(answer, transfer);
      Atomics.add(workerData, 0, 1);
      Atomics.notify(workerData, 0);
    };
    await import('${workerFile}');`;
  const url = new URL(`data:text/javascript,${encodeURIComponent(program)}`);
  return new Worker(url, { workerData: counter });
}

describe('number of workers for some work', () => {
  const wanted = (count, worth, ...work) => {
    return new Workers(
      count,
      () => assert.fail('no worker is made'),
      () => true,
      {},
      worth,
    ).workersFor(...work);
  };

  it('grows with the work, in Node.js from less work than in a page', () => {
    for (const worth of [inNode, inPages]) {
      // Attention of zeros, and a layer.
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
    // 12 heads × 128 × 64: faster without workers in a page, with two workers in Node.js.
    const layout = { heads: 12, qLen: 128, kLen: 128, keyDim: 64, valueDim: 64 };
    const numbers = 3 * 12 * 128 * 64;
    assert.equal(wanted(2, inPages, workOf(layout), numbers), 0);
    assert.equal(wanted(2, inNode, workOf(layout), numbers), 2);
  });

  it('is never 1 of several, which is slower than the calling thread', () => {
    for (const worth of [inNode, inPages]) {
      for (let work = 1e6; work < 1e8; work *= 1.1) {
        for (const numbers of [0, 1e5, undefined]) {
          assert.notEqual(wanted(2, worth, work, numbers), 1, `${work} of ${numbers}`);
        }
      }
    }
    // A head of 256 × 64 takes half a millisecond in Node.js; and a layer of 28 × 256.
    const head = { heads: 1, qLen: 256, kLen: 256, keyDim: 64, valueDim: 64 };
    assert.equal(wanted(2, inNode, workOf(head), 3 * 256 * 64), 0);
    assert.equal(wanted(2, inNode, 28 * 256 * (4 * 256 + 2 * 28)), 0);
  });

  it('is 0 if sending takes longer than the work', async () => {
    for (const worth of [inNode, inPages]) {
      const least = worth.from + worth.perNumber * 1e8;
      assert.equal(wanted(2, worth, least, 1e8), 2);
      assert.equal(wanted(2, worth, least - 1, 1e8), 0);
    }
    // For large batches of short sequences, a page needs as long to send as to compute.
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
  // Work for one worker: the queries of one kernel block.
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

  it('begins with checked options', async () => {
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
        /^RangeError: kernels must be 'simd', 'reference' or fused of 'attention-wasm\/fused', found 'scalar'$/,
      ],
      [
        { kernels: 1 },
        /^TypeError: kernels must be 'simd', 'reference' or fused of 'attention-wasm\/fused', found 1$/,
      ],
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

  it('ends with close(): running and later calls reject', async () => {
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

  it('may end at once, while workers start, and without workers', async () => {
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
    const answers = new Int32Array(new SharedArrayBuffer(4));
    const { pool, made } = await watchedPool({}, () => countingWorker(answers));
    await pool.attention(query, key, value);
    const uncaught = [];
    const onUncaught = (error) => uncaught.push(error);
    process.on('uncaughtException', onUncaught);
    const before = Atomics.load(answers, 0);
    const pending = assert.rejects(pool.attention(query, key, value), closed);
    // A worker has answered, and this thread receives the answer after the pool was closed.
    Atomics.wait(answers, 0, before);
    assert.ok(Atomics.load(answers, 0) > before);
    await Promise.all([pool.close(), pending, ...made.map((worker) => once(worker, 'exit'))]);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('uncaughtException', onUncaught);
    assert.deepEqual(uncaught, []);
  });

  it('continues when a worker dies: only its own calls reject', async () => {
    const { pool, made } = await watchedPool();
    const layer = pool.MultiHeadAttention.fromWeights(weights, sizes);
    same(await layer.forward(x), layerWant);
    same(await pool.attention(query, key, value), want);
    assert.equal(made.length, 2);

    // Some 0.2 s of work for each worker: they run when one of them ends.
    const long = big('long', { heads: 16, qLen: 2048, kLen: 2048, keyDim: 64, valueDim: 64 });
    const died = { name: 'Error', message: 'a worker of the pool died: it ended with exit code 1' };
    for (const victim of [0, 1]) {
      const before = made.length;
      // A long task for each worker, so that the other tasks stay queued.
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
      // The new worker has the layer again.
      same(await layer.forward(x), layerWant);
      same(await pool.attention(query, key, value), want);
      assert.equal(made.length, before);
      made.splice(victim, 0, made.pop());
    }
    layer.delete();
    await pool.close();
  });

  it('continues when an idle worker dies', async () => {
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
    it(`continues after a worker that ${name}`, async () => {
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
  it('is replaced after a minute', async (t) => {
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
      message: 'a worker of the pool was terminated: it did not start within 60 seconds',
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
    // Fires only if something else keeps the process alive.
    setTimeout(() => { throw new Error('still alive'); }, 120_000).unref();
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

  it('may be an argument of node --eval', async () => {
    const args = ['--input-type=module', '--eval', script('await compute();')];
    assert.equal(await run(process.execPath, args), '512,64 512,64\n');
  });

  it('may have arguments of Node.js that workers refuse', async () => {
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
