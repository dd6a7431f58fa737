// The bound of attention(): 8·ε·(1 + |scale|·max_j Σ_c|q_ic k_jc| + biases)·max|v| (accuracy_bound.js).
import { boundOf } from './accuracy_bound.js';
import { oracleAttention } from './oracle.js';

/** For each result of the oracle: { tolerance, naiveError, formula }. */
export function accuracyBound(query, key, value, options, exact) {
  const naive = oracleAttention(query, key, value, options, Math.fround);
  const formulas = attentionFormulas(query, key, value, options, exact);
  return Object.fromEntries(
    Object.entries(formulas).map(([name, formula]) => [
      name,
      boundOf(exact[name], naive[name], formula),
    ]),
  );
}

/**
 * Error formulas of one call by result. With `exactBiases`, biases add without rounding
 * and are left out.
 */
export function attentionFormulas(query, key, value, options, exact, exactBiases = false) {
  const { row, raw, biased } = magnitudes(query, key, value, options, exact, exactBiases);
  return {
    output: (1 + row) * largestFinite(value.data),
    weights: 1 + row,
    averageWeights: 1 + row,
    rawScores: raw,
    cappedScores: raw,
    biasedScores: biased,
    // The sum itself is as large as its result, and is rounded at that size.
    logSumExp: 1 + row + largestFinite(exact.logSumExp.data),
  };
}

// Size of the terms of a score before cancellation: the oracle run over absolute
// values. `raw` and `biased`: over all keys. `row`: over visible keys with a weight that affects the row.
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
    // Rounding of a bias that makes the weight vanish does not affect the row.
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
