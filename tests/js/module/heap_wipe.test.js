// loadAttention({ wipe: true }): calls, deleted layers and caches leave no data in the module's memory.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';

import { loadAttention } from 'attention-wasm';
import { fused } from 'attention-wasm/fused';
import { loadAttentionPool } from 'attention-wasm/pool';

import { explainBitDifference } from '../../support/js/compare.js';
import { everyCall } from '../../support/js/every_call.js';
import { loadWithMemory, timesIn } from '../../support/js/module_memory.js';
import { asBfloat16 } from '../../support/js/narrowed.js';
import { readVectors } from '../../support/js/vectors.js';

// Neither its bits nor those of its bfloat16 form, 0x45A3, occur in code or tables.
const secret = 5221.3;
const tensor = (...dims) => ({
  data: new Float32Array(dims.reduce((a, b) => a * b, 1)).fill(secret),
  dims,
});

const x = tensor(20, 8);
const square = tensor(8, 8);
const weights = { query: square, key: square, value: square, output: square };
const used = (object, use) => {
  try {
    use(object);
  } finally {
    object.delete();
  }
};

/** Calls that leave the secret in memory without wiping. */
const calls = {
  attention: ({ attention }) => attention(x, x, x, { weights: true, scores: 'raw' }),
  'attention too large for the block that stays': ({ attention }) => {
    const long = tensor(4000, 8);
    attention(long, long, long);
  },
  'attention with lists': ({ attention }) =>
    attention(x, x, x, { sinks: [secret], slopes: [secret], scale: secret }),
  'attention with a mask': ({ attention }) => attention(x, x, x, { mask: tensor(20, 20) }),
  'numbers of bfloat16': ({ attention }) => attention(asBfloat16(x), asBfloat16(x), asBfloat16(x)),
  'the steps': ({ scores, softmax, weightedSum }) => weightedSum(softmax(scores(x, x)), x),
  kernelAttention: ({ kernelAttention }) => kernelAttention(x, x, x, { similarity: 'gaussian' }),
  'a similarity of one’s own': ({ kernelAttention }) =>
    kernelAttention(x, x, x, { similarity: () => secret }),
  linearAttention: ({ linearAttention }) => linearAttention(x, x, x, { state: true }),
  rotaryEmbedding: ({ rotaryEmbedding }) => rotaryEmbedding(x),
  layerNorm: ({ layerNorm }) => layerNorm(x),
  embed: ({ embed }) => embed([3], asBfloat16(x)),
  'a linear map': ({ Linear }) =>
    used(Linear.fromTorch({ weight: square }), (layer) => layer.forward(x)),
  'a linear map that is filled': ({ Linear }) =>
    used(Linear.reserve({ inDim: 8, outDim: 8 }), (layer) => layer.fill(0, square)),
  'a layer and its cache': ({ MultiHeadAttention }) =>
    used(MultiHeadAttention.fromWeights(weights, { heads: 2 }), (layer) =>
      used(layer.createCache({ capacity: 30 }), (cache) =>
        layer.forward(x, undefined, { cache, causal: true }),
      ),
    ),
  'attention of one query': ({ attention }) => attention(tensor(1, 9), tensor(1, 9), tensor(1, 9)),
  'a cache': ({ KeyValueCache }) =>
    used(new KeyValueCache({ keyDim: 8, capacity: 30 }), (cache) => {
      cache.append(x, x);
      cache.attend(x);
    }),
};
const refusedCalls = {
  'tensors that do not fit': ({ attention }) => attention(x, x, tensor(21, 8)),
  'an option that is none': ({ attention }) =>
    attention(x, x, x, { slopes: [secret], sinks: [secret, secret] }),
};

