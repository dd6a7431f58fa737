// Measures of results that were computed before: attention rollout, scores of heads, and the comparison of two runs.
// All sums are doubles.
import { describe } from '../../arguments/describe.js';
import { boolean, isList, number, oneOf, readOptions } from '../../arguments/options.js';
import { readTensor } from '../../arguments/tensor.js';

/** Weights of each layer, heads × n × n, from tensors that may lack the heads axis. */
function readLayers(attentions) {
  if (!Array.isArray(attentions) || attentions.length === 0) {
    throw new TypeError(
      `attentions must be the weights of each layer, as run() with attentions returns them, found ${describe(attentions)}`,
    );
  }
  const layers = attentions.map((layer, at) => {
    const { data, dims } = readTensor(`attentions[${at}]`, layer);
    const [n, keys] = dims.slice(-2);
    const heads = dims.length === 3 ? dims[0] : 1;
    if (dims.length < 2 || dims.length > 3 || n !== keys || data.length !== heads * n * n) {
      const shape = dims.join('×');
      throw new RangeError(`attentions[${at}] has dims ${shape} but must be heads × n × n`);
    }
    return { data, heads, n };
  });
  const other = layers.findIndex(({ n }) => n !== layers[0].n);
  if (other < 0) return layers;
  throw new RangeError(
    `attentions[${other}] is of ${layers[other].n} tokens but attentions[0] of ${layers[0].n}`,
  );
}

/** The mean over heads, plus the identity if `residual`, with rows that sum to 1. */
function mixingOf({ data, heads, n }, residual) {
  const mixing = new Float64Array(n * n);
  for (let at = 0; at < data.length; at++) mixing[at % (n * n)] += data[at] / heads;
  for (let i = 0; i < n; i++) {
    const row = mixing.subarray(i * n, (i + 1) * n);
    if (residual) row[i] += 1;
    const sum = row.reduce((a, b) => a + b, 0);
    if (sum !== 0) row.forEach((weight, j) => (row[j] = weight / sum));
  }
  return mixing;
}

function product(a, b, n) {
  const c = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < n; k++) {
      const factor = a[i * n + k];
      for (let j = 0; factor !== 0 && j < n; j++) c[i * n + j] += factor * b[k * n + j];
    }
  }
  return c;
}

export function rollout(attentions, options) {
  const { residual = true } = readOptions('rollout', options, { residual: boolean });
  const layers = readLayers(attentions);
  const { n } = layers[0];
  const data = layers
    .map((layer) => mixingOf(layer, residual))
    .reduce((before, mixing) => product(mixing, before, n));
  return { data: Float32Array.from(data), dims: [n, n] };
}

// Whether query i of a head with this pattern attends to key j.
const patterns = {
  previous_token: (ids, i, j) => j === i - 1,
  duplicate_token: (ids, i, j) => j < i && ids[j] === ids[i],
  induction: (ids, i, j) => j > 0 && j <= i && ids[j - 1] === ids[i],
};

/** The target pattern as an n × n matrix, by name or as a tensor. */
function patternOf(pattern, ids, n) {
  if (typeof pattern === 'object' && pattern !== null) {
    const { data, dims } = readTensor('pattern', pattern);
    if (dims.length === 2 && dims.every((dim) => dim === n) && data.length === n * n) return data;
    throw new RangeError(`pattern has dims ${dims.join('×')} but must be n × n = ${n}×${n}`);
  }
  const readName = oneOf(Object.keys(patterns));
  const attends = patterns[readName(pattern, 'pattern')];
  return Float64Array.from({ length: n * n }, (_, at) =>
    Number(attends(ids, Math.floor(at / n), at % n)),
  );
}

