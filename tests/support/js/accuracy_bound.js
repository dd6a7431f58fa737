// How far float32 results may be from the oracle's float64 ones, per call:
//
//   max(2 × error of a naive float32 run, 8·ε·(1 + |scale|·max_j Σ_c|q_ic k_jc| + biases)·max|v|)
//
// ε = 2^-24, the largest relative error of one float32 operation: the sharper of its two readings.
import { oracleAttention } from './oracle.js';

export const EPSILON = 2 ** -24;

/**
 * For each result of the oracle: { tolerance, naiveError, formula }. With `exactBiases` the biases
 * are known to add up without rounding and are left out.
 */
export function accuracyBound(query, key, value, options, exact, { exactBiases = false } = {}) {
  const naive = oracleAttention(query, key, value, options, Math.fround);
  const { row, raw, biased } = magnitudes(query, key, value, options, exact, exactBiases);
  const largestValue = largestFinite(value.data);
  const bound = (naiveError, magnitude) => {
    const formula = 8 * EPSILON * magnitude;
    return { tolerance: Math.max(2 * naiveError, formula), naiveError, formula };
  };
  const error = (name) => worst(naive[name], exact[name]);
  return {
    output: bound(error('output'), (1 + row) * largestValue),
    weights: bound(error('weights'), 1 + row),
    averageWeights: bound(error('averageWeights'), 1 + row),
    rawScores: bound(error('rawScores'), raw),
    cappedScores: bound(error('cappedScores'), raw),
    biasedScores: bound(error('biasedScores'), biased),
    // The sum itself is as large as its result, and is rounded at that size.
    logSumExp: bound(error('logSumExp'), 1 + row + largestFinite(exact.logSumExp.data)),
  };
}

// How large the numbers are that meet in a score, before they cancel: the oracle run over absolute
// values. `raw` and `biased`: over all keys. `row`: over visible keys, as far as a row can feel them.
function magnitudes(query, key, value, options, exact, exactBiases) {
  const { softcap: _, sinks, ...rest } = options;
  const absolute = { ...rest };
  if (options.scale != null) absolute.scale = Math.abs(options.scale);
  if (options.slopes != null) absolute.slopes = options.slopes.map((slope) => -Math.abs(slope));
  if (options.mask?.data instanceof Float32Array) {
    const data = options.mask.data.map((x) => (x === -Infinity ? x : Math.abs(x)));
    absolute.mask = { dims: options.mask.dims, data };
  }
  const sizes = oracleAttention(absoluteTensor(query), absoluteTensor(key), value, absolute);
  const kLen = key.dims.at(-2);
  const qLen = query.dims.at(-2);
  const largest = { row: 0, raw: 0, biased: 0 };
  const grow = (name, size) => (largest[name] = Math.max(largest[name], size));
  exact.weights.data.forEach((weight, at) => {
    const raw = finite(sizes.rawScores.data[at]);
    const biased = exactBiases ? raw : finite(sizes.biasedScores.data[at]);
    grow('raw', raw);
    if (exact.biasedScores.data[at] === -Infinity) return;
    grow('biased', biased);
    // A bias so low that the weight vanishes cannot move the row by its rounding.
    grow('row', weight >= 2 ** -40 ? Math.max(raw, biased) : raw);
  });
  if (sinks != null && kLen > 0) {
    exact.logSumExp.data.forEach((logSumExp, at) => {
      const sink = sinks[Math.floor(at / qLen) % sinks.length];
      if (Math.exp(sink - logSumExp) >= 2 ** -40) grow('row', Math.abs(sink));
    });
  }
  return largest;
}

const absoluteTensor = ({ dims, data }) => ({ dims, data: data.map(Math.abs) });
const finite = (x) => (Number.isFinite(x) ? x : 0);
const largestFinite = (data) => data.reduce((a, x) => Math.max(a, Math.abs(finite(x))), 0);

// The largest difference; a naive run that differs in a NaN or an infinity has no error to quote.
function worst(naive, exact) {
  let largest = 0;
  exact.data.forEach((want, at) => {
    const got = naive.data[at];
    if (Object.is(got, want) || got === want) return;
    const difference = Math.abs(got - want);
    if (!Number.isFinite(difference)) throw new Error(`naive run gives ${got} for ${want}`);
    largest = Math.max(largest, difference);
  });
  return largest;
}
