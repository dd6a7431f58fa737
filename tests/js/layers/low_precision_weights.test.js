// Weights of 16 bits and of int8 stay narrow in the module, and count for the numbers that they stand for: to the bit
// as if they had been widened first, and near x·W + b in float64. A Linear may come, and be read, row by row.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { explainBitDifference, explainDifference } from '../../support/js/compare.js';
import { normalTensor, seeded } from '../../support/js/random_tensors.js';
import { asBfloat16, asFloat16, asInt8 } from '../../support/js/narrowed.js';

const random = seeded('narrow weights');
const narrowings = { float16: asFloat16, bfloat16: asBfloat16, int8: asInt8 };
const transposed = ({ data, dims: [rows, cols] }) => ({
  data: data.map((_, at) => data[(at % rows) * cols + Math.floor(at / rows)]),
  dims: [cols, rows],
});
const rowsOf = ({ data, dims: [, width], type, scales }, first, last) => ({
  data: data.subarray(first * width, last * width),
  dims: [last - first, width],
  ...(type && { type }),
  ...(scales && { scales: scales.subarray(first, last) }),
});

/** What 16 bits stand for: sign, exponent, fraction. */
function decoded(bits, fractionBits) {
  const exponentBits = 15 - fractionBits;
  const fraction = (bits % 2 ** fractionBits) / 2 ** fractionBits;
  const exponent = (bits >> fractionBits) % 2 ** exponentBits;
  const bias = 2 ** (exponentBits - 1) - 1;
  const sign = bits >> 15 ? -1 : 1;
  if (exponent === 2 ** exponentBits - 1) return fraction === 0 ? sign * Infinity : NaN;
  if (exponent === 0) return sign * fraction * 2 ** (1 - bias);
  return sign * (1 + fraction) * 2 ** (exponent - bias);
}

/** The numbers of a narrow tensor, by the definitions of their formats. */
function numbersOf({ data, dims, type, scales }) {
  const number = scales
    ? (q, at) => Math.fround(q * scales[Math.floor(at / dims.at(-1))])
    : (bits) => decoded(bits, type === 'float16' ? 10 : 7);
  return { data: Float32Array.from(data, number), dims };
}

/** x·Wᵀ + b in float64, W being out × in. */
function product(x, { data: w, dims: [out, width] }, bias) {
  const rows = x.data.length / width;
  const data = new Float64Array(rows * out);
  for (let i = 0; i < rows; i++) {
    for (let o = 0; o < out; o++) {
      let sum = bias.data[o];
      for (let j = 0; j < width; j++) sum += x.data[i * width + j] * w[o * width + j];
      data[i * out + o] = sum;
    }
  }
  return { data, dims: [rows, out] };
}

const same = (got, want, what) => assert.equal(explainBitDifference(got, want), '', what);

