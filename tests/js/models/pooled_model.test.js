// attention-wasm/models with a pool: the bits of the same model without one, and what ends a model in workers.
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { loadAttention } from 'attention-wasm';
import { loadAttention as loadAttentionCore } from 'attention-wasm/core';
import { loadModel } from 'attention-wasm/models';
import { loadAttentionPool } from 'attention-wasm/pool';
import { allTokens, dividing, loadDivided } from '../../support/js/divided_models.js';
import { cases } from '../../support/js/models_with_tokens.js';
import { seededInput, seededWeights } from '../../support/js/seeded_weights.js';
import { same, watchedPool, workerFile } from '../../support/js/watched_pool.js';
import { serveTasks } from '../../../web/lib/pool/serve_tasks.js';

const sourceOf = (found) => ({ config: found.config, weights: seededWeights(found) });
const llama = sourceOf(cases.llama);
const { ids } = cases.llama.input;

describe('a model on a pool', () => {
  let pool;
  before(async () => (pool = await loadAttentionPool({ workers: 3 })));
  after(() => pool.close());

  for (const [name, found] of Object.entries(cases)) {
    it(`has the bits of one without: ${name}`, async () => {
      const source = sourceOf(found);
      const input = seededInput(found);
      const [alone, divided] = [await loadModel(source), await loadDivided(source, pool)];
      assert.equal(divided.workers, 3);
      const options = { attentions: true, hiddenStates: true, projections: true };
      same(await divided.run(input, options), alone.run(input, options), name);
      if (['gpt2', 'qwen3', 'bart', 't5'].includes(name)) {
        const generation = { maxTokens: 3, attentions: 'average', logits: true };
        const [got, want] = [
          divided.generate(input, generation),
          alone.generate(input, generation),
        ];
        same(await allTokens(got), await allTokens(want), name);
      }
      divided.delete();
      alone.delete();
    });
  }

  it('gives its errors as rejections', async () => {
    const model = await loadDivided(llama, pool);
    await assert.rejects(model.run({ ids }, { heads: 1 }), TypeError);
    await assert.rejects(model.run({ ids: [10 ** 6] }), RangeError);
    assert.throws(() => model.generate({ ids }, { heads: 1 }), TypeError);
    model.delete();
    await assert.rejects(loadModel(llama, { pool: {} }), /pool must be a result of/);
    await assert.rejects(loadModel(llama, { pool, api: await loadAttention() }), /api and pool/);
  });
});

describe('the workers of a model', () => {
  it('are one for a small model', async () => {
    const { pool, count, made } = await watchedPool({ workers: 2 });
    const model = await loadModel(llama, { pool });
    assert.equal(model.workers, 1);
    const { hidden } = await model.run({ ids });
    assert.deepEqual([made.length, count('run'), count('connect')], [1, 1, 0]);
    const alone = await loadModel(llama);
    same(hidden, alone.run({ ids }).hidden);
    alone.delete();
    await pool.close();
  });

  it('hold each matrix once, together', async () => {
    const { pool, made } = await watchedPool({ workers: 2 });
    await pool.attention(
      ...Array(3).fill({ data: new Float32Array(2 ** 20), dims: [2 ** 14, 64] }),
    );
    let bytes = 0;
    for (const worker of made) {
      const post = worker.postMessage;
      worker.postMessage = (message, transfer) => {
        for (const { byteLength = 0 } of transfer ?? []) bytes += byteLength;
        post(message, transfer);
      };
    }
    const model = await loadDivided(llama, pool);
    const vectors = 4 * (2 * model.layers + 1) * cases.llama.config.hidden_size;
    assert.ok(Math.abs(bytes - model.memoryBytes) <= vectors, `${bytes} of ${model.memoryBytes}`);
    await pool.close();
  });
});

describe('runs at the same time', () => {
  it('add one listener to a signal, and print no warning', async () => {
    const warnings = [];
    const listener = (warning) => warnings.push(warning.message);
    process.on('warning', listener);
    const { pool } = await watchedPool({ workers: 2 });
    const model = await loadDivided(llama, pool);
    const { signal } = new AbortController();
    const runs = Array.from({ length: 12 }, () => model.run({ ids }, { signal }));
    await Promise.all([...runs, ...runs.map(() => model.run({ ids }))]);
    await new Promise((done) => setImmediate(done)); // warnings are printed in a later task
    process.off('warning', listener);
    assert.deepEqual(warnings, []);
    await pool.close();
  });
});

