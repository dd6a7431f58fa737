// int8 tensors with a scale for each row: inputs are converted to float32 products, also in a pool, whose results have
// the bits of one thread.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { loadAttentionPool } from 'attention-wasm/pool';
import { seeded, sizeOf } from '../../support/js/random_tensors.js';
import { same } from '../../support/js/same_results.js';

const random = seeded('int8');
const api = await loadAttention();

/** Random int8 numbers with scales, and the same as float32. */
function pairOf(dims) {
  const width = dims.at(-1);
  const data = Int8Array.from({ length: sizeOf(dims) }, () => random.integer(-128, 127));
  const rows = sizeOf(dims.slice(0, -1));
  const scales = Float32Array.from({ length: rows }, () => random.integer(1, 1000) / 40000);
  return {
    int8: { data, dims, scales },
    float: { data: Float32Array.from(data, (x, at) => x * scales[Math.floor(at / width)]), dims },
  };
}

describe('int8', () => {
  for (const dims of [
    [1, 2],
    [1, 5],
    [7, 2],
    [3, 3],
    [5, 4],
    [33, 17],
    [2, 3, 6],
    [4, 1],
    [3, 0],
    [0, 3],
  ]) {
    it(`becomes float32 at dims ${dims.join('×')}`, () => {
      const { int8, float } = pairOf(dims);
      same(api.layerNorm(int8), api.layerNorm(float));
      same(api.rotaryEmbedding(int8, { width: 0 }), float);
    });
  }

  it('of every number', () => {
    const data = Int8Array.from({ length: 256 }, (_, n) => n - 128);
    const int8 = { data, dims: [1, 256], scales: Float32Array.of(1) };
    same(api.rotaryEmbedding(int8, { width: 0 }), {
      data: Float32Array.from(data),
      dims: [1, 256],
    });
  });

  it('in the workers of a pool', async () => {
    const pool = await loadAttentionPool({ workers: 2 });
    const [q, k, v] = [1, 2, 3].map(() => pairOf([4, 300, 32]));
    const got = await pool.attention(q.int8, k.int8, v.int8);
    same(got.output, api.attention(q.float, k.float, v.float).output);
    const weights = Object.fromEntries(
      ['query', 'key', 'value', 'output'].map((name) => [name, pairOf([64, 64])]),
    );
    const layerOf = ({ MultiHeadAttention }, kind) =>
      MultiHeadAttention.fromWeights(
        Object.fromEntries(Object.entries(weights).map(([name, pair]) => [name, pair[kind]])),
        { heads: 4 },
      );
    const x = pairOf([400, 64]);
    const pooled = layerOf(pool, 'int8');
    const plain = layerOf(api, 'int8');
    same((await pooled.forward(x.int8)).output, plain.forward(x.float).output);
    for (const layer of [pooled, plain]) layer.delete();
    await pool.close();
  });

  it('needs its scales', () => {
    const data = new Int8Array(6);
    const wrong = (tensor, error) => assert.throws(() => api.layerNorm(tensor), error);
    wrong(
      { data, dims: [2, 3] },
      {
        name: 'TypeError',
        message: 'x.data is an Int8Array, so x.scales must be a Float32Array, found undefined',
      },
    );
    wrong(
      { data, dims: [2, 3], scales: new Float32Array(3) },
      { name: 'RangeError', message: 'x has dims 2×3, 2 rows, but its scales are 3' },
    );
    wrong(
      { data, dims: [2, 4], scales: new Float32Array(2) },
      { name: 'RangeError', message: 'x has dims 2×4 = 8 numbers but its data holds 6' },
    );
    wrong(
      { data, dims: [7, 1], scales: new Float32Array(7) },
      { name: 'RangeError', message: 'x has dims 7×1 = 7 numbers but its data holds 6' },
    );
  });
});
