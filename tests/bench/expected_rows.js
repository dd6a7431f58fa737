// Expected rows in float64 by the definition: some rows of every head, because all of them
// would take longer than the benchmark.

import { stackRows } from './layer_stack.js';

const max = 24;

/** Sampled row indices, including the first and the last. */
function sample(count, wanted = max) {
  if (count <= wanted) return [...Array(count).keys()];
  return Array.from({ length: wanted }, (_, at) => Math.floor((at * (count - 1)) / (wanted - 1)));
}

/** One query [dim] against the keys of one head: { weights, output }. */
function attendRow(query, key, value, { dim, kLen }, seen) {
  const scores = new Float64Array(kLen).fill(-Infinity);
  for (let j = 0; j < seen; j++) {
    let sum = 0;
    for (let c = 0; c < dim; c++) sum += query[c] * key[j * dim + c];
    scores[j] = sum / Math.sqrt(dim);
  }
  const largest = scores.reduce((one, other) => Math.max(one, other));
  const powers = scores.map((score) => Math.exp(score - largest));
  const total = powers.reduce((one, other) => one + other);
  const weights = powers.map((power) => power / total);
  const output = new Float64Array(dim);
  for (let j = 0; j < seen; j++) {
    for (let c = 0; c < dim; c++) output[c] += weights[j] * value[j * dim + c];
  }
  return { weights, output };
}

/** rows × inner times outIn (columns × inner) transposed, plus a row. */
function product(left, outIn, bias, rows, inner) {
  const columns = bias.length;
  const result = new Float64Array(rows * columns);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      let sum = bias[j];
      for (let k = 0; k < inner; k++) sum += left[i * inner + k] * outIn[j * inner + k];
      result[i * columns + j] = sum;
    }
  }
  return result;
}

function attentionRows(shape, { headsFirst: { query, key, value } }) {
  const { heads, qLen, kLen, dim, causal } = shape;
  const rows = [];
  for (const head of sample(heads, 4)) {
    const keys = key.subarray(head * kLen * dim, (head + 1) * kLen * dim);
    const values = value.subarray(head * kLen * dim, (head + 1) * kLen * dim);
    for (const row of sample(qLen)) {
      const at = (head * qLen + row) * dim;
      const seen = causal ? row + 1 + kLen - qLen : kLen;
      const found = attendRow(query.subarray(at, at + dim), keys, values, shape, seen);
      rows.push({ head, row, ...found });
    }
  }
  return rows;
}

function layerRows(shape, { x, outIn, biases }) {
  const { heads, qLen, dim, modelDim } = shape;
  const [query, key, value] = ['query', 'key', 'value'].map((name) =>
    product(x, outIn[name], biases[name], qLen, modelDim),
  );
  const head = (data, number) => {
    const part = new Float64Array(qLen * dim);
    for (let row = 0; row < qLen; row++) {
      const from = row * modelDim + number * dim;
      part.set(data.subarray(from, from + dim), row * dim);
    }
    return part;
  };
  const all = [...Array(heads).keys()];
  const parts = all.map((number) => [query, key, value].map((data) => head(data, number)));
  return sample(qLen).map((row) => {
    const mixed = new Float64Array(modelDim);
    parts.forEach(([q, k, v], number) => {
      const own = q.subarray(row * dim, (row + 1) * dim);
      mixed.set(attendRow(own, k, v, shape, qLen).output, number * dim);
    });
    return { row, output: product(mixed, outIn.output, biases.output, 1, modelDim) };
  });
}

/** The sampled rows of a shape: { row, head?, output, weights? }. */
export function expectedRows(shape, inputs) {
  if (shape.layers) return stackRows(shape, inputs, attendRow);
  return shape.kind === 'layer' ? layerRows(shape, inputs) : attentionRows(shape, inputs);
}

/** The largest difference of a result from the expected rows; NaN and missing numbers count as Infinity. */
export function largestDifference(expected, found, layout, shape) {
  const { heads, qLen, kLen, dim, modelDim } = shape;
  const starts = {
    headsFirst: ({ head, row }) => (head * qLen + row) * dim,
    tokensFirst: ({ head, row }) => (row * heads + head) * dim,
    x: ({ row }) => row * modelDim,
  };
  let largest = 0;
  const compare = (wanted, data, start) => {
    wanted.forEach((number, at) => {
      const difference = Math.abs(number - data[start + at]);
      if (!(difference <= largest)) largest = difference >= 0 ? difference : Infinity;
    });
  };
  const size = modelDim ? qLen * modelDim : heads * qLen * dim;
  if (found.output.length !== size) return Infinity;
  for (const row of expected) {
    compare(row.output, found.output, starts[layout](row));
    if (!shape.weights) continue;
    if (found.weights?.length !== heads * qLen * kLen) return Infinity;
    compare(row.weights, found.weights, (row.head * qLen + row.row) * kLen);
  }
  return largest;
}