/** Functions that make workers whose model exchanges columns in this way. */
const exchanges = {
  'in memory that workers share': () => new Worker(workerFile),
  'through ports': () => refusing(({ memory }) => memory),
  'through this thread': () => refusing(({ memory, port }) => memory ?? port),
};

/** A worker that accepts no message with what of(message) returns. */
function refusing(of) {
  const worker = new Worker(workerFile);
  const post = worker.postMessage.bind(worker);
  worker.postMessage = (message, transfer) => {
    if (of(message)) throw new TypeError('refused');
    post(message, transfer);
  };
  return worker;
}

/** A worker whose code runs in this thread, which must not sleep. */
function inThisThread() {
  const worker = new EventEmitter();
  const ports = [];
  const serve = serveTasks(loadAttentionCore, (message, transfer) => {
    const received = structuredClone(message, { transfer });
    setImmediate(() => worker.emit('message', received));
  });
  worker.postMessage = (message, transfer) => {
    if (message.shared) throw new Error('this thread would sleep');
    const received = structuredClone(message, { transfer });
    if (received.port) ports.push(received.port);
    setImmediate(() => serve(received));
  };
  worker.terminate = () => ports.forEach((port) => port.close());
  return worker;
}

/** The messages by which runs begin, from now on. */
function beginningsOf(workers) {
  const begun = [];
  for (const worker of workers) {
    const post = worker.postMessage;
    worker.postMessage = (message, transfer) => {
      if (message.task === 'run') begun.push(message);
      post(message, transfer);
    };
  }
  return begun;
}

describe('workers of a model', () => {
  for (const [way, makeWorker] of Object.entries(exchanges)) {
    for (const workers of [2, 3]) {
      it(`exchange columns ${way}: ${workers} workers have the bits of one thread`, async () => {
        const { pool, made } = await watchedPool({ workers }, makeWorker);
        const model = await loadDivided(llama, pool);
        const begun = beginningsOf(made);
        const alone = await loadModel(llama);
        const options = { attentions: true, hiddenStates: true };
        same(await model.run({ ids }, options), alone.run({ ids }, options));
        assert.equal(begun.length, workers);
        for (const { shared, peers } of begun) {
          assert.equal(shared instanceof SharedArrayBuffer, way.includes('memory'));
          assert.equal(Array.isArray(peers), way.includes('ports'));
        }
        await pool.close();
      });
    }
  }

  it('share no memory where they run in this thread', async () => {
    const { pool, made } = await watchedPool({ workers: 2 }, inThisThread);
    const model = await loadDivided(llama, pool);
    const begun = beginningsOf(made);
    same(await model.run({ ids }), (await loadModel(llama)).run({ ids }));
    assert.equal(begun.length, 2);
    for (const { peers } of begun) assert.ok(Array.isArray(peers));
    await pool.close();
  });

  it('exchange the columns of many rows through ports', async () => {
    const { pool, made } = await watchedPool(
      { workers: 2 },
      exchanges['in memory that workers share'],
    );
    const model = await loadDivided(llama, pool);
    const begun = beginningsOf(made);
    const long = { ids: Array.from({ length: 1100 }, (_, at) => ids[at % ids.length]) };
    same(await model.run(long), (await loadModel(llama)).run(long));
    for (const { shared, peers } of begun) {
      assert.equal(typeof shared, 'undefined');
      assert.ok(Array.isArray(peers));
    }
    assert.equal(begun.length, 2);
    await pool.close();
  });
});

for (const [way, makeWorker] of Object.entries(exchanges)) {
  describe(`the end of a model on a pool, columns ${way}`, () => endsOf(makeWorker));
}

