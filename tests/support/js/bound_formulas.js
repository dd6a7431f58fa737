// The formulas of accuracy_bound.js for every function of the vectors: (1 + magnitude)·(largest value) of each result.
import { attentionFormulas } from './attention_bound.js';
import { attentionShape, oracleAttention, visibility } from './oracle.js';
import { similarityOf } from './oracle_kernel_attention.js';
import { rowOf, splitHeads } from './oracle_layout.js';
import { linear } from './oracle_multi_head.js';
import { momentsOf } from './oracle_transformer.js';

// Rounding of a smaller weight does not affect its row.
const NOTICEABLE = 2 ** -40;

/** The formulas of one case by result: { output, weights, … }. `exact`: the oracle's results for it. */
export function formulasOf({ function: called, inputs, options, exactBiases }, exact) {
  const { query, key, value, mask } = inputs;
  return {
    attention: () => {
      const given = mask ? { ...options, mask } : options;
      return attentionFormulas(query, key, value, given, exact, Boolean(exactBiases));
    },
    kernelAttention: () => kernelFormulas(inputs, options, exact),
    linearAttention: () => linearFormulas(inputs, options, exact),
    rotaryEmbedding: () => ({ output: 2 * largest(inputs.x) }),
    multiHeadAttention: () => multiHeadFormulas(exact),
    transformerEncoderLayer: () => layerFormulas(exact),
    transformerDecoderLayer: () => layerFormulas(exact),
  }[called]();
}

// exponential, gaussian, laplacian: the logarithm over absolute values. The others: effect of relative errors of the
// similarities on the weights; a polynomial of degree n multiplies its errors by n.
function kernelFormulas({ query, key, value, mask }, options, exact) {
  const given = mask ? { ...options, mask } : options;
  const shape = attentionShape(query, key, value, given);
  const { heads, kvHeads, keyDim, batch, qLen, kLen } = shape;
  const isVisible = visibility(shape, given);
  const { similarity, scale, constant, degree = 2 } = options;
  const absolute = { ...options };
  if (scale != null) absolute.scale = Math.abs(scale);
  if (constant != null) absolute.constant = Math.abs(constant);
  const plain = similarityOf(options, keyDim);
  const sizes = similarityOf(absolute, keyDim);
  // Differences of q and k are largest if all signs differ.
  const sign = ['gaussian', 'laplacian'].includes(similarity) ? -1 : 1;
  const sizeOf = (q, k) => {
    if (typeof similarity === 'function') return Math.abs(similarity(q, k));
    const size = sizes.of(
      q.map(Math.abs),
      k.map((x) => sign * Math.abs(x)),
    );
    return similarity === 'polynomial' ? degree * size : Math.abs(size);
  };
  const [q, k] = [splitHeads(query, heads), splitHeads(key, kvHeads)];
  let magnitude = 0;
  for (let b = 0; b < batch; b++)
    for (let h = 0; h < heads; h++)
      for (let i = 0; i < qLen; i++) {
        const row = ((b * heads + h) * qLen + i) * kLen;
        const weights = exact.weights.data.subarray(row, row + kLen);
        const total = weights.reduce((a, weight) => a + Math.abs(weight), 0);
        let moved = 0;
        let sum = 0;
        for (let j = 0; j < kLen; j++) {
          if (!isVisible(b, h, i, j)) continue;
          const kv = Math.floor(h / (heads / kvHeads));
          const pair = [rowOf(q, b, h, i), rowOf(k, b, kv, j)];
          const size = finite(sizeOf(...pair));
          if (plain.logarithmic) {
            if (weights[j] >= NOTICEABLE) magnitude = Math.max(magnitude, size);
          } else {
            sum += plain.of(...pair);
            moved += size * (Math.abs(1 - weights[j]) + total - Math.abs(weights[j]));
          }
        }
        // At least the weights themselves, which are rounded too.
        if (!plain.logarithmic && sum !== 0) {
          magnitude = Math.max(magnitude, finite(total + moved / Math.abs(sum)));
        }
      }
  return {
    output: (1 + magnitude) * largest(value),
    weights: 1 + magnitude,
    averageWeights: 1 + magnitude,
  };
}

