// Seeded numbers and tensors for fixtures and tests: the same seed gives the same bits on every
// engine (integers, additions and roundings only, no sine or logarithm).

/** A stream of numbers from any string or number. */
export function seeded(seed) {
  let state = 0x811c9dc5;
  for (const character of String(seed)) {
    state = Math.imul(state ^ Number(character.codePointAt(0)), 0x01000193) >>> 0;
  }
  // A Weyl sequence with a mixing function.
  const bits = () => {
    state = (state + 0x9e3779b9) >>> 0;
    let x = state;
    x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
    x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
    return (x ^ (x >>> 15)) >>> 0;
  };
  const uniform = () => bits() / 2 ** 32;
  // Irwin–Hall: twelve uniform numbers minus 6 have mean 0 and variance 1, and never exceed 6.
  const normal = () => {
    let sum = -6;
    for (let n = 0; n < 12; n++) sum += uniform();
    return Math.fround(sum);
  };
  const integer = (low, high) => low + (bits() % (high - low + 1));
  return { uniform, normal, integer, chance: (p) => uniform() < p };
}

/** The numbers below `length` in a random order. */
export function shuffled(random, length) {
  const order = Array.from({ length }, (_, at) => at);
  for (let at = length - 1; at > 0; at--) {
    const other = random.integer(0, at);
    [order[at], order[other]] = [order[other], order[at]];
  }
  return order;
}

export const sizeOf = (dims) => dims.reduce((a, b) => a * b, 1);

/** A float32 tensor of standard normal numbers, times `spread`. */
export function normalTensor(random, dims, spread = 1) {
  return {
    dims,
    data: Float32Array.from({ length: sizeOf(dims) }, () => random.normal() * spread),
  };
}

/** 0 and 1, each position 1 with probability `open`. */
export function booleanMask(random, dims, open = 0.6) {
  const draw = () => (random.chance(open) ? 1 : 0);
  return { dims, data: Uint8Array.from({ length: sizeOf(dims) }, draw) };
}

/** Normal numbers, each replaced by -Infinity with probability `hidden`. */
export function additiveMask(random, dims, hidden = 0.3) {
  const draw = () => (random.chance(hidden) ? -Infinity : random.normal());
  return { dims, data: Float32Array.from({ length: sizeOf(dims) }, draw) };
}

/** The query, key and value of a call: rank 4, or 3 and 2 with the heads side by side in the last axis. */
export function attentionTensors(random, layout) {
  const { rank = 4, batch = 1, heads = 1, kvHeads = heads, qLen, kLen, keyDim, valueDim } = layout;
  const dims = {
    4: (count, rows, dim) => [batch, count, rows, dim],
    3: (count, rows, dim) => [batch, rows, count * dim],
    2: (count, rows, dim) => [rows, count * dim],
  }[rank];
  const spread = layout.spread ?? 1;
  return {
    query: normalTensor(random, dims(heads, qLen, keyDim), spread),
    key: normalTensor(random, dims(kvHeads, kLen, keyDim), spread),
    value: normalTensor(random, dims(kvHeads, kLen, valueDim)),
  };
}

/** A minimal state dict of TransformerEncoderLayer; the feed-forward width equals the model width. */
export function encoderWeights(random, width) {
  const square = () => normalTensor(random, [width, width]);
  return {
    'self_attn.in_proj_weight': normalTensor(random, [3 * width, width]),
    'self_attn.out_proj.weight': square(),
    'linear1.weight': square(),
    'linear2.weight': square(),
    'norm1.weight': normalTensor(random, [width]),
    'norm2.weight': normalTensor(random, [width]),
  };
}
