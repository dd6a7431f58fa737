// The oracle: attention by its definition, one number at a time, in float64, independent of the
// library. With Math.fround as `round` it is the naive float32 run: every operation is rounded.
//
//   s_ij = scale · q_i·k_j → c·tanh(s/c) → + mask − slope·|p − j|      α_ij = softmax over the visible keys
//   o_i  = Σ_j α_ij v_j       p = offset + i

const unrounded = (x) => x;

/** All results of attention(), as { dims, data: Float64Array } tensors. */
export function oracleAttention(query, key, value, options = {}, round = unrounded) {
  const shape = attentionShape(query, key, value, options);
  const { batch, heads, qLen, kLen, keyDim, valueDim } = shape;
  const isVisible = visibility(shape, options);
  const bias = biases(shape, options, round);
  const scale = options.scale ?? round(1 / round(Math.sqrt(keyDim)));
  const cap = options.softcap;

  const output = tensor(
    query.dims.length === 4
      ? [batch, heads, qLen, valueDim]
      : [...query.dims.slice(0, -1), heads * valueDim],
  );
  const putOutput = headElements(output, heads);
  const readQuery = headElements(query, heads);
  const readKey = headElements(key, shape.kvHeads);
  const readValue = headElements(value, shape.kvHeads);
  const square = pairDims(query.dims.length, options.heads, [batch, heads, qLen, kLen]);
  const result = {
    output,
    weights: tensor(square),
    averageWeights: tensor(pairDims(query.dims.length, null, [batch, qLen, kLen])),
    logSumExp: tensor(pairDims(query.dims.length, options.heads, [batch, heads, qLen])),
    rawScores: tensor(square),
    cappedScores: tensor(square),
    biasedScores: tensor(square),
  };

  for (let b = 0; b < batch; b++) {
    for (let h = 0; h < heads; h++) {
      const kv = Math.floor(h / (heads / shape.kvHeads));
      for (let i = 0; i < qLen; i++) {
        const row = (b * heads + h) * qLen + i;
        const seen = [];
        const scores = [];
        for (let j = 0; j < kLen; j++) {
          let dot = 0;
          for (let c = 0; c < keyDim; c++) {
            const product = round(readQuery.get(b, h, i, c) * readKey.get(b, kv, j, c));
            dot = c === 0 ? product : round(dot + product);
          }
          const raw = asFloat32Range(round(scale * dot));
          const capped = cap == null ? raw : round(cap * round(Math.tanh(round(raw / cap))));
          seen[j] = isVisible(b, h, i, j);
          scores[j] = seen[j] ? bias(b, h, i, j, capped) : -Infinity;
          result.rawScores.data[row * kLen + j] = raw;
          result.cappedScores.data[row * kLen + j] = capped;
          result.biasedScores.data[row * kLen + j] = scores[j];
        }
        const sink = options.sinks == null ? null : options.sinks[h];
        const { weights, logSumExp } = softmaxRow(scores, seen, sink, round);
        result.logSumExp.data[row] = logSumExp;
        for (let j = 0; j < kLen; j++) {
          result.weights.data[row * kLen + j] = weights[j];
          const average = (b * qLen + i) * kLen + j;
          const sum = round(result.averageWeights.data[average] + weights[j]);
          result.averageWeights.data[average] = h === heads - 1 ? round(sum / heads) : sum;
        }
        for (let c = 0; c < valueDim; c++) {
          const column = (j) => readValue.get(b, kv, j, c);
          putOutput.set(b, h, i, c, weightedRow(weights, seen, column, round));
        }
      }
    }
  }
  return result;
}

/** softmax() alone: any scores; -Infinity means hidden. */
export function oracleSoftmax(scores, options = {}, round = unrounded) {
  const [batch, heads, qLen, kLen] = [1, 1, ...scores.dims].slice(-4);
  const isVisible = visibility({ batch, heads, qLen, kLen }, options);
  const weights = tensor(scores.dims);
  for (let b = 0; b < batch; b++) {
    for (let h = 0; h < heads; h++) {
      for (let i = 0; i < qLen; i++) {
        const first = ((b * heads + h) * qLen + i) * kLen;
        const row = Array.from({ length: kLen }, (_, j) => scores.data[first + j]);
        const seen = row.map((score, j) => score !== -Infinity && isVisible(b, h, i, j));
        const sink = options.sinks == null ? null : options.sinks[h];
        weights.data.set(softmaxRow(row, seen, sink, round).weights, first);
      }
    }
  }
  return weights;
}

