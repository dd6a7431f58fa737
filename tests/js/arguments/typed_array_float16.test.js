// 16-bit numbers: all of them are converted exactly, every function takes them, and none is guessed at.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { loadAttention } from 'attention-wasm';

import { explainBitDifference } from '../../support/js/compare.js';
import { normalTensor, seeded, sizeOf } from '../../support/js/random_tensors.js';

const COUNT = 2 ** 16;

// Sign, exponent, fraction: what IEEE 754 says of them, in float64.
function decoded(bits, exponentBits) {
  const fractionBits = 15 - exponentBits;
  const sign = bits >> 15 ? -1 : 1;
  const exponent = (bits >> fractionBits) & (2 ** exponentBits - 1);
  const fraction = (bits & (2 ** fractionBits - 1)) / 2 ** fractionBits;
  const bias = 2 ** (exponentBits - 1) - 1;
  if (exponent === 2 ** exponentBits - 1) return fraction === 0 ? sign * Infinity : NaN;
  if (exponent === 0) return sign * fraction * 2 ** (1 - bias);
  return sign * (1 + fraction) * 2 ** (exponent - bias);
}

const decoders = {
  float16: (bits) => decoded(bits, 5),
  bfloat16: (bits) => decoded(bits, 8),
};

/** Random 16-bit numbers of moderate size, and the same as float32. */
function pairOf(random, type, dims) {
  const exponents = { float16: [12, 16, 10], bfloat16: [124, 128, 7] }[type];
  const [low, high, shift] = exponents;
  const data = Uint16Array.from({ length: sizeOf(dims) }, () => {
    const sign = random.chance(0.5) ? 0x8000 : 0;
    return sign | (random.integer(low, high) << shift) | random.integer(0, 2 ** shift - 1);
  });
  return {
    half: { data, dims, type },
    float: { data: Float32Array.from(data, decoders[type]), dims },
  };
}

function same(got, want) {
  assert.deepEqual(Object.keys(got), Object.keys(want));
  for (const [name, tensor] of Object.entries(want)) {
    if (!tensor.dims) same(got[name], tensor);
    else assert.equal(explainBitDifference(got[name], tensor), '', name);
  }
}

