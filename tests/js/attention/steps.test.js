// The steps as an extension point: code between scores(), softmax() and weightedSum() gives the results of the option of
// attention() if there is one, and otherwise those of the oracle.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { loadAttention } from 'attention-wasm';

import { EPSILON } from '../../support/js/accuracy_bound.js';
import { explainBitDifference, explainDifference } from '../../support/js/compare.js';
import { oracleAttention, oracleSoftmax, oracleWeightedSum } from '../../support/js/oracle.js';
import { normalTensor, seeded } from '../../support/js/random_tensors.js';
import { filled } from '../../support/js/rearrange.js';

const largest = ({ data }) => data.reduce((a, x) => Math.max(a, Math.abs(x)), 0);
const bits = (got, want, label) => assert.equal(explainBitDifference(got, want), '', label);
const near = (got, want, tolerance, label) =>
  assert.equal(explainDifference(got, want, tolerance), '', label);

/** A tensor of batch × heads × qLen × kLen with every number changed by change(number, b, h, i, j). */
function changed({ dims, data }, change) {
  const [batch, heads, qLen, kLen] = [1, 1, ...dims].slice(-4);
  const out = data.slice();
  let at = 0;
  for (let b = 0; b < batch; b++)
    for (let h = 0; h < heads; h++)
      for (let i = 0; i < qLen; i++)
        for (let j = 0; j < kLen; j++, at++) out[at] = change(data[at], b, h, i, j);
  return { dims, data: out };
}

/** The same with every row of keys changed by change(row, i): a list of numbers. */
function rowsChanged({ dims, data }, change) {
  const kLen = dims.at(-1);
  const out = data.slice();
  for (let start = 0; start < data.length; start += kLen) {
    out.set(change(data.subarray(start, start + kLen)), start);
  }
  return { dims, data: out };
}

// T5: distances up to 8 have one bucket each, longer ones share buckets by powers of two, in both directions.
function bucketOf(distance) {
  const side = distance > 0 ? 16 : 0;
  const far = Math.abs(distance);
  if (far < 8) return side + far;
  return side + Math.min(15, 8 + Math.floor(Math.log2(far / 8) * 2));
}

const HEADS = { heads: 4, kvHeads: 2 };

