// Linear, and multi-head attention without an output projection.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { explainBitDifference, explainDifference } from '../../support/js/compare.js';
import { transposed } from '../../support/js/oracle_multi_head.js';
import { normalTensor, seeded } from '../../support/js/random_tensors.js';
import { assertRefuses } from '../../support/js/refusals.js';

const random = seeded('linear');

/** x·W + b in float64. */
function product(x, { data: w, dims: [width, out] }, bias) {
  const rows = x.data.length / width;
  const data = new Float64Array(rows * out);
  for (let i = 0; i < rows; i++) {
    for (let c = 0; c < out; c++) {
      let sum = bias ? bias.data[c] : 0;
      for (let j = 0; j < width; j++) sum += x.data[i * width + j] * w[j * out + c];
      data[i * out + c] = sum;
    }
  }
  return { data, dims: [...x.dims.slice(0, -1), out] };
}

for (const kernels of ['simd', 'reference']) {
  describe(`Linear, ${kernels} kernels`, async () => {
    const { Linear, MultiHeadAttention } = await loadAttention({ kernels });

    for (const [rows, width, out] of [
      [1, 1, 1],
      [3, 5, 7],
      [4, 8, 16],
      [130, 513, 9],
      [2, 1100, 33],
    ]) {
      it(`is x·W + b for ${rows} rows of ${width} to ${out}`, () => {
        const x = normalTensor(random, [rows, width]);
        const weight = normalTensor(random, [width, out]);
        const bias = normalTensor(random, [out]);
        // Terms are about 1; rounding errors grow with their number.
        const tolerance = 2 ** -24 * 8 * width;
        const layer = Linear.fromWeights({ weight, bias });
        assert.deepEqual([layer.inDim, layer.outDim], [width, out]);
        const y = layer.forward(x);
        assert.equal(explainDifference(y, product(x, weight, bias), tolerance), '');
        const plain = Linear.fromWeights({ weight });
        assert.equal(
          explainDifference(plain.forward(x), product(x, weight), tolerance),
          '',
          'without a bias',
        );
        const torch = Linear.fromTorch(
          { 'head.weight': transposed(weight), 'head.bias': bias },
          { prefix: 'head.' },
        );
        assert.equal(explainBitDifference(torch.forward(x), y), '', 'from PyTorch');
        for (const made of [layer, plain, torch]) made.delete();
      });
    }

    it('accepts rows in up to three dims, and no rows', () => {
      const weight = normalTensor(random, [4, 3]);
      const layer = Linear.fromWeights({ weight });
      const row = normalTensor(random, [4]);
      const rows = { data: row.data, dims: [1, 1, 4] };
      assert.deepEqual(layer.forward(row).dims, [3]);
      assert.deepEqual(layer.forward(rows).dims, [1, 1, 3]);
      assert.deepEqual(layer.forward({ data: new Float32Array(0), dims: [0, 4] }).dims, [0, 3]);
      layer.delete();
      layer.delete();
      assert.throws(() => layer.forward(row), {
        name: 'DeletedError',
        message: /Linear/,
      });
      assert.throws(() => layer.inDim, { name: 'DeletedError' });
    });

    it('refuses unknown names and direct construction', () => {
      const weight = normalTensor(random, [4, 3]);
      assertRefuses(() => Linear.fromWeights({}), TypeError, 'weight');
      assertRefuses(() => Linear.fromTorch({ weight, scale: weight }), RangeError, 'scale');
      assert.throws(() => new Linear(), { name: 'TypeError', message: /\.reserve\(\)/ });
    });

    it('is the output projection of a layer without one', () => {
      const [heads, width, dim] = [3, 12, 4];
      const weights = Object.fromEntries(
        ['query', 'key', 'value'].map((name) => [
          name,
          normalTensor(random, [width, heads * dim], 0.3),
        ]),
      );
      const output = normalTensor(random, [heads * dim, 5]);
      const whole = MultiHeadAttention.fromWeights({ ...weights, output }, { heads });
      const bare = MultiHeadAttention.fromWeights(weights, { heads });
      const projection = Linear.fromWeights({ weight: output });
      for (const dims of [
        [7, width],
        [2, 7, width],
      ]) {
        const x = normalTensor(random, dims);
        const together = bare.forward(x, null, { weights: true, headOutputs: true });
        assert.deepEqual(together.output.dims, [...dims.slice(0, -1), heads * dim]);
        assert.equal(
          explainBitDifference(projection.forward(together.output), whole.forward(x).output),
          '',
        );
      }
      for (const made of [whole, bare, projection]) made.delete();
    });
  });
}