/** weightedSum() alone: any weights; values with a weight of exactly 0 are not read. */
export function oracleWeightedSum(weights, value, options = {}, round = unrounded) {
  const [batch, heads, qLen, kLen] = [1, 1, ...weights.dims].slice(-4);
  const packed = value.dims.length < 4;
  const kvHeads = packed ? (options.kvHeads ?? heads) : value.dims[1];
  const valueDim = packed ? value.dims.at(-1) / kvHeads : value.dims[3];
  const output = tensor(
    packed ? [...value.dims.slice(0, -2), qLen, heads * valueDim] : [batch, heads, qLen, valueDim],
  );
  const putOutput = headElements(output, heads);
  const readValue = headElements(value, kvHeads);
  for (let b = 0; b < batch; b++) {
    for (let h = 0; h < heads; h++) {
      const kv = Math.floor(h / (heads / kvHeads));
      for (let i = 0; i < qLen; i++) {
        const first = ((b * heads + h) * qLen + i) * kLen;
        const row = Array.from({ length: kLen }, (_, j) => weights.data[first + j]);
        const seen = row.map((weight) => weight !== 0);
        for (let c = 0; c < valueDim; c++) {
          const column = (j) => readValue.get(b, kv, j, c);
          putOutput.set(b, h, i, c, weightedRow(row, seen, column, round));
        }
      }
    }
  }
  return output;
}

/** The sizes of a call from its dims; throws for calls that attention() refuses. */
export function attentionShape(query, key, value, options = {}) {
  const rank = query.dims.length;
  const last = (t) => t.dims.at(-1);
  const heads = rank === 4 ? query.dims[1] : (options.heads ?? 1);
  const kvHeads = rank === 4 ? key.dims[1] : (options.kvHeads ?? heads);
  const perHead = (t, count) => (rank === 4 ? last(t) : last(t) / count);
  const shape = {
    batch: rank === 2 ? 1 : query.dims[0],
    heads,
    kvHeads,
    qLen: query.dims.at(-2),
    kLen: key.dims.at(-2),
    keyDim: perHead(query, heads),
    valueDim: perHead(value, kvHeads),
  };
  const agree =
    key.dims.length === rank &&
    value.dims.length === rank &&
    (rank === 2 || (key.dims[0] === shape.batch && value.dims[0] === shape.batch)) &&
    (rank < 4 || value.dims[1] === kvHeads) &&
    perHead(key, kvHeads) === shape.keyDim &&
    value.dims.at(-2) === shape.kLen &&
    Number.isInteger(shape.keyDim) &&
    shape.keyDim > 0 &&
    Number.isInteger(shape.valueDim) &&
    heads % kvHeads === 0;
  if (!agree)
    throw new Error(`not attention: ${JSON.stringify([query.dims, key.dims, value.dims])}`);
  return shape;
}

/** The predicate visible(b, h, i, j): the intersection of all options. */
export function visibility({ batch, heads, qLen, kLen }, options) {
  const [left, right] = options.window ?? [null, null];
  const looksAtPositions = options.causal || left != null || right != null;
  const position = positions({ qLen, kLen }, options, looksAtPositions);
  const maskAt = options.mask && broadcast(options.mask, [batch, heads, qLen, kLen]);
  const boolean = options.mask?.data instanceof Uint8Array;
  return function visible(b, h, i, j) {
    const p = position(b, i);
    if (options.keyLengths != null && j >= options.keyLengths[b]) return false;
    if (options.causal && j > p) return false;
    if (left != null && j < p - left) return false;
    if (right != null && j > p + right) return false;
    if (!options.mask) return true;
    return boolean ? maskAt(b, h, i, j) !== 0 : maskAt(b, h, i, j) !== -Infinity;
  };
}

// Query i of batch entry b sits at offset + i. Without an offset, positions mean something only when
// there are as many keys as queries.
function positions({ qLen, kLen }, options, needed) {
  const { offset } = options;
  if (needed && offset == null && qLen !== kLen) throw new Error('an offset is needed');
  return (b, i) => (typeof offset === 'object' && offset !== null ? offset[b] : (offset ?? 0)) + i;
}