function endsOf(makeWorker) {
  let watched;
  let model;
  let want;

  before(async () => {
    const alone = await loadModel(llama);
    want = alone.run({ ids }).hidden;
    alone.delete();
  });

  /** Runs a test with a model on two workers. */
  const withModel = (use) => async () => {
    watched = await watchedPool({ workers: 2 }, makeWorker);
    model = await loadDivided(llama, watched.pool);
    try {
      await use();
    } finally {
      await watched.pool.close();
    }
  };

  it(
    'is not an abort: the call rejects, and the next call has the same bits',
    withModel(async () => {
      const stopping = new AbortController();
      const running = model.run({ ids }, { signal: stopping.signal });
      const reason = new Error('enough');
      stopping.abort(reason);
      await assert.rejects(running, reason);
      same((await model.run({ ids })).hidden, want);
      await assert.rejects(model.run({ ids }, { signal: stopping.signal }), reason);
    }),
  );

  it(
    'is not an abort while a worker waits for the columns of another',
    withModel(async () => {
      const stopping = new AbortController();
      const late = watched.made[1];
      const post = late.postMessage;
      const withheld = new Promise((done) => {
        late.postMessage = (message, transfer) => {
          if (message.task === 'run') done();
          else post(message, transfer);
        };
      });
      const running = model.run({ ids }, { signal: stopping.signal });
      await withheld;
      await new Promise((done) => setImmediate(done)); // the other worker has been sent its message, too
      stopping.abort(new Error('enough'));
      await assert.rejects(running, /enough/);
      late.postMessage = post;
      same((await model.run({ ids })).hidden, want);
    }),
  );

  it(
    'is delete(), also in the middle of a call',
    withModel(async () => {
      const running = model.run({ ids });
      model.delete();
      model.delete();
      await assert.rejects(running, /the model was deleted/);
      await assert.rejects(model.run({ ids }), /the model was deleted/);
      const again = await loadDivided(llama, watched.pool);
      same((await again.run({ ids })).hidden, want);
      assert.equal(watched.count('freeLayer'), 2 * model.layers);
    }),
  );

  it(
    'is the death of a worker: calls reject with the reason, and the pool replaces it',
    withModel(async () => {
      const running = model.run({ ids });
      watched.made[1].terminate();
      await assert.rejects(running, /a worker of the pool died/);
      await assert.rejects(model.run({ ids }), /a worker of the pool died/);
      assert.throws(() => model.generate({ ids }), /a worker of the pool died/);
      const again = await loadDivided(llama, watched.pool);
      same((await again.run({ ids })).hidden, want);
      assert.equal(watched.made.length, 3);
    }),
  );

  it(
    'is the death of a worker while a text is generated',
    withModel(async () => {
      const tokens = model.generate({ ids }, { maxTokens: 4 })[Symbol.asyncIterator]();
      await tokens.next();
      watched.made[0].terminate();
      await assert.rejects(tokens.next(), /a worker of the pool died/);
      await assert.rejects(model.run({ ids }), /a worker of the pool died/);
    }),
  );

  it('is close() of the pool, also while it is loaded', async () => {
    const { pool } = await watchedPool({ workers: 2 });
    const loading = loadModel(llama, { pool: dividing(pool) });
    await pool.close();
    await assert.rejects(loading, /the pool was closed/);
  });

  it(
    'frees the caches of a text that is left',
    withModel(async () => {
      for await (const token of model.generate({ ids }, { maxTokens: 4 })) if (token) break;
      assert.equal(watched.count('freeCaches'), 2 * model.layers);
    }),
  );

  it(
    'frees the caches of texts that are forgotten',
    withModel(async () => {
      setFlagsFromString('--expose-gc');
      const gc = runInNewContext('gc');
      const texts = [{ maxTokens: 4 }, { maxTokens: 4, logits: true, beam: 2 }];
      const caches = 2 * model.layers * (texts.length + 1); // beam search has caches of its own
      for (const options of texts) await model.generate({ ids }, options).next();
      for (let tries = 0; tries < 100 && watched.count('freeCaches') < caches; tries++) {
        gc();
        await new Promise((done) => setImmediate(done)); // collected objects are reported in a later task
      }
      assert.equal(watched.count('freeCaches'), caches);
      same((await model.run({ ids })).hidden, want);
    }),
  );
}
