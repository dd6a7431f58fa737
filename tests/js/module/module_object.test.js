// Objects larger than WebAssembly's memory are refused, and existing objects stay unchanged.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';

const { KeyValueCache, Linear, MultiHeadAttention, TransformerEncoderLayer } = await loadAttention({
  kernels: 'simd',
});

const refused = { name: 'RangeError', message: /WebAssembly can address/ };
const zeros = (...dims) => ({ data: new Float32Array(dims.reduce((a, b) => a * b, 1)), dims });
// Columns are padded to 8, the width of a panel: each of these bytes becomes 8.
const narrow = (n, ...dims) => ({ data: new Int8Array(n), dims, scales: Float32Array.of(1) });

// A linear map of n numbers of int8 to one takes 64 + 8·n bytes, and 16 for a bias.
const sizes = {
  '4 GiB - 16': { n: 2 ** 29 - 10 },
  '4 GiB': { n: 2 ** 29 - 10, bias: zeros(1) },
  '4 GiB + 16': { n: 2 ** 29 - 6 },
};

describe('an object that cannot be addressed', () => {
  const one = zeros(64, 64);
  one.data.forEach((_, at) => (one.data[at] = Math.sin(at)));
  const neighbor = Linear.fromTorch({ weight: one });
  const x = { data: Float32Array.from({ length: 64 }, (_, at) => Math.cos(at)), dims: [1, 64] };
  const before = neighbor.forward(x).data;
  const neighborIsWhole = () => assert.deepEqual(neighbor.forward(x).data, before);

  it('is refused as a linear map that is only reserved', () => {
    for (const [type, largest] of [
      ['float32', 2 ** 27 - 1],
      ['float16', 2 ** 28 - 2],
      ['bfloat16', 2 ** 28 - 2],
      ['int8', 2 ** 29 - 10],
    ]) {
      for (const inDim of [largest, largest + 1, 2 ** 30, 2 ** 31, 2 ** 32 - 1]) {
        assert.throws(() => Linear.reserve({ inDim, outDim: 1, type }), refused);
        assert.throws(() => Linear.reserve({ inDim, outDim: inDim, type }), refused);
      }
    }
    neighborIsWhole();
  });

  for (const [size, { n, bias }] of Object.entries(sizes)) {
    it(`is refused as a linear map of ${size}`, () => {
      assert.throws(() => Linear.fromTorch({ weight: narrow(n, 1, n), bias }), refused);
      neighborIsWhole();
    });

    it(`is refused as multi-head attention with one of ${size}`, () => {
      const weights = { query: narrow(n, 1, n), key: narrow(n, 1, n), value: narrow(n, 1, n) };
      const torch = {
        q_proj_weight: weights.query,
        k_proj_weight: weights.key,
        v_proj_weight: weights.value,
        'out_proj.weight': zeros(1, 1),
        ...(bias && { 'out_proj.bias': bias }),
      };
      assert.throws(() => MultiHeadAttention.fromTorch(torch, { heads: 1 }), refused);
      neighborIsWhole();
    });

    it(`is refused as a Transformer layer with one of ${size}`, () => {
      const torch = {
        'self_attn.in_proj_weight': zeros(3, 1),
        'self_attn.out_proj.weight': zeros(1, 1),
        'linear1.weight': { data: new Uint16Array(n), dims: [n, 1], type: 'bfloat16' },
        'linear2.weight': narrow(n, 1, n),
        ...(bias && { 'linear2.bias': bias }),
        'norm1.weight': zeros(1),
        'norm1.bias': zeros(1),
        'norm2.weight': zeros(1),
        'norm2.bias': zeros(1),
      };
      assert.throws(() => TransformerEncoderLayer.fromTorch(torch, { heads: 1 }), refused);
      neighborIsWhole();
    });

    it(`is refused as a cache of more than ${size}`, () => {
      const options = { kvHeads: 1, keyDim: n + 1, valueDim: 1, capacity: 1 };
      assert.throws(() => new KeyValueCache(options), refused);
      assert.throws(() => new KeyValueCache({ ...options, batch: n, keyDim: 1 }), refused);
      assert.throws(() => new KeyValueCache({ ...options, keyDim: 1, valueDim: n }), refused);
      assert.throws(() => new KeyValueCache({ ...options, keyDim: 1, capacity: n * 2 }), refused);
      neighborIsWhole();
    });
  }
});
