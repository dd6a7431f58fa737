// 16-bit numbers: each is converted exactly; ambiguous types are errors.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { loadAttention } from 'attention-wasm';

import { asFloat16, asFloat32, decoded } from '../../support/js/narrowed.js';
import { normalTensor, seeded } from '../../support/js/random_tensors.js';
import { same } from '../../support/js/same_results.js';

const COUNT = 2 ** 16;

for (const kernels of ['simd', 'reference']) {
  describe(`half precision, ${kernels} kernels`, async () => {
    const api = await loadAttention({ kernels });

    for (const type of ['float16', 'bfloat16']) {
      const decode = (bits) => decoded(bits, type);
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
    }

    it('a Float16Array needs no type', () => {
      const { Float16Array } = globalThis;
      const half = asFloat16(normalTensor(seeded('Float16Array'), [5, 4]));
      const float = asFloat32(half);
      if (Float16Array === undefined) {
        // Engines without Float16Array reject a class with that name.
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

  it('is not a mask; a type beside a Float32Array is ignored', async () => {
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
