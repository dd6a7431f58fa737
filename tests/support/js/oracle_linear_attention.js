// The oracle of linearAttention(), one number at a time, in float64, knowing nothing of the library. Given
// Math.fround as `round` the same text is the naive float32 run.
//
//   S = Σ_j φ(k_j) v_jᵀ   z = Σ_j φ(k_j)   o_i = φ(q_i)ᵀS / (φ(q_i)ᵀz + epsilon), over all keys or those up to i
//   efficient: φ(q_i) = softmax over its features, φ(k_j) = softmax over positions, and no denominator
import { attentionShape } from './oracle.js';
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

/**
 * { output, weights, averageWeights, S, z } as { dims, data: Float64Array } tensors. `options.state` may be
 * { S, z } to continue from; weights cover the keys of this call.
 */
export function oracleLinearAttention(query, key, value, options = {}, round = unrounded) {
  const shape = attentionShape(query, key, value, options);
  const { batch, heads, kvHeads, qLen, kLen, keyDim, valueDim } = shape;
  const rank = query.dims.length;
  const { causal = false, epsilon = 0 } = options;
  if (causal && qLen !== kLen) throw new Error('causal needs as many queries as keys');
  const length = (b) => Math.min(kLen, options.keyLengths?.[b] ?? kLen);
  const efficient = options.featureMap === 'efficient';
  if (efficient && (causal || options.epsilon != null || options.state)) {
    throw new Error('efficient attention has no causal form, no state and no epsilon');
  }
  const [q, k] = efficient
    ? [
        softmaxOverFeatures(splitHeads(query, heads), round),
        softmaxOverPositions(splitHeads(key, kvHeads), length, round),
      ]
    : [splitHeads(query, heads), splitHeads(key, kvHeads)].map((x) => mapped(x, options, round));
  const v = splitHeads(value, kvHeads);
  const S = copyOr(options.state?.S, [batch, kvHeads, keyDim, valueDim]);
  const z = copyOr(options.state?.z, [batch, kvHeads, keyDim]);
  const output = zeros([batch, heads, qLen, valueDim]);
  const weights = zeros([batch, heads, qLen, kLen]);
  const group = heads / kvHeads;

  for (let b = 0; b < batch; b++) {
    for (let kv = 0; kv < kvHeads; kv++) {
      const sums = z.data.subarray((b * kvHeads + kv) * keyDim, (b * kvHeads + kv + 1) * keyDim);
      let taken = 0;
      const takeIn = (end) => {
        for (; taken < Math.min(end, length(b)); taken++) {
          const features = rowOf(k, b, kv, taken);
          const values = rowOf(v, b, kv, taken);
          features.forEach((feature, f) => {
            const row = rowOf(S, b, kv, f);
            sums[f] = round(sums[f] + feature);
            values.forEach((x, c) => (row[c] = round(row[c] + round(feature * x))));
          });
        }
      };
      if (!causal) takeIn(kLen);
      for (let i = 0; i < qLen; i++) {
        if (causal) takeIn(i + 1);
        for (let h = kv * group; h < (kv + 1) * group; h++) {
          const features = rowOf(q, b, h, i);
          const denominator = efficient ? 1 : round(dot(features, sums, round) + epsilon);
          if (denominator === 0) continue;
          const out = rowOf(output, b, h, i);
          for (let c = 0; c < valueDim; c++) {
            const column = features.map((_, f) => rowOf(S, b, kv, f)[c]);
            out[c] = round(dot(features, column, round) / denominator);
          }
          const weightRow = rowOf(weights, b, h, i);
          for (let j = 0; j < taken; j++) {
            weightRow[j] = round(dot(features, rowOf(k, b, kv, j), round) / denominator);
          }
        }
      }
      takeIn(kLen);
    }
  }
  const named = rank === 4 ? heads : options.heads;
  const average = headAverage(weights, round);
  return {
    output: joinHeads(output, rank),
    weights: { dims: pairDims(rank, named, weights.dims), data: weights.data },
    averageWeights: { dims: pairDims(rank, null, average.dims), data: average.data },
    ...(efficient ? {} : { S, z }),
  };
}

/** The feature maps, of one number. */
export const featureMaps = {
  elu: (x, round = unrounded) => (x > 0 ? round(x + 1) : round(Math.exp(x))),
  relu: (x) => (x < 0 ? 0 : x),
  exp: (x, round = unrounded) => round(Math.exp(x)),
};

function mapped({ dims, data }, { featureMap = 'elu' }, round) {
  const map = featureMaps[featureMap];
  return { dims, data: Float64Array.from(data, (x) => map(x, round)) };
}

function softmaxOverFeatures({ dims, data }, round) {
  const out = { dims, data: Float64Array.from(data) };
  const width = dims[3];
  for (let start = 0; start < data.length; start += width) {
    softmaxInPlace(
      Array.from({ length: width }, (_, c) => start + c),
      out.data,
      round,
    );
  }
  return out;
}

// Positions at or beyond the length stay what they were and are read by nobody.
function softmaxOverPositions({ dims, data }, length, round) {
  const [batch, heads, rows, width] = dims;
  const out = { dims, data: Float64Array.from(data) };
  for (let b = 0; b < batch; b++)
    for (let h = 0; h < heads; h++)
      for (let c = 0; c < width; c++) {
        const at = (j) => ((b * heads + h) * rows + j) * width + c;
        softmaxInPlace(
          Array.from({ length: length(b) }, (_, j) => at(j)),
          out.data,
          round,
        );
      }
  return out;
}

function softmaxInPlace(places, data, round) {
  const largest = Math.max(...places.map((at) => data[at]));
  let sum = 0;
  for (const at of places) {
    data[at] = round(Math.exp(round(data[at] - largest)));
    sum = round(sum + data[at]);
  }
  for (const at of places) data[at] = round(data[at] / sum);
}

const copyOr = (given, dims) =>
  given ? { dims, data: Float64Array.from(given.data) } : zeros(dims);
