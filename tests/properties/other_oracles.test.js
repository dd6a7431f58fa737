// Oracles without published examples, for cases small enough to compute by hand, and equalities between them in float64.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { oracleAttention } from '../support/js/oracle.js';
import { oracleKernelAttention } from '../support/js/oracle_kernel_attention.js';
import { oracleLinearAttention } from '../support/js/oracle_linear_attention.js';
import { oracleAlibiSlopes, oracleSinusoidalPositions } from '../support/js/oracle_positions.js';
import { oracleRotaryEmbedding } from '../support/js/oracle_rotary.js';
import { attentionTensors, seeded } from '../support/js/random_tensors.js';
import { pick } from '../support/js/rearrange.js';

describe('oracle of kernel attention', () => {
  const query = tensor([[1, 0]]);
  const key = tensor([
    [1, 0],
    [0, 2],
    [3, 4],
  ]);
  const value = tensor([[1], [10], [100]]);
  const weigh = (options) => oracleKernelAttention(query, key, value, options).weights.data;
  const inProportion = (got, numbers) => {
    const sum = numbers.reduce((a, b) => a + b);
    close(
      got,
      numbers.map((number) => number / sum),
    );
  };

  it('weighs by each similarity', () => {
    inProportion(weigh({ scale: 1 }), [Math.E, 1, Math.E ** 3]);
    inProportion(weigh({ similarity: 'gaussian', bandwidth: 2 }), [
      1,
      Math.exp(-5 / 8),
      Math.exp(-20 / 8),
    ]);
    inProportion(weigh({ similarity: 'laplacian', bandwidth: 2 }), [
      1,
      Math.exp(-3 / 2),
      Math.exp(-3),
    ]);
    inProportion(weigh({ similarity: 'cosine' }), [1, 0, 0.6]);
    inProportion(weigh({ similarity: 'polynomial', scale: 1 }), [4, 1, 16]);
    const cubed = { similarity: 'polynomial', scale: 2, constant: -1, degree: 3 };
    inProportion(weigh(cubed), [1, -1, 125]);
    inProportion(weigh({ similarity: (q, k) => q[0] + k[1] }), [1, 3, 5]);
  });

  it('has its defaults', () => {
    close(weigh({}), weigh({ scale: Math.SQRT1_2 }));
    close(
      weigh({ similarity: 'gaussian' }),
      weigh({ similarity: 'gaussian', bandwidth: 2 ** 0.25 }),
    );
    close(
      weigh({ similarity: 'laplacian' }),
      weigh({ similarity: 'laplacian', bandwidth: Math.SQRT2 }),
    );
    close(
      weigh({ similarity: 'polynomial' }),
      weigh({ similarity: 'polynomial', scale: Math.SQRT1_2, constant: 1, degree: 2 }),
    );
  });

  it('gives zeros for a denominator of 0 and where nothing is visible', () => {
    for (const options of [{ similarity: () => 0 }, { keyLengths: [0] }]) {
      const { output, weights } = oracleKernelAttention(query, key, value, options);
      exactly(weights.data, [0, 0, 0]);
      exactly(output.data, [0]);
    }
  });

  it('is attention when exponential', () => {
    const { query: q, key: k, value: v } = attentionTensors(seeded('kernel'), grouped);
    const options = { causal: true, offset: 1, keyLengths: [4, 7] };
    const kernel = oracleKernelAttention(q, k, v, options);
    const softmax = oracleAttention(q, k, v, options);
    for (const what of ['output', 'weights', 'averageWeights']) {
      exactly(kernel[what].dims, softmax[what].dims);
      close(kernel[what].data, softmax[what].data);
    }
  });
});

const grouped = { batch: 2, heads: 4, kvHeads: 2, qLen: 5, kLen: 7, keyDim: 3, valueDim: 2 };
const square = { ...grouped, qLen: 7 };

describe('oracle of linear attention', () => {
  it('is the quotient of φ(q)ᵀS and φ(q)ᵀz', () => {
    const query = tensor([[1, -1]]);
    const key = tensor([
      [0, 2],
      [-3, 1],
    ]);
    const value = tensor([[8], [16]]);
    const relu = oracleLinearAttention(query, key, value, { featureMap: 'relu' });
    exactly(relu.output.data, [0]); // φ(q) = [1, 0] meets z = [0, 3]
    exactly(relu.z.data, [0, 3]);
    exactly(relu.S.data, [0, 32]);
    const elu = oracleLinearAttention(query, key, value, {});
    const [first, second] = [2 * 1 + 3 / Math.E, 2 * Math.exp(-3) + 2 / Math.E];
    close(elu.weights.data, [first / (first + second), second / (first + second)]);
    close(elu.output.data, [(8 * first + 16 * second) / (first + second)]);
    const eased = oracleLinearAttention(query, key, value, { epsilon: first });
    close(eased.weights.data, [first / (2 * first + second), second / (2 * first + second)]);
  });

  it('is the same by running sums and by the quadratic matrix', () => {
    for (const featureMap of ['elu', 'relu', 'exp', 'efficient']) {
      for (const causal of [false, featureMap !== 'efficient']) {
        const { query, key, value } = attentionTensors(seeded(featureMap), square);
        const options = { featureMap, causal, keyLengths: [7, 4] };
        const { output, weights } = oracleLinearAttention(query, key, value, options);
        close(output.data, mixed(weights, value).data);
        const sums = rowSums(weights);
        assert.ok(sums.every((sum) => sum === 0 || Math.abs(sum - 1) < 1e-12));
      }
    }
  });

  it('continues from a state', () => {
    const { query, key, value } = attentionTensors(seeded('state'), square);
    const whole = oracleLinearAttention(query, key, value, { causal: true });
    let state;
    for (const rows of [[0, 1, 2], [3], [4, 5, 6]]) {
      const parts = [query, key, value].map((one) => pick(one, 2, rows));
      const part = oracleLinearAttention(...parts, { causal: true, state });
      close(part.output.data, pick(whole.output, 2, rows).data);
      state = { S: part.S, z: part.z };
    }
    close(state.S.data, whole.S.data);
    close(state.z.data, whole.z.data);
  });

  it('is efficient attention: two softmaxes and their product', () => {
    const query = tensor([[0, Math.log(3)]]);
    const key = tensor([
      [0, Math.log(4)],
      [Math.log(3), 0],
    ]);
    const value = tensor([[1], [2]]);
    const { weights, output } = oracleLinearAttention(query, key, value, {
      featureMap: 'efficient',
    });
    // ρ_q = [1/4, 3/4]; ρ_k = columns [1/4, 3/4] and [4/5, 1/5]
    close(weights.data, [1 / 16 + 3 / 5, 3 / 16 + 3 / 20]);
    close(output.data, [1 / 16 + 3 / 5 + 2 * (3 / 16 + 3 / 20)]);
  });
});

