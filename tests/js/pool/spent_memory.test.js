// Memory that the pool uses for several calls of attention().
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';

import { loadAttention } from 'attention-wasm';

import { SpentMemory } from '../../../web/lib/pool/spent_memory.js';
import { encoderWeights, normalTensor, seeded } from '../../support/js/random_tensors.js';
import { same, watchedPool } from '../../support/js/watched_pool.js';

describe('memory of the pool', () => {
  it('is given out again, and dropped a second after the last call', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let dropped = 0;
    const memory = new SpentMemory(() => dropped++);
    const array = new Float32Array(8);
    const { buffer } = array;
    memory.retain([array]);
    t.mock.timers.tick(999);
    memory.retain([]);
    t.mock.timers.tick(999);
    const again = memory.allocate(8);
    assert.equal(again.buffer, buffer);
    assert.notEqual(memory.allocate(8).buffer, buffer);
    memory.retain([again]);
    assert.equal(dropped, 0);
    t.mock.timers.tick(1000);
    assert.equal(dropped, 1);
    assert.notEqual(memory.allocate(8).buffer, buffer);
  });
});

/** Numbers in the field `spare` of each call that a pool sends. */
async function spareOf(options) {
  const { pool, made } = await watchedPool(options);
  after(() => pool.close());
  const spare = [];
  const watch = (worker) => {
    const post = worker.postMessage;
    worker.postMessage = (message, transfer) => {
      if (message.calls) spare.push(message.spare?.map(({ length }) => length));
      post(message, transfer);
    };
  };
  return { pool, made, spare, watch };
}

describe('release() of a pool', () => {
  const random = seeded('released memory of the pool');
  const matrix = () => normalTensor(random, [512, 512]); // large enough to be kept

  /** Computes twice; the second result has the memory of the first, which was full of other numbers, and its bits. */
  async function checkReuse(release, compute) {
    const first = await compute();
    const want = structuredClone(first);
    first.output.data.fill(NaN);
    const { structuredClone: transfer } = globalThis;
    let taken;
    globalThis.structuredClone = (...buffer) => (taken = transfer(...buffer));
    try {
      release(first);
    } finally {
      globalThis.structuredClone = transfer;
    }
    assert.equal(first.output.data.length, 0);
    const second = await compute();
    assert.ok(second.output.data.buffer === taken);
    same(second, want);
    assert.ok((await compute()).output.data.buffer !== taken);
  }

  it('gives memory to the next result of this size', async () => {
    const { pool, count } = await watchedPool();
    after(() => pool.close());
    const heads = Array.from({ length: 3 }, () => normalTensor(random, [1, 8, 512, 64]));
    await checkReuse(pool.release, () => pool.attention(...heads, { causal: true }));
    const weights = { query: matrix(), key: matrix(), value: matrix(), output: matrix() };
    const layer = pool.MultiHeadAttention.fromWeights(weights, { heads: 8 });
    const x = matrix();
    await checkReuse(pool.release, () => layer.forward(x));
    const encoderState = encoderWeights(random, 512);
    const decoderState = {
      ...encoderState,
      'multihead_attn.in_proj_weight': normalTensor(random, [3 * 512, 512]),
      'multihead_attn.out_proj.weight': matrix(),
      'norm3.weight': normalTensor(random, [512]),
    };
    const encoder = pool.TransformerEncoderLayer.fromTorch(encoderState, { heads: 8 });
    await checkReuse(pool.release, () => encoder.forward(x));
    const decoder = pool.TransformerDecoderLayer.fromTorch(decoderState, { heads: 8 });
    await checkReuse(pool.release, () => decoder.forward(x, x));
    assert.equal(count('call'), 3 * 2 + 3 * 3 * 4);
  });
});

describe('calls of one shape', async () => {
  const { attention } = await loadAttention();
  const random = seeded('memory of the pool');
  const tensor = () => normalTensor(random, [1, 6, 256, 64]);
  const inputs = Array.from({ length: 4 }, () => [tensor(), tensor(), tensor()]);
  const half = 3 * 256 * 64;

  it('give the results of their own inputs, in memory of their own', async () => {
    const { pool, made, spare, watch } = await spareOf();
    const results = [];
    for (const [n, input] of inputs.entries()) {
      results.push(await pool.attention(...input));
      if (n === 0) made.forEach(watch);
    }
    inputs.forEach((input, n) => same(results[n], attention(...input), `call ${n}`));
    // Each worker gets the memory of its results back with the next call.
    assert.deepEqual(spare, Array(6).fill([half]));
  });

  it('keep nothing with the option `wipe`', async () => {
    const { pool, made, spare, watch } = await spareOf({ wipe: true });
    for (const input of inputs.slice(0, 2)) {
      same(await pool.attention(...input), attention(...input));
      made.forEach(watch);
    }
    assert.deepEqual(spare, [undefined, undefined]);
  });
});
