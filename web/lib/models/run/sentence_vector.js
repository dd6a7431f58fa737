// The vector of a text: its hidden vectors pooled over all tokens, then dense layers and normalization. Sums are doubles.
import { activations } from './activations.js';
import { meanRow, normalized, rowOf } from './vector_rows.js';

const countOf = ({ dims }) => dims[0];

/** Σ weight(row) · row / total. */
function weightedSum(hidden, weight, total) {
  const sum = new Float64Array(hidden.dims[1]);
  for (let row = 0; row < countOf(hidden); row++) {
    rowOf(hidden, row).forEach((x, c) => (sum[c] += weight(row) * x));
  }
  return Float32Array.from(sum, (x) => x / total);
}

function maxRow(hidden) {
  const largest = rowOf(hidden, 0).slice();
  for (let row = 1; row < countOf(hidden); row++) {
    rowOf(hidden, row).forEach((x, c) => (largest[c] = Math.max(largest[c], x)));
  }
  return largest;
}

const poolers = {
  cls: (hidden) => rowOf(hidden, 0),
  max: maxRow,
  mean: (hidden) => meanRow(hidden),
  mean_sqrt_len_tokens: (hidden) => weightedSum(hidden, () => 1, Math.sqrt(countOf(hidden))),
  weightedmean(hidden, first) {
    const n = countOf(hidden);
    const weight = (row) => first + row + 1; // positions count from the start of the prompt
    return weightedSum(hidden, weight, (n * (weight(0) + weight(n - 1))) / 2);
  },
  lasttoken: (hidden) => rowOf(hidden, countOf(hidden) - 1),
};

const identity = (x) => x;

/** activation(x · weightᵀ + bias). */
function dense({ weight, bias, activation }, x) {
  const act = activations[activation] ?? identity;
  return Float32Array.from({ length: weight.dims[0] }, (_, out) => {
    const sum = rowOf(weight, out).reduce((total, w, c) => total + w * x[c], 0);
    return act(sum + (bias?.[out] ?? 0));
  });
}

/** The rows of hidden from an index on. */
const rowsFrom = ({ data, dims: [n, width] }, first) => ({
  data: data.subarray(first * width),
  dims: [n - first, width],
});

/** pooling: a result of readPooling(); hidden: n × width; first: number of tokens of a prompt that are left out. */
export function sentenceVector({ modes, steps }, hidden, first = 0) {
  const pooled = first > 0 ? rowsFrom(hidden, first) : hidden;
  let vector = Float32Array.from(modes.flatMap((mode) => [...poolers[mode](pooled, first)]));
  for (const step of steps) {
    if (step.kind === 'Normalize') vector = normalized(vector);
    else vector = dense(step, vector);
  }
  return { data: vector, dims: [vector.length] };
}
