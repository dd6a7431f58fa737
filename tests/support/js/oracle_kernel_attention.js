// The oracle of kernelAttention(), one number at a time, in float64, independent of the library. With
// Math.fround as `round` the same text is the naive float32 run.
//
//   o_i = Σ_j sim(q_i,k_j) v_j / Σ_j sim(q_i,k_j) over the visible keys; a denominator of 0 is a zero row
import { attentionShape, visibility } from './oracle.js';
import {
  dot,
  headAverage,
  joinHeads,
  pairDims,
  rowOf,
  splitHeads,
  unrounded,
  zeros,
} from './oracle_layout.js';

/** { output, weights, averageWeights } as { dims, data: Float64Array } tensors. */
export function oracleKernelAttention(query, key, value, options = {}, round = unrounded) {
  const shape = attentionShape(query, key, value, options);
  const { batch, heads, kvHeads, qLen, kLen, keyDim, valueDim } = shape;
  const rank = query.dims.length;
  const isVisible = visibility(shape, options);
  const { logarithmic, of } = similarityOf(options, keyDim, round);
  const [q, k, v] = [
    splitHeads(query, heads),
    splitHeads(key, kvHeads),
    splitHeads(value, kvHeads),
  ];
  const weights = zeros([batch, heads, qLen, kLen]);
  const output = zeros([batch, heads, qLen, valueDim]);
  for (let b = 0; b < batch; b++) {
    for (let h = 0; h < heads; h++) {
      const kv = Math.floor(h / (heads / kvHeads));
      for (let i = 0; i < qLen; i++) {
        const seen = [];
        for (let j = 0; j < kLen; j++) if (isVisible(b, h, i, j)) seen.push(j);
        const numbers = seen.map((j) => of(rowOf(q, b, h, i), rowOf(k, b, kv, j)));
        const shares = logarithmic ? softmaxOf(numbers, round) : sharesOf(numbers, round);
        const weightRow = rowOf(weights, b, h, i);
        seen.forEach((j, at) => (weightRow[j] = shares[at]));
        // A row without a denominator does not read its values.
        if (shares.every((share) => share === 0)) continue;
        const out = rowOf(output, b, h, i);
        for (let c = 0; c < valueDim; c++) {
          out[c] = dot(
            shares,
            seen.map((j) => rowOf(v, b, kv, j)[c]),
            round,
          );
        }
      }
    }
  }
  const named = rank === 4 ? heads : options.heads;
  return {
    output: joinHeads(output, rank),
    weights: { dims: pairDims(rank, named, weights.dims), data: weights.data },
    averageWeights: lastDims(headAverage(weights, round), rank),
  };
}

const lastDims = ({ dims, data }, rank) => ({ dims: pairDims(rank, null, dims), data });

/**
 * The similarity the options name: { logarithmic, of(q, k) }. `of` gives the logarithm of the
 * similarity where `logarithmic`, else the similarity.
 */
export function similarityOf(options, keyDim, round = unrounded) {
  const { similarity = 'exponential', constant = 1, degree = 2 } = options;
  const scale = options.scale ?? round(1 / round(Math.sqrt(keyDim)));
  if (typeof similarity === 'function') {
    return { logarithmic: false, of: (q, k) => round(similarity(q, k)) };
  }
  switch (similarity) {
    case 'exponential':
      return { logarithmic: true, of: (q, k) => round(scale * dot(q, k, round)) };
    case 'gaussian': {
      const bandwidth = options.bandwidth ?? round(keyDim ** 0.25);
      const twice = round(2 * round(bandwidth * bandwidth));
      return {
        logarithmic: true,
        of: (q, k) => {
          const apart = differences(q, k, round);
          return round(-dot(apart, apart, round) / twice);
        },
      };
    }
    case 'laplacian': {
      const bandwidth = options.bandwidth ?? round(Math.sqrt(keyDim));
      return {
        logarithmic: true,
        of: (q, k) => {
          const apart = differences(q, k, round).map(Math.abs);
          return round(-apart.reduce((sum, x) => round(sum + x)) / bandwidth);
        },
      };
    }
    case 'cosine':
      return {
        logarithmic: false,
        of: (q, k) => {
          const norms = round(lengthOf(q, round) * lengthOf(k, round));
          return norms === 0 ? 0 : round(dot(q, k, round) / norms);
        },
      };
    case 'polynomial':
      return {
        logarithmic: false,
        of: (q, k) => {
          const base = round(round(scale * dot(q, k, round)) + constant);
          let power = base;
          for (let n = 1; n < degree; n++) power = round(power * base);
          return power;
        },
      };
    default:
      throw new Error(`no similarity ${similarity}`);
  }
}

const differences = (q, k, round) => Array.from(q, (x, c) => round(x - k[c]));
const lengthOf = (x, round) => round(Math.sqrt(dot(x, x, round)));

// Over logarithms, so that nothing underflows to a denominator of 0. NaN and +∞ make the row NaN.
function softmaxOf(logs, round) {
  if (logs.some((log) => Number.isNaN(log) || log === Infinity)) return logs.map(() => NaN);
  const largest = Math.max(...logs);
  if (logs.length > 0 && largest === -Infinity) throw new Error('left undefined: nothing but -∞');
  const powers = logs.map((log) => round(Math.exp(round(log - largest))));
  const sum = powers.reduce((a, b) => round(a + b), 0);
  return powers.map((power) => round(power / sum));
}

function sharesOf(numbers, round) {
  const sum = numbers.reduce((a, b) => round(a + b), 0);
  return numbers.map((number) => (sum === 0 ? 0 : round(number / sum)));
}
