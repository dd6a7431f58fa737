// int8 weights are multiplied as integers: rows of any content and width have the bits of the definition; a row that cannot
// be quantized has the bits of float32 weights.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { explainBitDifference } from '../../support/js/compare.js';
import { asFloat32, asInt8 } from '../../support/js/narrowed.js';
import { integerProduct } from '../../support/js/oracle_integers.js';
import { normalTensor, seeded } from '../../support/js/random_tensors.js';

const random = seeded('integer weights');
const same = (got, want, what) => assert.equal(explainBitDifference(got, want), '', what);
const rowOf = ({ data, dims: [, width] }, row) => ({
  data: data.slice(row * width, (row + 1) * width),
  dims: [1, width],
});

/** int8 weights in -128 … 127 with a scale for each row. */
const integerTensor = (rows, width) => ({
  data: Int8Array.from({ length: rows * width }, () => random.integer(-128, 127)),
  dims: [rows, width],
  scales: Float32Array.from({ length: rows }, () => random.integer(1, 1000) / 40000),
});

for (const kernels of ['simd', 'reference']) {
  describe(`int8 weights, ${kernels} kernels`, async () => {
    const { Linear, MultiHeadAttention } = await loadAttention({ kernels });
    const withLinear = (make, weight, use) => {
      const layer = Linear[make](weight);
      use(layer);
      layer.delete();
    };

    for (const width of [1, 2, 2047, 2048, 2049, 4096, 5000]) {
      it(`are products of integers, ${width} wide`, () => {
        const out = 41;
        const bias = normalTensor(random, [out]);
        const x = normalTensor(random, [23, width]);
        for (const [make, weight, layout] of [
          ['fromTorch', integerTensor(out, width), 'out × in'],
          ['fromWeights', integerTensor(width, out), 'in × out'],
        ]) {
          withLinear(make, { weight, bias }, (layer) =>
            same(layer.forward(x), integerProduct(x, weight, bias, layout), layout),
          );
          withLinear(make, { weight }, (layer) => {
            const all = layer.forward(x);
            same(all, integerProduct(x, weight, undefined, layout), layout);
            for (const row of [0, 7, 22]) same(layer.forward(rowOf(x, row)), rowOf(all, row));
          });
        }
      });
    }

    it('have the same bits however many rows are multiplied', () => {
      for (const [rows, width] of [
        [131, 600],
        [99, 2050],
      ]) {
        const weight = integerTensor(9, width);
        const x = normalTensor(random, [rows, width]);
        const want = integerProduct(x, weight);
        x.data.fill(0, 48 * width, 49 * width); // not quantized
        want.data.fill(0, 48 * 9, 49 * 9);
        withLinear('fromTorch', { weight }, (layer) => {
          const all = layer.forward(x);
          same(all, want);
          for (const row of [47, 48, rows - 1]) same(layer.forward(rowOf(x, row)), rowOf(all, row));
        });
      }
    });

    it('cannot overflow', () => {
      const weight = {
        data: new Int8Array(2 * 4096).fill(-128, 0, 4096).fill(127, 4096),
        dims: [2, 4096],
        scales: Float32Array.of(1, 0.5),
      };
      for (const sign of [1, -1]) {
        const x = { data: new Float32Array(4096).fill(3.7 * sign), dims: [1, 4096] };
        withLinear('fromTorch', { weight }, (layer) => {
          same(layer.forward(x), integerProduct(x, weight));
          assert.ok(Math.abs(layer.forward(x).data[0] / (-128 * 4096 * 3.7 * sign) - 1) < 1e-4);
        });
      }
    });

    it('are multiplied as float32 for a row of NaN, infinity, zeros or tiny numbers only', () => {
      const [out, width] = [37, 300];
      const tiny = 2 ** -100;
      const smallest = normalTensor(random, [1, width]).data.map((v) => tiny * Math.sin(v));
      smallest[5] = -tiny;
      const contents = {
        NaN: [3, NaN],
        infinity: [299, Infinity],
        'minus infinity': [0, -Infinity],
        zeros: [],
        tiny: [],
        normal: [],
        smallest: [],
      };
      const x = normalTensor(random, [7, width]);
      Object.entries(contents).forEach(([name, [at, number]], row) => {
        const numbers = x.data.subarray(row * width, (row + 1) * width);
        if (name === 'zeros') numbers.fill(0);
        if (name === 'tiny') numbers.set(numbers.map((v) => (v * tiny) / 8));
        if (name === 'smallest') numbers.set(smallest);
        if (at !== undefined) numbers[at] = number;
      });
      const bias = normalTensor(random, [out]);
      const matrix = normalTensor(random, [out, width]);
      const turned = normalTensor(random, [width, out]);
      turned.data.subarray(5 * out, 6 * out).fill(127); // a scale of 1 for the largest of `smallest`
      for (const [make, weight, layout] of [
        ['fromTorch', asInt8(matrix), 'out × in'],
        ['fromWeights', asInt8(turned), 'in × out'],
      ]) {
        withLinear(make, { weight, bias }, (layer) =>
          withLinear(make, { weight: asFloat32(weight), bias }, (floats) => {
            const all = layer.forward(x);
            const wide = floats.forward(x);
            Object.keys(contents).forEach((name, row) => {
              const isQuantized = row > 4;
              const want = isQuantized
                ? integerProduct(rowOf(x, row), weight, bias, layout)
                : rowOf(wide, row);
              same(rowOf(all, row), want, `${name}, ${layout}`);
              same(layer.forward(rowOf(x, row)), want, `${name} alone, ${layout}`);
            });
          }),
        );
      }
    });

    it('have in the projections of a layer the bits of a Linear', () => {
      const projection = () => asInt8(normalTensor(random, [24, 24], 0.3));
      const weights = { query: projection(), key: projection(), value: projection() };
      const layer = MultiHeadAttention.fromWeights(weights, { heads: 3 });
      const x = normalTensor(random, [5, 24]);
      const { query } = layer.project(x);
      withLinear('fromWeights', { weight: weights.query }, (linear) => {
        const { data } = linear.forward(x);
        query.data.forEach((number, at) => {
          const [head, row, c] = [Math.floor(at / 40), Math.floor(at / 8) % 5, at % 8];
          assert.equal(number, data[row * 24 + head * 8 + c]);
        });
      });
      layer.delete();
    });
  });
}

describe('the error of quantized rows against float64 with the same weights', async () => {
  const { Linear } = await loadAttention();
  for (const [what, outliers, limit] of [
    ['normal', 0, 3e-4],
    ['with outlier channels', 20, 2e-3],
  ]) {
    it(`${what}: at most ${limit} of the output`, () => {
      const [rows, width, out] = [48, 768, 256];
      const weight = asInt8(normalTensor(random, [out, width]));
      const x = normalTensor(random, [rows, width]);
      for (let i = 0; i < rows && outliers; i++) {
        for (const channel of [17, 400]) x.data[i * width + channel] *= outliers;
      }
      const layer = Linear.fromTorch({ weight });
      const { data } = layer.forward(x);
      layer.delete();
      let error = 0;
      let size = 0;
      data.forEach((got, at) => {
        let sum = 0;
        const o = at % out;
        for (let k = 0; k < width; k++) {
          sum += x.data[Math.floor(at / out) * width + k] * weight.data[o * width + k];
        }
        sum *= weight.scales[o];
        error += (got - sum) ** 2;
        size += sum ** 2;
      });
      assert.ok(Math.sqrt(error / size) <= limit, `${Math.sqrt(error / size)}`);
    });
  }
});