for (const kernels of ['simd', 'reference']) {
  describe(`narrow weights, ${kernels} kernels`, async () => {
    const { Linear, MultiHeadAttention } = await loadAttention({ kernels });

    for (const [type, narrow] of Object.entries(narrowings)) {
      // Columns below, at and above what goes through W together; depths around a block of sums.
      for (const [width, out] of [
        [1, 1],
        [2, 15],
        [7, 16],
        [255, 17],
        [256, 32],
        [257, 33],
        [600, 50],
      ]) {
        it(`${type} is its numbers, ${width} to ${out}`, () => {
          const weight = narrow(normalTensor(random, [out, width]));
          const bias = normalTensor(random, [out]);
          const wide = numbersOf(weight);
          const kept = Linear.fromTorch({ weight, bias });
          const floats = Linear.fromTorch({ weight: wide, bias });
          const turned = narrow(transposed(wide));
          const keptTurned = Linear.fromWeights({ weight: turned, bias });
          const floatsTurned = Linear.fromWeights({ weight: numbersOf(turned), bias });
          for (const rows of [1, 2, 3, 16, 17]) {
            const x = normalTensor(random, [rows, width]);
            const got = kept.forward(x);
            same(got, floats.forward(x), `${rows} rows`);
            const tolerance = 2 ** -24 * 8 * width;
            assert.equal(explainDifference(got, product(x, wide, bias), tolerance), '');
            same(keptTurned.forward(x), floatsTurned.forward(x), `${rows} rows, in × out`);
          }
          for (const made of [kept, floats, keptTurned, floatsTurned]) made.delete();
        });
      }

      it(`${type} in the layers of attention`, () => {
        const weights = Object.fromEntries(
          ['query', 'key', 'value', 'output'].map((name) => [
            name,
            narrow(normalTensor(random, [24, 24], 0.3)),
          ]),
        );
        const wide = Object.fromEntries(
          Object.entries(weights).map(([name, tensor]) => [name, numbersOf(tensor)]),
        );
        const stacked = narrow(normalTensor(random, [72, 24], 0.3));
        const x = normalTensor(random, [5, 24]);
        for (const [kept, floats] of [
          [weights, wide].map((given) => MultiHeadAttention.fromWeights(given, { heads: 3 })),
          [stacked, numbersOf(stacked)].map((given, at) =>
            MultiHeadAttention.fromTorch(
              { in_proj_weight: given, 'out_proj.weight': (at ? wide : weights).output },
              { heads: 3 },
            ),
          ),
        ]) {
          same(kept.forward(x).output, floats.forward(x).output);
          kept.delete();
          floats.delete();
        }
      });

      it(`${type}, reserved and filled row by row`, () => {
        const [width, out] = [300, 37];
        const weight = narrow(normalTensor(random, [out, width]));
        const bias = normalTensor(random, [out]);
        const whole = Linear.fromTorch({ weight, bias });
        const wide = numbersOf(weight);
        for (const kept of [type, 'float32']) {
          const parts = Linear.reserve({ inDim: width, outDim: out, bias: true, type: kept });
          const x = normalTensor(random, [3, width]);
          same(parts.forward(x), { data: new Float32Array(3 * out), dims: [3, out] }, 'zeros');
          for (const [first, last] of [
            [30, 37],
            [0, 1],
            [1, 30],
          ]) {
            const part = { data: bias.data.subarray(first, last), dims: [last - first] };
            parts.fill(first, rowsOf(weight, first, last), part);
          }
          same(parts.forward(x), whole.forward(x), kept);
          const ids = [36, 0, 8, 8, 15];
          const rows = parts.rows(ids);
          assert.deepEqual(rows.dims, [5, width]);
          ids.forEach((id, at) => same(rowsOf(rows, at, at + 1), rowsOf(wide, id, id + 1)));
          assert.deepEqual(parts.rows([]).dims, [0, width]);
          // Without a part of the bias its numbers stay.
          parts.fill(5, rowsOf(weight, 5, 6));
          same(parts.forward(x), whole.forward(x));
          parts.delete();
        }
        whole.delete();
      });
    }

    for (const [type, fractionBits] of [
      ['float16', 10],
      ['bfloat16', 7],
    ]) {
      it(`all 65,536 of ${type} are exact in W`, () => {
        const data = Uint16Array.from({ length: 2 ** 16 }, (_, bits) => bits);
        const layer = Linear.fromTorch({ weight: { data, dims: [32, 2048], type } });
        const rows = layer.rows(Array.from({ length: 32 }, (_, row) => row));
        rows.data.forEach((number, bits) =>
          assert.ok(Object.is(number, decoded(bits, fractionBits)), bits.toString(16)),
        );
        layer.delete();
        // A column of one each in turn: what goes through W for one row.
        const one = { data: Float32Array.of(1), dims: [1, 1] };
        const column = Linear.fromTorch({ weight: { data, dims: [2 ** 16, 1], type } });
        column.forward(one).data.forEach((number, bits) => {
          // A sum that begins with 0 has no -0.
          const expected = decoded(bits, fractionBits) + 0;
          assert.ok(Object.is(number, expected), `${bits.toString(16)}: ${number}`);
        });
        column.delete();
      });
    }

    it('takes as much memory as its numbers', async () => {
      const { Linear: Fresh, memoryBytes } = await loadAttention({
        kernels,
        wasm: await moduleBytes(),
      });
      const side = 2048;
      const before = memoryBytes();
      const made = ['int8', 'float16', 'bfloat16'].map((type) =>
        Fresh.reserve({ inDim: side, outDim: side, type }),
      );
      const bytes = memoryBytes() - before;
      assert.ok(bytes < 5.1 * side * side, `${bytes} bytes`);
      for (const layer of made) layer.delete();
    });

    it('refuses what does not fit, in a sentence', () => {
      const layer = Linear.reserve({ inDim: 4, outDim: 10, type: 'bfloat16' });
      const refuse = (run, message) => assert.throws(run, { message });
      const floats = (...dims) => normalTensor(random, dims);
      refuse(
        () => layer.fill(0, floats(2, 4)),
        'weightRows are of another type than the layer keeps',
      );
      refuse(
        () => layer.fill(9, asBfloat16(floats(2, 4))),
        'weightRows end at row 11 but the layer has 10',
      );
      refuse(
        () => layer.fill(0, asBfloat16(floats(2, 3))),
        'weightRows has dims 2×3 but the layer takes rows of 4: the last axis must be in',
      );
      refuse(
        () => layer.fill(0, asBfloat16(floats(2, 4)), floats(2)),
        'biasPart is given but the layer has no bias',
      );
      refuse(
        () => layer.fill(-1, asBfloat16(floats(2, 4))),
        'firstRow is -1 but must be a whole number of at least 0',
      );
      refuse(() => layer.fill('0', floats(2, 4)), "firstRow must be a number, found '0'");
      refuse(() => layer.rows([0, 10]), 'ids[1] is 10 but must be a whole number from 0 to 9');
      refuse(() => layer.rows([0.5]), 'ids[0] is 0.5 but must be a whole number from 0 to 9');
      refuse(() => layer.rows(3), 'ids must be an array of numbers, found 3');
      refuse(() => Linear.reserve({ inDim: 4 }), "Linear.reserve() needs the option 'outDim'");
      refuse(
        () => Linear.reserve({ inDim: 0, outDim: 4 }),
        'inDim is 0 but must be a whole number of at least 1',
      );
      assert.throws(() => Linear.reserve({ inDim: 4, outDim: 4, type: 'int4' }), RangeError);
      layer.delete();
      assert.throws(() => layer.rows([0]), { name: 'DeletedError' });
      assert.throws(() => layer.fill(0, floats(2, 4)), { name: 'DeletedError' });
      // The scales of a matrix that is in × out belong to its inputs.
      const turned = Linear.fromWeights({ weight: asInt8(floats(4, 3)) });
      refuse(
        () => turned.fill(0, asInt8(floats(1, 4))),
        'weightRows are of another type than the layer keeps',
      );
      turned.delete();
    });
  });
}

/** The raw module, for an instance of its own. */
async function moduleBytes() {
  const { readFile } = await import('node:fs/promises');
  const { fileURLToPath } = await import('node:url');
  return readFile(fileURLToPath(import.meta.resolve('attention-wasm/attention.wasm')));
}
