// The oracle of TransformerLayer, in float64, knowing nothing of the library: each part as its paper has it. Given
// Math.fround as `round` the same text is the naive float32 run.
//
//   normFirst: x = x + s·norm''(part(norm(x)))     else: x = norm(x + s·part(x))     s: layer scale
//   parallel:  x = x + s·attention(norm(x)) + s'·feedForward(norm'(x))
//   q, k:      norm of each head or of all (RMS), then rotary: (a, b) → f·(a·cos pθ − b·sin pθ, a·sin pθ + b·cos pθ)
//   scores:    scale·q·k + bias[bucket(j − p)]     p = offset + i
//              + scale·q·positionKey[b] + scale·k·positionQuery[b]     b = positionBuckets of j − p
import { activations, norm } from './oracle_transformer.js';
import { linear, transposed } from './oracle_multi_head.js';
import { oracleAttention } from './oracle.js';
import { splitHeads, unrounded, zeros } from './oracle_layout.js';

const sigmoid = (x, round) => round(1 / round(1 + round(Math.exp(-x))));

const everyActivation = {
  ...activations,
  silu: (x, round) => round(x * sigmoid(x, round)),
  quick_gelu: (x, round) => round(x * sigmoid(round(round(1.702) * x), round)),
};

/**
 * { output, weights, averageWeights, query, key, value, crossWeights, averageCrossWeights, crossQuery, … } of weights
 * and options as fromWeights() takes them, and a call as forward() does: mask, causal, window, offset, keyLengths,
 * softcap, memory, crossMask, crossKeyLengths.
 */
export function oracleLayer(weights, options, x, call = {}, round = unrounded) {
  const { normFirst = options.parallel ?? false, norm: kind = 'layer', epsilon = 1e-5 } = options;
  const normed = (y, name) => norm(kind, y, weights[name], weights[`${name}Bias`], epsilon, round);
  const { memory, crossMask: mask, crossKeyLengths: keyLengths, ...self } = call;
  const lookAtSelf = (y) => attend(weights.self, options, y, y, self, true, round);
  const lookAtMemory = (y) =>
    attend(weights.cross, options, y, memory, { mask, keyLengths }, false, round);
  const think = (y) => ({ output: feedForward(weights, options, y, round) });
  const scaled = (y, scale) => (scale ? byColumn(y, (n, c) => round(n * scale.data[c])) : y);
  const add = (a, b) => ({ dims: a.dims, data: a.data.map((n, at) => round(n + b.data[at])) });

  /** @type {object} */
  let results = {};
  if (options.parallel) {
    const first = normed(x, 'selfNorm');
    results = lookAtSelf(first);
    const second = weights.feedForwardNorm ? normed(x, 'feedForwardNorm') : first;
    const sum = add(x, scaled(results.output, weights.selfScale));
    return {
      ...results,
      output: add(sum, scaled(think(second).output, weights.feedForwardScale)),
    };
  }
  const step = (y, part, name, scale, outputName) => {
    const { output, ...rest } = part(normFirst && weights[name] ? normed(y, name) : y);
    results = { ...results, ...rest };
    const added = weights[outputName] ? normed(output, outputName) : output;
    const sum = add(y, scaled(added, scale));
    return normFirst ? sum : normed(sum, name);
  };
  let y = step(
    { dims: x.dims, data: Float64Array.from(x.data) },
    lookAtSelf,
    'selfNorm',
    weights.selfScale,
    'selfOutputNorm',
  );
  if (weights.cross) y = step(y, lookAtMemory, 'crossNorm');
  y = step(y, think, 'feedForwardNorm', weights.feedForwardScale, 'feedForwardOutputNorm');
  return { ...results, output: y };
}

const byColumn = ({ dims, data }, change) => ({
  dims,
  data: data.map((n, at) => change(n, at % dims.at(-1))),
});

const oriented = (matrix, { layout }) => (layout === 'in × out' ? matrix : transposed(matrix));

