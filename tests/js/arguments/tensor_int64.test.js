// int64 masks, such as a tokenizer's attention_mask: every call with a mask gives the bits of the same mask as bytes.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { loadAttentionPool } from 'attention-wasm/pool';
import { normalTensor, seeded } from '../../support/js/random_tensors.js';
import { same } from '../../support/js/same_results.js';

const random = seeded('int64 masks');
const tensor = (...dims) => normalTensor(random, dims);
const bits = [1, 0, 1, 1, 0, 1];
const dims = [1, 6];
const bytes = { data: Uint8Array.from(bits), dims };
// Nonzero values: 2 ** 40 has low bytes of 0; -1 and 2 differ from 1.
const values = [1n, 0n, 2n ** 40n, 2n, 0n, 255n];
const wide = {
  BigInt64Array: { data: BigInt64Array.from(values, (n) => (n === 2n ? -1n : n)), dims },
  BigUint64Array: { data: BigUint64Array.from(values), dims },
};

describe('a mask of int64', async () => {
  const api = await loadAttention();
  const [q, k, v] = [tensor(4, 8), tensor(6, 8), tensor(6, 8)];

  for (const [name, mask] of Object.entries(wide)) {
    it(`hides where it is 0, in attention and its steps (${name})`, () => {
      const options = { weights: true, scores: 'biased', logSumExp: true };
      const want = api.attention(q, k, v, { ...options, mask: bytes });
      assert.equal(want.weights.data[1], 0);
      same(api.attention(q, k, v, { ...options, mask }), want);
      const step = (given) => ({ scores: api.scores(q, k, { mask: given }) });
      same(step(mask), step(bytes));
      const kernel = { similarity: 'gaussian', weights: true };
      same(
        api.kernelAttention(q, k, v, { ...kernel, mask }),
        api.kernelAttention(q, k, v, { ...kernel, mask: bytes }),
      );
    });

    it(`hides where it is 0, in a layer and a cache (${name})`, () => {
      const layer = api.MultiHeadAttention.fromWeights(
        { query: tensor(8, 8), key: tensor(8, 8), value: tensor(8, 8) },
        { heads: 2 },
      );
      const forward = (given) => layer.forward(q, k, { mask: given, weights: true });
      same(forward(mask), forward(bytes));
      const cache = new api.KeyValueCache({ keyDim: 8, capacity: 6 });
      cache.append(k, v);
      const attend = (given) => cache.attend(q, { mask: given });
      same(attend(mask), attend(bytes));
      for (const object of [layer, cache]) object.delete();
    });

    it(`hides where it is 0, in a pool (${name})`, async () => {
      const pool = await loadAttentionPool({ workers: 2 });
      const [x, y] = [tensor(256, 64), tensor(512, 64)];
      const long = (list) => list.constructor.from({ length: 512 }, (_, n) => list[n % 6]);
      const given = { data: long(mask.data), dims: [1, 512] };
      const inBytes = { data: long(bytes.data), dims: [1, 512] };
      const want = api.attention(x, y, y, { mask: inBytes });
      same(await pool.attention(x, y, y, { mask: given }), want);
      await pool.close();
    });
  }

  it('is not changed, and checked like any other mask', () => {
    const mask = { data: BigInt64Array.from(values), dims };
    api.attention(q, k, v, { mask });
    assert.deepEqual([...mask.data], values);
    const tooShort = { data: BigInt64Array.of(1n), dims: [1, 1, 1, 1, 1] };
    assert.throws(() => api.attention(q, k, v, { mask: tooShort }), RangeError);
    const { buffer } = mask.data;
    structuredClone(buffer, { transfer: [buffer] });
    assert.throws(() => api.attention(q, k, v, { mask }), {
      name: 'TypeError',
      message: 'mask.data belongs to an ArrayBuffer that was detached',
    });
    assert.throws(
      () => api.attention(q, k, v, { mask: { data: Int32Array.from(bits), dims } }),
      TypeError,
    );
  });
});