describe('oracles of positions', () => {
  it('rotate pairs by position times frequency', () => {
    const x = tensor([
      [1, 2, 3, 4, 5],
      [1, 2, 3, 4, 5],
    ]);
    const turned = oracleRotaryEmbedding(x, { width: 4, base: 100, positions: [0, 2] });
    const [a, b] = [2, 0.2];
    close(turned.data, [
      ...[1, 2, 3, 4, 5],
      Math.cos(a) - 3 * Math.sin(a),
      2 * Math.cos(b) - 4 * Math.sin(b),
      Math.sin(a) + 3 * Math.cos(a),
      2 * Math.sin(b) + 4 * Math.cos(b),
      5,
    ]);
    const paired = oracleRotaryEmbedding(x, { width: 4, base: 100, offset: 1, interleaved: true });
    close(paired.data.slice(5), [
      Math.cos(a) - 2 * Math.sin(a),
      Math.sin(a) + 2 * Math.cos(a),
      3 * Math.cos(b) - 4 * Math.sin(b),
      3 * Math.sin(b) + 4 * Math.cos(b),
      5,
    ]);
  });

  it('use given cosines and sines', () => {
    const x = tensor([[1, 2]]);
    const given = { cos: tensor([[0.5]]), sin: tensor([[0.25]]) };
    exactly(oracleRotaryEmbedding(x, given).data, [0, 1.25]);
  });

  it('have slopes that are powers of 1/2', () => {
    exactly(
      oracleAlibiSlopes(8),
      [1, 2, 3, 4, 5, 6, 7, 8].map((n) => 2 ** -n),
    );
    exactly(oracleAlibiSlopes(1), [2 ** -8]);
    // Six heads: the four of four heads, then the first and third of eight.
    exactly(oracleAlibiSlopes(6), [2 ** -2, 2 ** -4, 2 ** -6, 2 ** -8, 2 ** -1, 2 ** -3]);
  });

  it('alternate sine and cosine', () => {
    const { dims, data } = oracleSinusoidalPositions(2, 4, { base: 100, offset: 3 });
    exactly(dims, [2, 4]);
    const row = (p) => [Math.sin(p), Math.cos(p), Math.sin(p / 10), Math.cos(p / 10)];
    close(data, [...row(3), ...row(4)]);
  });
});

function tensor(rows) {
  const dims = [];
  for (let level = rows; Array.isArray(level); level = level[0]) dims.push(level.length);
  return { dims, data: Float64Array.from(rows.flat(Infinity)) };
}

// Σ_j weights_ij v_j, rank 4, shared heads.
function mixed({ dims: [batch, heads, qLen, kLen], data }, value) {
  const [, kvHeads, , width] = value.dims;
  const out = new Float64Array(batch * heads * qLen * width);
  for (let row = 0; row < batch * heads * qLen; row++) {
    const [b, h] = [Math.floor(row / qLen / heads), Math.floor(row / qLen) % heads];
    const first = (b * kvHeads + Math.floor(h / (heads / kvHeads))) * kLen;
    for (let j = 0; j < kLen; j++)
      for (let c = 0; c < width; c++)
        out[row * width + c] += data[row * kLen + j] * value.data[(first + j) * width + c];
  }
  return { data: out };
}

function rowSums({ dims, data }) {
  const kLen = dims.at(-1);
  return Array.from({ length: data.length / kLen }, (_, row) =>
    data.subarray(row * kLen, (row + 1) * kLen).reduce((a, b) => a + b),
  );
}

function close(got, want, tolerance = 1e-12, message = '') {
  assert.equal(got.length, want.length, message);
  want.forEach((number, at) => {
    const off = Math.abs(got[at] - number);
    assert.ok(off <= tolerance, `${message} [${at}]: ${got[at]} instead of ${number}`);
  });
}

function exactly(got, want) {
  assert.deepEqual(Array.from(got), Array.from(want));
}
