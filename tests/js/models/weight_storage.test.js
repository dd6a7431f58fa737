// Quantization of weights to int8: rows of any content and width have the bits of the definition.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { quantizeRows } from '../../../web/lib/models/run/weight_storage.js';
import { seeded } from '../../support/js/random_tensors.js';

const { fround } = Math;

/** Float32 numbers below 2^22 plus this are rounded to integers, ties to even. */
const rounding = 1.5 * 2 ** 23;

/** A row as int8 and its scale: every operation rounded to float32 once. A number that is not finite becomes 0. */
function quantized(row) {
  const largest = row.reduce((max, x) => Math.max(max, Math.abs(x)), 0);
  const factor = largest > 0 ? fround(127 / largest) : 0;
  const numbers = row.map((x) => fround(fround(fround(x * factor) + rounding) - rounding));
  return { numbers: Int8Array.from(numbers), scale: fround(largest / 127) };
}

const random = seeded('weight storage');
const normal = () => random.normal();
const anyBits = () => {
  const word = Uint32Array.of(random.integer(0, 2 ** 32 - 1));
  return new Float32Array(word.buffer)[0];
};
const smallest = 2 ** -149;
const at = (place, special, other) => (column, width) =>
  column === Math.floor(place * (width - 1)) ? special : other();

const contents = {
  'Gaussian numbers': normal,
  zeros: (column) => (column % 2 ? -0 : 0),
  'ties, and numbers beside them': (column, width) => {
    if (column === width >> 1) return -127;
    const tie = random.integer(-127, 126) + 0.5;
    return tie + [0, 2 ** -17, -(2 ** -17)][column % 3];
  },
  'NaN in front': at(0, NaN, normal),
  'NaN at the end': at(1, NaN, normal),
  infinity: at(0.5, -Infinity, normal),
  'NaN and infinity': (column) => (column % 2 ? NaN : Infinity),
  'the largest numbers': () => random.integer(-1, 1) * fround(3.4028235e38),
  'numbers below 2⁻¹²⁰': () => normal() * 2 ** -121,
  'a factor that is infinite': at(0.5, 127 * 2 ** -128, () => 2 ** -130),
  'a factor that is just finite': at(0.5, 127 * 2 ** -128 + 9 * smallest, () => 2 ** -130),
  'subnormal numbers': () => random.integer(-1000, 1000) * smallest,
  'any bits': anyBits,
};

for (const kernels of ['simd', 'reference']) {
  describe(`quantized rows, ${kernels} kernels`, async () => {
    const api = await loadAttention({ kernels });

    for (const [width, repeats] of [1, 2, 7, 8, 9, 31, 768, 26001].map((n) => [
      n,
      n < 700 ? 999 : 4,
    ])) {
      it(`have the bits of the definition, ${width} wide`, () => {
        const names = Object.keys(contents);
        const dims = [names.length * repeats, width];
        const data = Float32Array.from({ length: dims[0] * width }, (_, i) =>
          contents[names[Math.floor(i / width) % names.length]](i % width, width),
        );
        const got = quantizeRows(api, { data, dims });
        assert.deepEqual([got.type, got.dims, got.data.length], ['int8', dims, data.length]);
        for (let row = 0; row < dims[0]; row++) {
          const [begin, end] = [row * width, (row + 1) * width];
          const { numbers, scale } = quantized(Array.from(data.subarray(begin, end)));
          const what = `row ${row}, ${names[row % names.length]}`;
          assert.deepEqual(got.data.subarray(begin, end), numbers, what);
          assert.ok(Object.is(got.scales[row], scale), `${what}: ${got.scales[row]}, not ${scale}`);
        }
      });
    }
  });
}
