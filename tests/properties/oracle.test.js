// The oracle of attention for cases small enough to compute by hand, and every oracle for published examples. Scores are
// logarithms, so that weights are fractions.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { publishedAttention } from '../vectors/published_attention.js';
import { publishedLayers } from '../vectors/published_layers.js';
import { oracleAttention, oracleSoftmax, oracleWeightedSum } from '../support/js/oracle.js';
import { oracleCase } from '../support/js/oracle_case.js';

const HIDE = -Infinity;

describe('oracles against published examples', () => {
  for (const example of [...publishedAttention, ...publishedLayers]) {
    const { name, comment, source, tolerance, expected } = example;
    it(name, () => {
      const result = oracleCase(example);
      assert.ok(Object.keys(expected).length > 0);
      for (const [what, rows] of Object.entries(expected)) {
        close(result[what].data, rows.flat(Infinity), tolerance, `${what}: ${comment} ${source}`);
      }
    });
  }
});

describe('oracle against computation by hand', () => {
  // One feature and scale 1: the score is query times key, so the weights are proportional to e^key.
  const query = [[1]];
  const key = [0, Math.log(2), Math.log(5)].map((score) => [score]);
  const value = [[8], [16], [24]];
  const attend = (options, inputs = {}) => {
    const { query: q, key: k, value: v } = { query, key, value, ...inputs };
    return oracleAttention(tensor(q), tensor(k), tensor(v), { scale: 1, ...options });
  };

  it('weighs 1 : 2 : 5', () => {
    const { weights, output, logSumExp } = attend();
    exactly(weights.dims, [1, 3]);
    close(weights.data, [1 / 8, 2 / 8, 5 / 8]);
    close(output.data, [1 + 4 + 15]);
    close(logSumExp.data, [Math.log(8)]);
  });

  it('scales by 1/√d by default, and accepts a scale of 0', () => {
    const wide = { query: [[1, 2, 3, 4]], key: [[1, 1, 1, 1]], value: [[1]] };
    exactly(attend({ scale: undefined }, wide).rawScores.data, [5]);
    exactly(attend({ scale: -1 }, wide).rawScores.data, [-10]);
    close(attend({ scale: 0 }).weights.data, [1 / 3, 1 / 3, 1 / 3]);
  });

  it('applies softcap before biases', () => {
    const { rawScores, cappedScores, biasedScores } = attend(
      { softcap: 2, mask: mask(Float32Array, [10, HIDE]) },
      { key: [[0], [7]], value: [[1], [2]] },
    );
    exactly(rawScores.data, [0, 7]);
    close(cappedScores.data, [0, 2 * Math.tanh(3.5)]);
    exactly(biasedScores.data, [10, HIDE]);
  });

  it('hides by boolean and by additive masks', () => {
    close(attend({ mask: mask(Uint8Array, [1, 1, 0]) }).weights.data, [1 / 3, 2 / 3, 0]);
    close(attend({ mask: mask(Float32Array, [0, 0, HIDE]) }).weights.data, [1 / 3, 2 / 3, 0]);
    const finite = attend({ mask: mask(Float32Array, [-1e30, -1e30, HIDE]) });
    close(finite.weights.data, [0.5, 0.5, 0]);
  });

  it('gives zeros where nothing is visible', () => {
    for (const sinks of [undefined, [3]]) {
      const empty = attend({ mask: mask(Uint8Array, [0, 0, 0]), sinks });
      exactly(empty.weights.data, [0, 0, 0]);
      exactly(empty.output.data, [0]);
      exactly(empty.logSumExp.data, [HIDE]);
    }
  });

  it('ignores NaN at masked keys, and returns it for visible ones', () => {
    const poisoned = { key: [[0], [NaN], [Math.log(5)]], value: [[8], [Infinity], [24]] };
    const hidden = attend({ mask: mask(Uint8Array, [1, 0, 1]) }, poisoned);
    close(hidden.weights.data, [1 / 6, 0, 5 / 6]);
    close(hidden.output.data, [128 / 6]);
    exactly(attend({}, poisoned).output.data, [NaN]);
    const partly = attend({ mask: mask(Uint8Array, [1, 1, 0]) }, poisoned);
    exactly(partly.weights.data, [NaN, NaN, 0]);
    exactly(partly.logSumExp.data, [NaN]);
    exactly(attend({}, { value: [[8], [NaN], [24]] }).output.data, [NaN]);
  });

  it('adds a sink to the sum only', () => {
    const { weights, output, logSumExp } = attend({ sinks: [Math.log(8)] });
    close(weights.data, [1 / 16, 2 / 16, 5 / 16]);
    close(output.data, [10]);
    close(logSumExp.data, [Math.log(16)]);
  });

  // Equal scores: a row is the average of its visible values, and shows which they are.
  const flat = { query: [[0], [0], [0]], key: [[0], [0], [0]], value: [[1], [10], [100]] };
  const sums = { '': 0, 0: 1, 1: 10, '01': 5.5, 12: 55, '012': 37 };
  const seen = (options, ...rows) =>
    close(
      attend(options, flat).output.data,
      rows.map((row) => sums[row]),
    );

  it('attends where causal, window, offset and lengths allow', () => {
    seen({ causal: true }, '0', '01', '012');
    seen({ causal: true, offset: -1 }, '', '0', '01');
    seen({ causal: true, offset: 1 }, '01', '012', '012');
    seen({ window: [1, 0] }, '0', '01', '12');
    seen({ window: [null, 1] }, '01', '012', '012');
    seen({ window: [0, null], causal: true, keyLengths: [2] }, '0', '1', '');
    seen({ keyLengths: [0] }, '', '', '');
  });

  it('needs an offset if qLen differs from kLen', () => {
    assert.throws(() => attend({ causal: true }), /offset/);
  });

  it('subtracts slope times distance', () => {
    const { biasedScores } = attend({ slopes: [0.5] }, flat);
    exactly(biasedScores.data, [0, -0.5, -1, -0.5, 0, -0.5, -1, -0.5, 0]);
    const shifted = attend({ slopes: [2], offset: 1 }, flat);
    exactly(shifted.biasedScores.data.slice(0, 3), [-2, 0, -2]);
  });

  it('reads heads side by side, and shares key/value heads', () => {
    // Heads 0 and 1 share the first key/value head, 2 and 3 the second.
    const grouped = attend(
      { heads: 4, kvHeads: 2 },
      {
        query: [[1, 0, 1, 0]],
        key: [
          [0, 0],
          [Math.log(3), Math.log(7)],
        ],
        value: [
          [4, 8],
          [8, 16],
        ],
      },
    );
    exactly(grouped.weights.dims, [4, 1, 2]);
    close(grouped.weights.data, [1 / 4, 3 / 4, 1 / 2, 1 / 2, 1 / 8, 7 / 8, 1 / 2, 1 / 2]);
    exactly(grouped.output.dims, [1, 4]);
    close(grouped.output.data, [7, 6, 15, 12]);
    exactly(grouped.averageWeights.dims, [1, 2]);
    close(grouped.averageWeights.data, [11 / 32, 21 / 32]);
  });

  it('aligns masks to the right: rank 3 is heads × queries × keys', () => {
    const inputs = {
      query: [[0, 0]],
      key: flat.key.map(() => [0, 0]),
      value: [
        [1, 1],
        [10, 10],
        [100, 100],
      ],
    };
    const options = { heads: 2, mask: mask(Uint8Array, [1, 0, 0, 1, 1, 0], [2, 1, 3]) };
    close(attend(options, inputs).output.data, [1, 5.5]);
    options.mask.dims = [1, 2, 1, 3];
    close(attend(options, inputs).output.data, [1, 5.5]);
  });

  it('keeps batch entries apart', () => {
    const twice = (rows) => [rows, rows];
    const inputs = { query: twice([[0]]), key: twice(flat.key), value: twice(flat.value) };
    close(attend({ causal: true, offset: [0, 1] }, inputs).output.data, [1, 5.5]);
    close(attend({ keyLengths: [2, 0] }, inputs).output.data, [5.5, 0]);
  });

  it('treats scores beyond float32 as infinite', () => {
    const overflow = attend({}, { query: [[1e30]], key: [[1e30], [0], [0]] });
    exactly(overflow.rawScores.data, [Infinity, 0, 0]);
    exactly(overflow.output.data, [NaN]);
    const lowest = attend({}, { query: [[1e30]], key: [[-1e30], [0], [0]] });
    exactly(lowest.weights.data, [0, 0.5, 0.5]);
  });

  it('refuses undefined cases', () => {
    const low = { query: [[1e30]], key: [[-1e30], [-1e30], [-1e30]] };
    assert.throws(() => attend({}, low), /undefined/);
    assert.throws(() => attend({}, { ...low, key: [[-1e30], [NaN], [0]] }), /undefined/);
  });

  it('rounds every operation by option', () => {
    const float32 = oracleAttention(
      tensor([[1]]),
      tensor([[0], [1]]),
      tensor([[0], [1]]),
      { scale: 1 },
      Math.fround,
    );
    const e = Math.fround(Math.exp(-1));
    const sum = Math.fround(1 + e);
    exactly(float32.weights.data, [Math.fround(e / sum), Math.fround(1 / sum)]);
  });

  it('computes the steps one by one', () => {
    const scores = tensor([[0, Math.log(3), HIDE]]);
    const weights = oracleSoftmax(scores);
    close(weights.data, [1 / 4, 3 / 4, 0]);
    close(oracleSoftmax(scores, { sinks: [Math.log(4)] }).data, [1 / 8, 3 / 8, 0]);
    close(oracleSoftmax(scores, { keyLengths: [1] }).data, [1, 0, 0]);
    const output = oracleWeightedSum(tensor([[0.25, 0, 2]]), tensor([[4], [NaN], [5]]));
    exactly(output.dims, [1, 1]);
    exactly(output.data, [11]);
  });
});

// Nested rows as float64 numbers: no rounding before the oracle.
function tensor(rows) {
  const dims = [];
  for (let level = rows; Array.isArray(level); level = level[0]) dims.push(level.length);
  return { dims, data: Float64Array.from(rows.flat(Infinity)) };
}

function mask(Type, numbers, dims = [numbers.length]) {
  return { dims, data: Type.from(numbers) };
}

function close(got, want, tolerance = 1e-14, label = '') {
  assert.equal(got.length, want.length, label);
  want.forEach((number, at) => {
    const off = Math.abs(got[at] - number);
    const allowed = Math.max(tolerance, 1e-14 * Math.abs(number));
    assert.ok(off <= allowed, `[${at}]: ${got[at]} instead of ${number}. ${label}`);
  });
}

// 0 equals -0 here.
function exactly(got, want) {
  assert.deepEqual(Array.from(got, plain), want);
}

function plain(number) {
  return number === 0 ? 0 : number;
}