describe('wipe: true', async () => {
  for (const kernels of ['simd', fused]) {
    it(`leaves no number of a call in memory, ${kernels.name ?? kernels} kernels`, async () => {
      for (const [name, call] of Object.entries(calls)) {
        const plain = await loadWithMemory({ kernels });
        assert.equal(timesIn(plain.bytes(), secret), 0, 'the secret is everywhere');
        call(plain.api);
        assert.ok(timesIn(plain.bytes(), secret) > 0, `${name} shows nothing`);
        const { api, bytes } = await loadWithMemory({ kernels, wipe: true });
        call(api);
        assert.equal(timesIn(bytes(), secret), 0, name);
      }
    });
  }

  it('leaves no number of a refused call', async () => {
    const { api, bytes } = await loadWithMemory({ wipe: true });
    for (const [name, call] of Object.entries(refusedCalls)) {
      assert.throws(() => call(api), RangeError);
      assert.equal(timesIn(bytes(), secret), 0, name);
    }
  });

  it('leaves the same memory for any numbers, and gives the same bits, on every path', async () => {
    const fixture = (name) => readFileSync(new URL(`../../vectors/${name}`, import.meta.url));
    const read = () => readVectors(JSON.parse(fixture('vectors.json')), fixture('vectors.bin'));
    const others = read();
    const { api, bytes } = await loadWithMemory({ wipe: true });
    const other = await loadWithMemory({ wipe: true });
    const plain = await loadAttention();
    for (const [index, one] of read().entries()) {
      if (index % 5 !== 0) continue;
      const changed = others[index];
      for (const { dims, data } of Object.values({ ...changed.inputs, ...changed.weights })) {
        if (dims.length > 0 && !(data instanceof Uint8Array))
          data.forEach((n, at) => (data[at] = n * 0.75));
      }
      const changedCalls = everyCall(other.api, changed);
      const plainCalls = everyCall(plain, one);
      for (const { path, results } of everyCall(api, one)) {
        changedCalls.next();
        const want = plainCalls.next().value.results;
        for (const [name, { data }] of Object.entries(results)) {
          if (data && want[name].data) {
            assert.equal(
              explainBitDifference(results[name], want[name]),
              '',
              `${one.name} ${path}`,
            );
          }
        }
      }
      changedCalls.next();
      plainCalls.next();
      assert.ok(bytes().equals(other.bytes()), one.name);
    }
  });

  it('wipes collected objects', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc');
    const { api, bytes } = await loadWithMemory({ wipe: true });
    (() => api.Linear.fromTorch({ weight: square }))();
    assert.ok(timesIn(bytes(), secret) > 0);
    for (let tries = 0; tries < 100 && timesIn(bytes(), secret) > 0; tries++) {
      collect();
      await setImmediate(); // collected objects are reported in a later task
    }
    assert.equal(timesIn(bytes(), secret), 0);
  });

  it('does not wipe living objects', async () => {
    const { api } = await loadWithMemory({ wipe: true });
    const cache = new api.KeyValueCache({ keyDim: 8, capacity: 40 });
    cache.append(x, x);
    const want = cache.attend(x);
    calls.attention(api);
    assert.deepEqual(cache.attend(x), want);
    cache.delete();
    cache.delete();
  });

  it('zeros the memory of an instance whose call was interrupted', async () => {
    const { api, bytes } = await loadWithMemory({ wipe: true });
    api.Linear.fromTorch({ weight: square });
    const callAtTheEnd = () => {
      try {
        callAtTheEnd();
      } catch {
        api.attention(x, x, x);
      }
    };
    assert.throws(() => {
      for (let round = 0; round < 1000; round++) callAtTheEnd();
    }, /interrupted/);
    assert.throws(() => api.attention(x, x, x), /interrupted/);
    assert.ok(bytes().every((byte) => byte === 0));
  });

  it('makes a separate instance', async () => {
    assert.notEqual(await loadAttention({ wipe: true }), await loadAttention());
    assert.notEqual(await loadAttention({ wipe: true }), await loadAttention({ wipe: true }));
    await assert.rejects(loadAttention({ wipe: 1 }), {
      name: 'TypeError',
      message: 'wipe must be true or false, found 1',
    });
  });
});

/** Pool workers that report, by a separate port, how often the secret occurs in their module's memory. */
function searchedWorker() {
  const { port1, port2 } = new MessageChannel();
  const program = `
    import { workerData } from 'node:worker_threads';
    import { seeMemory, timesIn } from '${new URL('../../support/js/module_memory.js', import.meta.url)}';
    const { bytes } = seeMemory();
    await import('${import.meta.resolve('attention-wasm/pool-worker')}');
    workerData.on('message', (search) => workerData.postMessage(timesIn(bytes(), search)));`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`), {
    workerData: port2,
    transferList: [port2],
  });
  const search = async () => {
    port1.ref();
    port1.postMessage(secret);
    const [times] = await once(port1, 'message');
    port1.unref();
    return times;
  };
  return { worker, search };
}

describe('a pool that wipes', () => {
  for (const wipe of [undefined, true]) {
    it(`leaves ${wipe ? 'nothing' : 'something, if it does not,'} in its workers`, async () => {
      const made = [];
      const createWorker = () => {
        made.push(searchedWorker());
        return made.at(-1).worker;
      };
      const pool = await loadAttentionPool({ workers: 2, createWorker, wipe });
      const long = tensor(8, 256, 64);
      const blank = { data: new Float32Array(long.data.length), dims: long.dims };
      await pool.attention(long, long, long, { weights: 'average' });
      assert.equal(made.length, 2);
      const times = await Promise.all(made.map(({ search }) => search()));
      assert.deepEqual(
        times.map((count) => count > 0),
        [!wipe, !wipe],
      );
      const wide = { query: tensor(64, 64), key: tensor(64, 64), value: tensor(64, 64) };
      const layer = pool.MultiHeadAttention.fromWeights(wide, { heads: 4 });
      await layer.forward(tensor(2000, 64));
      const held = await Promise.all(made.map(({ search }) => search()));
      assert.ok(
        held.every((count) => count > 0),
        'weights are there until they are deleted',
      );
      layer.delete();
      // Each worker answers this call after it has freed the layer.
      await pool.attention(blank, blank, blank);
      const after = await Promise.all(made.map(({ search }) => search()));
      assert.deepEqual(
        after.map((count) => count > 0),
        [!wipe, !wipe],
      );
      await pool.close();
    });
  }
});