// Features are positive and nothing cancels: the magnitude is 1. In efficient attention it is that of the
// arguments of the two softmaxes. S and z are as large as the sums over absolute values.
function linearFormulas({ query, key, value, S, z }, options, exact) {
  const efficient = options.featureMap === 'efficient';
  const magnitude = efficient ? largest(query) + largest(key) : 1;
  const before = S ? S.data.map((x, at) => ratio(x, z.data[Math.floor(at / S.dims[3])])) : [0];
  const largestValue = Math.max(largest(value), largest({ data: before }));
  return {
    output: (1 + magnitude) * largestValue,
    weights: 1 + magnitude,
    averageWeights: 1 + magnitude,
    S: exact.z && largest(exact.z) * largestValue,
    z: exact.z && largest(exact.z),
  };
}

const ratio = (x, size) => (size === 0 ? 0 : x / size);

// Each result by its last step, from exact inputs: the naive run includes the errors of earlier steps.
function multiHeadFormulas({ trace, ...exact }) {
  const [{ parameters, x, context }] = trace.attentions;
  const { raw, row } = scoreSizes(trace.attentions[0], exact);
  const concatenated = (1 + row) * largest(exact.value);
  return {
    output: (1 + row) * projectedSize(exact.concatenated, parameters.output, parameters.outputBias),
    headOutputs: concatenated,
    weights: 1 + row,
    averageWeights: 1 + row,
    rawScores: raw,
    cappedScores: raw,
    biasedScores: Math.max(raw, row),
    logSumExp: 1 + row + largest(exact.logSumExp),
    query: projectedSize(x, parameters.query, parameters.queryBias),
    key: projectedSize(context, parameters.key, parameters.keyBias),
    value: projectedSize(context, parameters.value, parameters.valueBias),
  };
}

// The largest magnitude of any sublayer: scores of its attentions, and for each norm the ratio of its
// inputs to their standard deviation.
function layerFormulas({ trace, output }) {
  const parts = [
    ...trace.attentions.map((attention) => scoreSizes(attention, attention.exact).row),
    ...trace.norms.map(lossOf),
  ];
  const magnitude = Math.max(...parts);
  return {
    output: (1 + magnitude) * largest(output),
    weights: 1 + magnitude,
    averageWeights: 1 + magnitude,
    crossWeights: 1 + magnitude,
    averageCrossWeights: 1 + magnitude,
  };
}

function lossOf({ kind, epsilon, x }) {
  const width = x.dims.at(-1);
  let loss = 0;
  for (let start = 0; start < x.data.length; start += width) {
    const row = x.data.subarray(start, start + width);
    loss = Math.max(loss, finite(largest({ data: row }) / momentsOf(kind, row, epsilon).spread));
  }
  return loss;
}

// `raw`: over all keys. `row`: over visible keys with nonzero weight, including biases and sinks. A key of weight 1
// does not affect its row either.
function scoreSizes({ options }, exact) {
  const { query, key, value, weights } = exact;
  const { softcap: _, sinks, ...rest } = options;
  const given = { ...rest };
  if (options.scale != null) given.scale = Math.abs(options.scale);
  if (options.slopes != null) given.slopes = options.slopes.map((slope) => -Math.abs(slope));
  if (options.mask?.data instanceof Float32Array) {
    const data = options.mask.data.map((m) => (m === -Infinity ? m : Math.abs(m)));
    given.mask = { dims: options.mask.dims, data };
  }
  const sizes = oracleAttention(absolute(query), absolute(key), value, given);
  const felt = sizes.biasedScores.data.filter(
    (_size, at) => weights.data[at] >= NOTICEABLE && weights.data[at] <= 1 - NOTICEABLE,
  );
  return {
    raw: largest(sizes.rawScores),
    row: Math.max(largest({ data: felt }), ...(sinks ?? []).map(Math.abs)),
  };
}

// The largest Σ|x||W| + |b|.
function projectedSize(x, matrix, bias) {
  return largest(linear(absolute(x), absolute(matrix), bias && absolute(bias)));
}

const finite = (x) => (Number.isFinite(x) ? x : 0);
const absolute = ({ dims, data }) => ({ dims, data: data.map((x) => finite(Math.abs(x))) });
const largest = ({ data }) => data.reduce((a, x) => Math.max(a, Math.abs(finite(x))), 0);