function feedForward(weights, options, x, round) {
  const linearOf = (name, y) =>
    linear(y, oriented(weights[name], options), weights[`${name}Bias`], round);
  const act = ({ dims, data }) => {
    const activation = everyActivation[options.activation ?? 'relu'];
    return { dims, data: data.map((n) => activation(n, round)) };
  };
  const wide = linearOf('widen', x);
  if (!weights.gate) return linearOf('narrow', act(wide));
  const gate = act(linearOf('gate', x));
  const data = wide.data.map((n, at) => round(gate.data[at] * n));
  return linearOf('narrow', { dims: wide.dims, data });
}

/** One attention of a layer. Keys of the memory are not rotated, and have no distance bias. */
function attend(weights, options, x, context, call, isSelf, round) {
  const { heads, kvHeads = heads, epsilon = 1e-5, rotary } = options;
  const project = (name, y) =>
    linear(y, oriented(weights[name], options), weights[`${name}Bias`], round);
  const normedRows = (rows, weight) => norm('rms', rows, weight, undefined, epsilon, round);
  const rotated = (heads, at) => (isSelf && rotary ? turned(heads, rotary, at, round) : heads);
  const ready = (name, y, count, at) => {
    const rows = project(name, y);
    const weight = weights[`${name}Norm`];
    const isOverHeads = weight && weight.data.length === rows.dims.at(-1);
    if (isOverHeads) return rotated(splitHeads(normedRows(rows, weight), count), at);
    let split = splitHeads(rows, count);
    if (weight) split = norm('rms', split, weight, undefined, epsilon, round);
    return rotated(split, at);
  };
  const query = ready('query', x, heads, call.offset ?? 0);
  const key = ready('key', context, kvHeads, 0);
  const value = splitHeads(project('value', context), kvHeads);
  const parts = isSelf ? distanceScores(weights, options, { query, key }, round) : [];
  const mask = parts.length > 0 ? maskWithDistances(parts, call, query, key, round) : call.mask;
  const met = oracleAttention(query, key, value, { ...call, mask, scale: options.scale }, round);
  const packed = joined(met.output, x.dims);
  const result = {
    output: linear(packed, oriented(weights.output, options), weights.outputBias, round),
  };
  const flat = (tensor) => (x.dims.length > 2 ? tensor : { ...tensor, dims: tensor.dims.slice(1) });
  const named = { weights: met.weights, averageWeights: met.averageWeights, query, key, value };
  for (const [name, tensor] of Object.entries(named)) {
    const own = isSelf ? name : crossName(name);
    result[own] = flat(tensor);
  }
  return result;
}

const crossName = (name) =>
  name === 'averageWeights'
    ? 'averageCrossWeights'
    : `cross${name[0].toUpperCase()}${name.slice(1)}`;

/** batch × heads × rows × d with the heads side by side, in the dims of x. */
function joined(tensor, dims) {
  const [batch, heads, rows, d] = tensor.dims;
  const { data } = tensor;
  const out = zeros([...dims.slice(0, -1), heads * d]);
  let from = 0;
  for (let b = 0; b < batch; b++)
    for (let h = 0; h < heads; h++)
      for (let i = 0; i < rows; i++)
        for (let c = 0; c < d; c++) out.data[((b * rows + i) * heads + h) * d + c] = data[from++];
  return out;
}

/** Su et al., arXiv 2104.09864, with a width, frequencies and a factor of one's own. */
function turned({ dims, data }, rotary, start, round) {
  const [, , rows, d] = dims;
  const { width = d, interleaved = false, base = 10000, factor = 1 } = rotary;
  const half = width / 2;
  const frequencies =
    rotary.frequencies ?? Array.from({ length: half }, (_, c) => base ** ((-2 * c) / width));
  const out = Float64Array.from(data);
  for (let row = 0; row < data.length / d; row++) {
    const offset = Array.isArray(start) ? start[Math.floor(row / (rows * dims[1]))] : start;
    for (let c = 0; c < half; c++) {
      const angle = (offset + (row % rows)) * frequencies[c];
      const [cos, sin] = [round(factor * Math.cos(angle)), round(factor * Math.sin(angle))];
      const [a, b] = interleaved ? [2 * c, 2 * c + 1] : [c, c + half];
      const [left, right] = [data[row * d + a], data[row * d + b]];
      out[row * d + a] = round(round(left * cos) - round(right * sin));
      out[row * d + b] = round(round(left * sin) + round(right * cos));
    }
  }
  return { dims, data: out };
}

