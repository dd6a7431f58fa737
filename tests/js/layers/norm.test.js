// layerNorm() and rmsNorm() against their definitions in float64.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { explainDifference } from '../../support/js/compare.js';
import { normalTensor, seeded } from '../../support/js/random_tensors.js';
import { assertRefuses } from '../../support/js/refusals.js';

const random = seeded('norm');

function expected({ data, dims }, { weight, bias, epsilon = 1e-5 }, isRms) {
  const width = dims.at(-1);
  const result = new Float64Array(data.length);
  for (let start = 0; start < data.length; start += width) {
    const row = Array.from(data.subarray(start, start + width));
    const mean = isRms ? 0 : row.reduce((sum, x) => sum + x, 0) / width;
    const size = row.reduce((sum, x) => sum + (x - mean) ** 2, 0) / width;
    row.forEach((x, c) => {
      const scaled = ((x - mean) / Math.sqrt(size + epsilon)) * (weight?.data[c] ?? 1);
      result[start + c] = scaled + (bias?.data[c] ?? 0);
    });
  }
  return { data: result, dims };
}

const api = await loadAttention();

describe('norms', () => {
  for (const dims of [[1], [7], [3, 5], [2, 4, 64], [2, 3, 2, 33], [0, 4], [4, 0]]) {
    it(`of dims ${dims.join('×')}`, () => {
      const x = normalTensor(random, dims);
      const weight = normalTensor(random, dims.slice(-1));
      const bias = normalTensor(random, dims.slice(-1));
      for (const options of [{}, { weight }, { weight, epsilon: 0.5 }]) {
        // One rounding at the end; values rarely exceed 8.
        const close = (got, want) => assert.equal(explainDifference(got, want, 1e-6), '');
        close(api.rmsNorm(x, options), expected(x, options, true));
        close(api.layerNorm(x, options), expected(x, options, false));
        close(api.layerNorm(x, { ...options, bias }), expected(x, { ...options, bias }, false));
      }
    });
  }

  it('gives a row the same bits alone and among others', () => {
    const x = normalTensor(random, [5, 67]);
    for (const norm of [api.layerNorm, api.rmsNorm]) {
      const all = norm(x);
      for (let row = 0; row < 5; row++) {
        const numbers = (tensor) => tensor.data.slice(row * 67, (row + 1) * 67);
        const alone = norm({ data: numbers(x), dims: [1, 67] });
        assert.deepEqual(alone.data, numbers(all));
      }
    }
  });

  it('is accurate for rows far from 0', () => {
    const x = normalTensor(random, [4, 64]);
    x.data.forEach((_, at) => (x.data[at] += 1000));
    assert.equal(explainDifference(api.layerNorm(x), expected(x, {}, false), 2e-6), '');
  });

  it('names the mismatch in errors', () => {
    const x = { data: new Float32Array(6), dims: [2, 3] };
    const weight = { data: new Float32Array(2), dims: [2] };
    assertRefuses(() => api.layerNorm(x, { weight }), RangeError, 'weight');
    assertRefuses(() => api.layerNorm(x, { epsilon: -1 }), RangeError, 'epsilon');
    assertRefuses(() => api.rmsNorm(x, { bias: weight }), TypeError, 'bias');
    assert.throws(() => api.layerNorm({ data: new Float32Array(1), dims: [] }), RangeError);
  });
});