for (const kernels of ['simd', 'reference']) {
  describe(`between the steps, ${kernels} kernels`, async () => {
    const { attention, scores, softmax, weightedSum } = await loadAttention({ kernels });
    const random = seeded('between the steps');
    const query = normalTensor(random, [2, 37, 4 * 6]);
    const key = normalTensor(random, [2, 37, 2 * 6]);
    const value = normalTensor(random, [2, 37, 2 * 5]);
    const full = [2, 4, 37, 37];
    const slack = 37 * EPSILON * 8;

    const inSteps = (options, { score = (x) => x, weigh = (x) => x }) => {
      const weights = weigh(softmax(score(scores(query, key, options)), options));
      return { weights, output: weightedSum(weights, value, options) };
    };

    it('a relative position bias of T5 is an additive mask', () => {
      const table = normalTensor(random, [32, 4]);
      const bias = (h, i, j) => table.data[4 * bucketOf(j - i) + h];
      const zeros = { dims: [1, 4, 37, 37], data: new Float32Array(4 * 37 * 37) };
      const mask = changed(zeros, (_, b, h, i, j) => bias(h, i, j));
      for (const options of [HEADS, { ...HEADS, causal: true, softcap: 2 }]) {
        const score = (tensor) => changed(tensor, (x, b, h, i, j) => x + bias(h, i, j));
        const got = inSteps(options, { score });
        const asked = { ...options, mask, weights: true, scores: 'biased' };
        const want = attention(query, key, value, asked);
        bits(got.weights, want.weights, 'weights');
        near(got.output, want.output, slack * largest(value), 'output');
        assert.notEqual(explainBitDifference(want.weights, inSteps(options, {}).weights), '');
      }
    });

    it('slopes, a soft cap and a temperature equal the options', () => {
      const slopes = [0.5, 0.25, 0.125, 0];
      const raw = { ...HEADS, scores: 'raw' };
      for (const [options, change, tolerance] of [
        [{ slopes }, (x, b, h, i, j) => x - Math.fround(slopes[h] * Math.abs(i - j)), 0],
        [{ softcap: 1.5 }, (x) => 1.5 * Math.tanh(x / 1.5), slack],
        [{ scale: 0.25 }, (x) => x * 0.25 * Math.sqrt(6), slack],
      ]) {
        const weights = softmax(changed(scores(query, key, raw), change), HEADS);
        const want = attention(query, key, value, { ...HEADS, ...options, weights: true });
        near(weights, want.weights, tolerance, Object.keys(options)[0]);
      }
    });

    it('a custom mask is -Infinity in the scores: documents packed into one sequence', () => {
      const documents = Array.from({ length: 37 }, (_, at) => Math.floor(at / 11));
      const padding = 36; // the last row has no visible key
      const isVisible = (i, j) => i !== padding && documents[i] === documents[j] && j <= i;
      const score = (tensor) =>
        changed(tensor, (x, b, h, i, j) => (isVisible(i, j) ? x : -Infinity));
      const got = inSteps(HEADS, { score });
      const zeros = { dims: [37, 37], data: new Uint8Array(37 * 37) };
      const mask = changed(zeros, (_, b, h, i, j) => (isVisible(i, j) ? 1 : 0));
      const want = attention(query, key, value, { ...HEADS, mask, weights: true });
      bits(got.weights, want.weights, 'weights');
      near(got.output, want.output, slack * largest(value), 'output');
      const last = got.output.data.subarray(36 * 20, 37 * 20);
      assert.ok(
        last.every((x) => x === 0),
        'the row that sees nothing is zeros',
      );

      // Hidden values are not read.
      const spoilt = filled(
        value,
        [
          [0, 36],
          [1, 36],
        ],
        NaN,
      );
      bits(weightedSum(got.weights, spoilt, HEADS), got.output, 'a value that nobody sees');
    });

    it('a mask for softmax() masks like one for scores()', () => {
      const options = { ...HEADS, causal: true, window: [5, 0] };
      const bare = softmax(scores(query, key, HEADS), options);
      bits(bare, softmax(scores(query, key, options), HEADS), 'weights');
      bits(bare, attention(query, key, value, { ...options, weights: true }).weights, 'weights');
    });

    it('dropout of weights equals the oracle', () => {
      const dropped = seeded('dropped');
      const kept = new Uint8Array(full.reduce((a, b) => a * b)).map(() =>
        dropped.chance(0.75) ? 1 : 0,
      );
      const weigh = ({ dims, data }) => ({
        dims,
        data: data.map((weight, at) => (kept[at] ? weight / 0.75 : 0)),
      });
      const got = inSteps(HEADS, { weigh });
      const exact = oracleAttention(query, key, value, HEADS);
      const weights = weigh(exact.weights);
      near(got.weights, weights, slack, 'weights');
      const output = oracleWeightedSum(weights, value, { kvHeads: 2 });
      near(got.output, output, slack * largest(value), 'output');
    });

    it('renormalized top-k weights equal a mask of the top-k scores', () => {
      const strongest = 5;
      const weigh = (tensor) =>
        rowsChanged(tensor, (row) => {
          const lowest = [...row].sort((a, b) => b - a)[strongest - 1];
          const kept = row.map((weight) => (weight >= lowest ? weight : 0));
          const sum = kept.reduce((a, b) => a + b);
          return kept.map((weight) => weight / sum);
        });
      const got = inSteps(HEADS, { weigh });
      const hidden = got.weights.data.map((weight) => (weight === 0 ? 0 : 1));
      const mask = { dims: full, data: Uint8Array.from(hidden) };
      assert.equal(
        mask.data.reduce((a, b) => a + b),
        strongest * 2 * 4 * 37,
      );
      const want = attention(query, key, value, { ...HEADS, mask, weights: true });
      near(got.weights, want.weights, slack, 'weights');
      near(got.output, want.output, slack * largest(value), 'output');
    });

    it('talking-heads attention: heads are mixed before and after the softmax', () => {
      const mixes = [normalTensor(random, [4, 4], 0.5), normalTensor(random, [4, 4], 0.5)];
      const square = 37 * 37;
      const mixed = ({ dims, data }, mix) => {
        const out = new data.constructor(data.length);
        for (let b = 0; b < 2; b++)
          for (let to = 0; to < 4; to++)
            for (let from = 0; from < 4; from++)
              for (let at = 0; at < square; at++) {
                const part = data[(4 * b + from) * square + at] * mix.data[4 * from + to];
                out[(4 * b + to) * square + at] += part;
              }
        return { dims, data: out };
      };
      const got = inSteps(HEADS, {
        score: (tensor) => mixed(tensor, mixes[0]),
        weigh: (tensor) => mixed(tensor, mixes[1]),
      });
      const exact = oracleAttention(query, key, value, HEADS);
      const weights = mixed(oracleSoftmax(mixed(exact.rawScores, mixes[0])), mixes[1]);
      near(got.weights, weights, 16 * slack, 'weights');
      const output = oracleWeightedSum(weights, value, { kvHeads: 2 });
      near(got.output, output, 16 * slack * largest(value), 'output');
    });

    it('the steps accept results of attention(), with any heads and rank', () => {
      const x = normalTensor(random, [9, 8]);
      for (const options of [{}, { heads: 2 }]) {
        const whole = attention(x, x, x, { ...options, weights: true, scores: 'biased' });
        bits(softmax(whole.scores), whole.weights, 'weights');
        const output = weightedSum(whole.weights, x, options);
        near(output, whole.output, slack * largest(x), 'output');
      }
    });
  });
}