/**
 * The bucket of T5 (Raffel et al., arXiv 1910.10683): as many buckets as there are small distances, the rest spread
 * over the logarithm of the distance up to maxDistance.
 */
export function distanceBucket(distance, buckets, { maxDistance, bidirectional }) {
  let first = 0;
  let away = Math.max(-distance, 0);
  if (bidirectional) {
    buckets /= 2;
    if (distance > 0) first = buckets;
    away = Math.abs(distance);
  }
  const exact = Math.floor(buckets / 2);
  if (away < exact) return first + away;
  // Slightly more, for distances exactly at the edge of a bucket.
  const share = Math.log(away / exact) / Math.log(maxDistance / exact) + 1e-9;
  return first + Math.min(exact + Math.floor(share * (buckets - exact)), buckets - 1);
}

/** What distances add to the scores: functions of batch entry, head, query, key and distance j − p. */
function distanceScores(weights, options, { query, key }, round) {
  const { relativeBias, positionKey, positionQuery } = weights;
  const { heads, relativePositions, positionBuckets, scale } = options;
  const [, , , d] = query.dims;
  const factor = round(scale ?? 1 / Math.sqrt(d));
  const vectorOf = (table, head, distance) => {
    const farthest = (positionBuckets.length - 1) / 2;
    const bucket = positionBuckets[Math.min(Math.max(distance, -farthest), farthest) + farthest];
    return Array.from({ length: d }, (_, c) => table.data[(bucket * heads + head) * d + c]);
  };
  const product = ({ data, dims: [, , rows] }, at, row, vector) => {
    const from = (at * rows + row) * d;
    return round(
      factor * vector.reduce((total, x, c) => round(total + round(x * data[from + c])), 0),
    );
  };
  const parts = [];
  if (relativeBias) {
    parts.push((b, h, i, j, distance) => {
      const bucket = distanceBucket(distance, relativeBias.dims[0], relativePositions);
      return relativeBias.data[bucket * heads + h];
    });
  }
  if (positionKey) {
    parts.push((b, h, i, j, distance) =>
      product(query, b * heads + h, i, vectorOf(positionKey, h, distance)),
    );
  }
  if (positionQuery) {
    parts.push((b, h, i, j, distance) =>
      product(key, b * heads + h, j, vectorOf(positionQuery, h, distance)),
    );
  }
  return parts;
}

/** The mask of a call as additive numbers, plus what distances add. */
function maskWithDistances(parts, { mask, offset = 0 }, query, key, round) {
  const [batch, heads, qLen] = query.dims;
  const kLen = key.dims[2];
  const full = zeros([batch, heads, qLen, kLen]);
  const dims = mask ? [...Array(4 - mask.dims.length).fill(1), ...mask.dims] : [1, 1, 1, 1];
  const hidden = mask?.data instanceof Uint8Array;
  let at = 0;
  for (let b = 0; b < batch; b++)
    for (let h = 0; h < heads; h++)
      for (let i = 0; i < qLen; i++)
        for (let j = 0; j < kLen; j++) {
          let from = 0;
          [b, h, i, j].forEach((index, axis) => {
            from = from * dims[axis] + (dims[axis] === 1 ? 0 : index);
          });
          const given = mask ? mask.data[from] : 0;
          const added = hidden ? (given ? 0 : -Infinity) : given;
          const p = (Array.isArray(offset) ? offset[b] : offset) + i;
          full.data[at++] = parts.reduce(
            (total, part) => round(total + part(b, h, i, j, j - p)),
            added,
          );
        }
  return { dims: full.dims, data: full.data };
}