for (const kernels of ['simd', 'reference']) {
  describe(`half precision, ${kernels} kernels`, async () => {
    const api = await loadAttention({ kernels });

    for (const [type, decode] of Object.entries(decoders)) {
      const every = Uint16Array.from({ length: COUNT }, (_, bits) => bits);
      const want = Float32Array.from(every, decode);
      const check = ({ data }) => {
        for (let bits = 0; bits < COUNT; bits++) {
          const shown = `${type} ${bits.toString(16)}: ${data[bits]}, not ${want[bits]}`;
          assert.ok(Object.is(data[bits], want[bits]), shown);
        }
      };

      it(`all 65,536 of ${type} are converted exactly, in the module`, () => {
        check(api.rotaryEmbedding({ data: every, dims: [1, COUNT], type }, { width: 0 }));
      });

      it(`all 65,536 of ${type} are converted exactly, looked up`, () => {
        const table = { data: every, dims: [COUNT, 1], type };
        check(
          api.embed(
            Array.from(every, (bits) => bits),
            table,
          ),
        );
      });

      it(`a part of a larger array of ${type}, of any length`, () => {
        for (const length of [1, 2, 3, 7, 8, 9, 31]) {
          for (const start of [0, 1, 3]) {
            const data = every.subarray(0x3c00 + start, 0x3c00 + start + length);
            const got = api.rotaryEmbedding({ data, dims: [1, length], type }, { width: 0 });
            assert.deepEqual(got.data, Float32Array.from(data, decode));
          }
        }
      });

      it(`${type} is its numbers to every function`, () => {
        const random = seeded(`half ${type}`);
        const pair = (...dims) => pairOf(random, type, dims);
        const [q, k, v, x] = [pair(2, 7, 6), pair(2, 5, 6), pair(2, 5, 4), pair(2, 7, 6)];
        const three = [q, k, v];
        const halves = three.map(({ half }) => half);
        const floats = three.map(({ float }) => float);
        for (const options of [{}, { weights: true, scores: 'raw', logSumExp: true }]) {
          const given = { heads: 2, ...options };
          const want = api.attention(...floats, given);
          same(api.attention(...halves, given), want);
          // Any of the three may be half.
          for (let which = 0; which < 3; which++) {
            const mixed = floats.map((float, at) => (at === which ? halves[at] : float));
            same(api.attention(...mixed, given), want);
          }
        }
        same(
          { scores: api.scores(q.half, k.half, { heads: 2 }) },
          { scores: api.scores(q.float, k.float, { heads: 2 }) },
        );
        const [matrix, columns] = [pair(3, 5), pair(5, 4)];
        same(
          { w: api.softmax(matrix.half), o: api.weightedSum(matrix.half, columns.half) },
          { w: api.softmax(matrix.float), o: api.weightedSum(matrix.float, columns.float) },
        );
        for (const similarity of ['gaussian', 'polynomial', (a, b) => a[0] * b[0] + 9]) {
          const given = { heads: 2, similarity, weights: true };
          same(api.kernelAttention(...halves, given), api.kernelAttention(...floats, given));
        }
        for (const featureMap of ['elu', 'efficient']) {
          const given = { heads: 2, featureMap };
          same(api.linearAttention(...halves, given), api.linearAttention(...floats, given));
        }
        const [S, z] = [pair(2, 2, 3, 2), pair(2, 2, 3)];
        same(
          api.linearAttention(...halves, { heads: 2, state: { S: S.half, z: z.half } }),
          api.linearAttention(...floats, { heads: 2, state: { S: S.float, z: z.float } }),
        );
        const [cos, sin] = [pair(7, 3), pair(7, 3)];
        same(
          { x: api.rotaryEmbedding(x.half, { cos: cos.half, sin: sin.half }) },
          { x: api.rotaryEmbedding(x.float, { cos: cos.float, sin: sin.float }) },
        );
      });

      it(`${type} is its numbers to caches and layers`, () => {
        const random = seeded(`layers ${type}`);
        const pair = (...dims) => pairOf(random, type, dims);
        const names = {
          in_proj_weight: [18, 6],
          in_proj_bias: [18],
          'out_proj.weight': [6, 6],
          'out_proj.bias': [6],
        };
        const rest = {
          'linear1.weight': [8, 6],
          'linear1.bias': [8],
          'linear2.weight': [6, 8],
          'linear2.bias': [6],
          'norm1.weight': [6],
          'norm1.bias': [6],
          'norm2.weight': [6],
          'norm3.weight': [6],
        };
        const dicts = (shapes) => {
          const pairs = Object.entries(shapes).map(([name, dims]) => [name, pair(...dims)]);
          const of = (which) => Object.fromEntries(pairs.map(([name, two]) => [name, two[which]]));
          return [of('half'), of('float')];
        };
        const [x, context] = [pair(2, 7, 6), pair(2, 5, 6)];
        const inside = (part) =>
          Object.fromEntries(
            Object.entries(names).map(([name, dims]) => [`${part}.${name}`, dims]),
          );

        const [half, float] = dicts(names).map((dict) =>
          api.MultiHeadAttention.fromTorch(dict, { heads: 2 }),
        );
        const want = float.forward(x.float, context.float, { weights: true });
        same(half.forward(x.half, context.half, { weights: true }), want);
        same(half.forward(x.half, half.projectContext(context.half), { weights: true }), want);
        same(half.project(x.half, context.half), float.project(x.float, context.float));

        const shapes = { ...inside('self_attn'), ...inside('multihead_attn'), ...rest };
        const [halfLayer, floatLayer] = dicts(shapes).map((dict) =>
          api.TransformerDecoderLayer.fromTorch(dict, { heads: 2 }),
        );
        const decoded = floatLayer.forward(x.float, context.float, { weights: true });
        same(halfLayer.forward(x.half, context.half, { weights: true }), decoded);
        const memory = halfLayer.projectMemory(context.half);
        same(halfLayer.forward(x.half, memory, { weights: true }), decoded);
      });
    }

    it('a Float16Array says itself what it is', () => {
      const { Float16Array } = globalThis;
      const random = seeded('Float16Array');
      const { half, float } = pairOf(random, 'float16', [5, 4]);
      if (Float16Array === undefined) {
        // Where the engine has none, an impostor is none either.
        const posing = { data: { length: 20, [Symbol.toStringTag]: 'Float16Array' }, dims: [5, 4] };
        assert.throws(() => api.attention(posing, posing, posing), {
          name: 'TypeError',
          message: /^query\.data must be a Float32Array, /,
        });
        return;
      }
      const x = { data: new Float16Array(half.data.buffer), dims: [5, 4] };
      const asked = { weights: true };
      same(api.attention(x, x, x, asked), api.attention(float, float, float, asked));
      assert.deepEqual(api.embed([1, 0], x), api.embed([1, 0], float));
      const inside = { data: x.data.subarray(4, 12), dims: [2, 4] };
      assert.deepEqual(api.rotaryEmbedding(inside, { width: 0 }).data, float.data.slice(4, 12));
    });

    it('float64 is rounded to float32', () => {
      const double = { data: Float64Array.of(0.1, 1e-50, 1e300, -0), dims: [1, 4] };
      const { data } = api.rotaryEmbedding(double, { width: 0 });
      assert.deepEqual(data, Float32Array.from(double.data));
    });
  });
}