export function headScores(attentions, ids, pattern, options) {
  const kinds = { measure: oneOf(['mul', 'abs']), excludeFirst: boolean };
  const { measure = 'mul', excludeFirst } = readOptions('headScores', options, kinds);
  const layers = readLayers(attentions);
  const [{ n, heads }] = layers;
  const other = layers.findIndex((layer) => layer.heads !== heads);
  if (other >= 0) {
    throw new RangeError(
      `attentions[${other}] has ${layers[other].heads} heads but attentions[0] has ${heads}`,
    );
  }
  if (!isList(ids) || ids.length !== n) {
    const found = isList(ids) ? `${ids.length} ids` : describe(ids);
    throw new TypeError(`ids must be the ${n} token ids of the attentions, found ${found}`);
  }
  const expected = patternOf(pattern, ids, n);
  const scores = layers.flatMap(({ data }) =>
    Array.from({ length: data.length / (n * n) }, (_, head) => {
      let both = 0;
      let all = 0;
      let difference = 0;
      for (let at = 0; at < n * n; at++) {
        if (excludeFirst && at % n === 0) continue;
        const weight = data[head * n * n + at];
        both += weight * expected[at];
        all += weight;
        difference += Math.abs(weight - expected[at]);
      }
      if (measure === 'abs') return 1 - Math.round((difference / n) * 1000) / 1000;
      return all === 0 ? 0 : both / all;
    }),
  );
  return { data: Float32Array.from(scores), dims: [layers.length, heads] };
}

const countAbove = (numbers, limit) => numbers.reduce((n, x) => n + Number(x > limit), 0);

/** A row of logits, its softmax, and the rank of each requested token. */
function rowOf(result, name, position) {
  const found = result?.logits;
  if (found === undefined) throw new TypeError(`${name} has no logits: see run()`);
  const { data, dims } = readTensor(`${name}.logits`, found);
  const width = dims[dims.length - 1];
  if (data.length === 0) throw new RangeError(`${name}.logits has no numbers: ${dims.join('×')}`);
  const rows = data.length / width;
  const row = position ?? rows - 1;
  if (!Number.isInteger(row) || row < 0 || row >= rows) {
    throw new RangeError(`position must be from 0 to ${rows - 1}, found ${position}`);
  }
  const logits = data.subarray(row * width, (row + 1) * width);
  let largest = -Infinity;
  for (const logit of logits) largest = Math.max(largest, logit);
  let sum = 0;
  for (const logit of logits) sum += Math.exp(logit - largest);
  const logSum = largest + Math.log(sum);
  return {
    logits,
    logProbabilities: Float64Array.from(logits, (logit) => logit - logSum),
    rankOf: (token) => (Number.isNaN(logSum) ? NaN : countAbove(logits, logits[token])),
  };
}

export function compare(a, b, options) {
  const kinds = { token: number, against: number, position: number };
  const { token, against, position } = readOptions('compare', options, kinds, ['token']);
  const rows = [rowOf(a, 'a', position), rowOf(b, 'b', position)];
  const [first, second] = rows;
  const { length } = first.logits;
  if (second.logits.length !== length) {
    throw new RangeError(`a has ${length} logits per position but b ${second.logits.length}`);
  }
  for (const [name, id] of Object.entries({ token, against })) {
    if (id === undefined || (Number.isInteger(id) && id >= 0 && id < length)) continue;
    throw new RangeError(`${name} must be a token id from 0 to ${length - 1}, found ${id}`);
  }
  let divergence = 0;
  let variation = 0;
  for (let id = 0; id < length; id++) {
    const [p, q] = rows.map(({ logProbabilities }) => logProbabilities[id]);
    if (p !== -Infinity) divergence += Math.exp(p) * (p - q); // also NaN
    variation += Math.abs(Math.exp(p) - Math.exp(q)) / 2;
  }
  const each = (measure) => rows.map((row) => measure(row));
  return {
    logits: each(({ logits }) => logits[token]),
    probabilities: each(({ logProbabilities }) => Math.exp(logProbabilities[token])),
    ranks: each(({ rankOf }) => rankOf(token)),
    ...(against !== undefined && {
      logitDifferences: each(({ logits }) => logits[token] - logits[against]),
    }),
    divergence,
    variation,
  };
}