// Terms added to a visible score: the additive mask, then −slope·|p − j|.
function biases(shape, options, round) {
  const { batch, heads, qLen, kLen } = shape;
  const additive = [Float32Array, Float64Array].includes(options.mask?.data.constructor);
  const maskAt = additive && broadcast(options.mask, [batch, heads, qLen, kLen]);
  const position = positions(shape, options, options.slopes != null);
  return (b, h, i, j, score) => {
    let sum = score;
    if (maskAt) sum = round(sum + maskAt(b, h, i, j));
    if (options.slopes != null) {
      const distance = Math.abs(position(b, i) - j);
      sum = round(sum - round(options.slopes[h] * distance));
    }
    return asFloat32Range(sum);
  };
}

// A row with nothing visible is zeros, whatever its scores. A visible NaN or +∞ makes the row NaN,
// where it can be seen. A sink is one more score in the sum, without a weight of its own. Scores that
// overflow to -∞ weigh nothing, but what a row of them alone would be, or a NaN row's weight there
// (softmax() takes -∞ for "not visible"), is left undefined.
function softmaxRow(scores, seen, sink, round) {
  const weights = scores.map(() => 0);
  if (!seen.includes(true)) return { weights, logSumExp: -Infinity };
  const visible = scores.map((_, j) => j).filter((j) => seen[j]);
  if (visible.some((j) => Number.isNaN(scores[j]) || scores[j] === Infinity)) {
    if (visible.some((j) => scores[j] === -Infinity)) throw new Error('left undefined: NaN and -∞');
    for (const j of visible) weights[j] = NaN;
    return { weights, logSumExp: NaN };
  }
  let largest = sink ?? -Infinity;
  for (const j of visible) largest = Math.max(largest, scores[j]);
  if (largest === -Infinity) throw new Error('left undefined: every visible score is -∞');
  let sum = 0;
  for (const j of visible) {
    weights[j] = round(Math.exp(round(scores[j] - largest)));
    sum = round(sum + weights[j]);
  }
  if (sink != null) sum = round(sum + round(Math.exp(round(sink - largest))));
  for (const j of visible) weights[j] = round(weights[j] / sum);
  return { weights, logSumExp: round(largest + round(Math.log(sum))) };
}

// Σ_j weights_j · column(j) over visible keys; hidden NaNs are not multiplied.
function weightedRow(weights, seen, column, round) {
  let sum = 0;
  for (let j = 0; j < weights.length; j++) {
    if (seen[j]) sum = round(sum + round(weights[j] * column(j)));
  }
  return sum;
}

// Scores beyond the range of float32 are infinite, also in float64.
function asFloat32Range(score) {
  const single = Math.fround(score);
  return Number.isFinite(single) ? score : single;
}

// Aligned to the right; an axis of 1 repeats.
function broadcast({ data, dims }, full) {
  const padded = [...Array(full.length - dims.length).fill(1), ...dims];
  padded.forEach((size, axis) => {
    if (size !== 1 && size !== full[axis])
      throw new Error(`a mask of ${dims} does not fit ${full}`);
  });
  return (...index) => {
    let at = 0;
    padded.forEach((size, axis) => (at = at * size + (size === 1 ? 0 : index[axis])));
    return data[at];
  };
}

// Elements by (batch, head, row, column) in the three layouts: rank 4 is batch × heads × rows × d;
// below that the last axis is heads·d, the head outermost.
function headElements({ data, dims }, heads) {
  const rows = dims.at(-2);
  const index =
    dims.length === 4
      ? (b, h, i, c) => ((b * heads + h) * rows + i) * dims[3] + c
      : (b, h, i, c) => (b * rows + i) * dims.at(-1) + h * (dims.at(-1) / heads) + c;
  return {
    get: (b, h, i, c) => data[index(b, h, i, c)],
    set: (b, h, i, c, number) => (data[index(b, h, i, c)] = number),
  };
}

// dims = batch × [heads ×] …: at rank 2 there is no batch axis, and a heads axis only if heads were
// named. `heads` null: dims has no heads axis.
function pairDims(rank, heads, dims) {
  if (rank > 2) return dims;
  return heads === undefined ? dims.slice(2) : dims.slice(1);
}

function tensor(dims) {
  return { dims: [...dims], data: new Float64Array(dims.reduce((a, b) => a * b, 1)) };
}