describe('half precision without a type', () => {
  const tensor = normalTensor(seeded('plain'), [2, 4]);
  const half = (type) => ({ data: new Uint16Array(8), dims: [2, 4], type });

  it('is a TypeError that names it', async () => {
    const api = await loadAttention();
    const before = api.memoryBytes();
    const refused = (name, found) => ({
      name: 'TypeError',
      message: `${name}.data is a Uint16Array, so ${name}.type must be 'float16' or 'bfloat16', found ${found}`,
    });
    for (const [type, found] of [
      [undefined, 'undefined'],
      [null, 'null'],
      ['float32', "'float32'"],
      ['Float16', "'Float16'"],
      ['', "''"],
      [16, '16'],
      [['float16'], 'an array'],
    ]) {
      const x = half(type);
      assert.throws(() => api.attention(x, tensor, tensor), refused('query', found));
      assert.throws(() => api.attention(tensor, x, tensor), refused('key', found));
      assert.throws(() => api.attention(tensor, tensor, x), refused('value', found));
      assert.throws(() => api.softmax(x), refused('scores', found));
      assert.throws(() => api.rotaryEmbedding(x), refused('x', found));
      assert.throws(() => api.embed([0], x), refused('table', found));
      const cache = new api.KeyValueCache({ keyDim: 4, capacity: 2 });
      assert.throws(() => cache.append(tensor, x), refused('value', found));
      cache.delete();
      const dict = { in_proj_weight: x, 'out_proj.weight': tensor };
      assert.throws(
        () => api.MultiHeadAttention.fromTorch(dict, { heads: 1 }),
        refused('in_proj_weight', found),
      );
    }
    assert.equal(api.memoryBytes(), before);
  });

  it('is no mask, and a type beside float32 is not looked at', async () => {
    const { attention } = await loadAttention();
    assert.throws(() => attention(tensor, tensor, tensor, { mask: half('float16') }), {
      name: 'TypeError',
      message:
        'mask.data must be a Uint8Array, BigInt64Array, BigUint64Array or Float32Array, found a Uint16Array',
    });
    const typed = { ...tensor, type: 'bfloat16' };
    assert.deepEqual(attention(typed, typed, typed), attention(tensor, tensor, tensor));
  });

  it('the type is read once', async () => {
    const { rotaryEmbedding } = await loadAttention();
    let reads = 0;
    const changing = {
      data: Uint16Array.of(0x3c00, 0x3c00),
      dims: [1, 2],
      get type() {
        return reads++ === 0 ? 'float16' : 'bfloat16';
      },
    };
    assert.deepEqual([...rotaryEmbedding(changing, { width: 0 }).data], [1, 1]);
    assert.equal(reads, 1);
  });
});
