// Makes every call of the library that the tensors of a test vector allow, on every path: plain,
// with each optional result, step by step, through caches, from low-precision numbers. Yields { path, results } in a fixed
// order; results may be nested.
import { asBfloat16, asFloat16, asInt8 } from './narrowed.js';
import { sizeOf } from './random_tensors.js';
import { pick } from './rearrange.js';

/** @type {Record<string, (tensor: object) => object>} */
const narrowings = { bfloat16: asBfloat16, float16: asFloat16, int8: asInt8 };
const stages = ['raw', 'capped', 'biased'];
const everything = stages.map((scores) => ({ weights: true, scores, logSumExp: true }));

/** `one` is a case of vectors.js. */
export function* everyCall(api, one) {
  const { function: name, inputs } = one;
  const { mask, crossMask } = inputs;
  const options = { ...one.options, ...(mask && { mask }), ...(crossMask && { crossMask }) };
  yield* calls[name](api, { ...one, options });
}

const calls = {
  *attention(api, { inputs: { query, key, value }, options }) {
    const attend = (more, tensors = [query, key, value]) =>
      api.attention(...tensors, { ...options, ...more });
    yield* asked(attend, [{ logSumExp: true }, ...everything]);
    yield { path: 'averaged with scores', results: attend({ weights: 'average', scores: 'raw' }) };
    yield* steps(api, { query, key, value, options });
    yield* cached(api, { query, key, value, options });
    for (const [type, narrow] of Object.entries(narrowings)) {
      const tensors = [query, key, value].map(narrow);
      yield { path: `of ${type}`, results: attend({ weights: true }, tensors) };
    }
    yield* turned(api, query);
    yield* normed(api, query);
  },

  *kernelAttention(api, { inputs: { query, key, value }, options }) {
    yield* asked((more) => api.kernelAttention(query, key, value, { ...options, ...more }));
  },

  *linearAttention(api, { inputs: { query, key, value, S, z }, options }) {
    const given = S ? { ...options, state: { S, z } } : options;
    yield* asked((more) => api.linearAttention(query, key, value, { ...given, ...more }));
    if (options.featureMap === 'efficient') return;
    yield {
      path: 'with a state',
      results: api.linearAttention(query, key, value, { ...given, state: given.state ?? true }),
    };
  },

  *rotaryEmbedding(api, { inputs: { x, cos, sin }, options }) {
    const given = cos ? { ...options, cos, sin } : options;
    yield { path: 'plain', results: api.rotaryEmbedding(x, given) };
    for (const [type, narrow] of Object.entries(narrowings)) {
      yield { path: `of ${type}`, results: api.rotaryEmbedding(narrow(x), given) };
    }
  },

  *multiHeadAttention(api, { inputs: { x, context }, weights, options, construct }) {
    const { form, ...rest } = construct;
    const make = form === 'torch' ? 'fromTorch' : 'fromWeights';
    const create = (tensors) => api.MultiHeadAttention[make](tensors, rest);
    yield* withLayer(create(weights), function* (layer) {
      const forward = (more) => layer.forward(x, context, { ...options, ...more });
      yield* asked(forward, [{ headOutputs: true }, ...everything]);
      yield { path: 'projected', results: layer.project(x, context) };
      yield* withLayer(layer.projectContext(context ?? x), function* (cache) {
        const given = without(options, 'offset');
        yield { path: 'context kept', results: layer.forward(x, cache, given) };
      });
      const step = (rows, given) => layer.forward(rows, undefined, given);
      if (!context) yield* stepByStep(layer, x, options, step);
    });
    yield* narrowed(create, weights, (layer) => layer.forward(x, context, options));
    yield* maps(api, weights);
  },

  *transformerEncoderLayer(api, { inputs: { x }, weights, options, construct }) {
    const create = (tensors) => api.TransformerEncoderLayer.fromTorch(tensors, construct);
    yield* withLayer(create(weights), function* (layer) {
      yield* asked((more) => layer.forward(x, { ...options, ...more }));
      yield* stepByStep(layer, x, options, (rows, given) => layer.forward(rows, given));
    });
    yield* narrowed(create, weights, (layer) => layer.forward(x, options));
    yield* maps(api, weights);
    yield* normed(api, x, weights);
  },

  *transformerDecoderLayer(api, { inputs: { x, memory }, weights, options, construct }) {
    const create = (tensors) => api.TransformerDecoderLayer.fromTorch(tensors, construct);
    yield* withLayer(create(weights), function* (layer) {
      yield* asked((more) => layer.forward(x, memory, { ...options, ...more }));
      yield* withLayer(layer.projectMemory(memory), function* (kept) {
        yield* asked((more) => layer.forward(x, kept, { ...options, ...more }));
        yield* stepByStep(layer, x, options, (rows, given) => layer.forward(rows, kept, given));
      });
    });
    yield* narrowed(create, weights, (layer) => layer.forward(x, memory, options));
    yield* maps(api, weights);
    yield* normed(api, x, weights);
  },
};

const without = (options, ...names) =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name)));

// The output alone, weights, average weights, and the other optional results.
function* asked(call, more = []) {
  for (const request of [{}, { weights: true }, { weights: 'average' }, ...more]) {
    yield { path: `asked ${JSON.stringify(request)}`, results: call(request) };
  }
}

function* steps({ scores, softmax, weightedSum }, { query, key, value, options }) {
  for (const stage of stages) {
    const staged = scores(query, key, { ...options, scores: stage });
    yield { path: `scores() ${stage}`, results: staged };
    if (stage !== 'biased') continue;
    const weights = softmax(staged, options);
    yield { path: 'softmax()', results: weights };
    yield { path: 'weightedSum()', results: weightedSum(weights, value, options) };
  }
}

// Keys and values are appended in two steps; the queries are the last ones. A sliding cache drops half of the keys, and
// options with one number per key are omitted.
function* cached({ KeyValueCache }, { query, key, value, options }) {
  const given = without(options, 'kvHeads', 'offset');
  const sliding = without(given, 'mask', 'keyLengths');
  const rank4 = query.dims.length === 4;
  const rows = query.dims.length === 3 ? 1 : query.dims.length - 2;
  const kLen = key.dims[rows];
  const { heads = 1, kvHeads = heads } = options;
  const width = (tensor) => tensor.dims.at(-1) / (rank4 ? 1 : kvHeads);
  if (kLen < 2 || query.dims[rows] > kLen / 2 || width(value) === 0) return;
  const sizes = {
    batch: query.dims.length === 2 ? 1 : query.dims[0],
    kvHeads: rank4 ? key.dims[1] : kvHeads,
    keyDim: width(key),
    valueDim: width(value),
  };
  const part = (tensor, from, to) =>
    pick(
      tensor,
      rows,
      Array.from({ length: to - from }, (_, at) => from + at),
    );
  const half = Math.ceil(kLen / 2);
  /** @type {[path: string, cacheOptions: object, attendOptions: object][]} */
  const kinds = [
    ['cache', { capacity: kLen }, given],
    ['sliding cache', { capacity: half, sliding: true }, sliding],
  ];
  for (const [path, cacheOptions, attendOptions] of kinds) {
    yield* withLayer(new KeyValueCache({ ...sizes, ...cacheOptions }), function* (cache) {
      for (const [from, to] of [
        [0, half],
        [half, kLen],
      ]) {
        cache.append(part(key, from, to), part(value, from, to));
      }
      for (const request of [{}, everything[2], { weights: 'average' }]) {
        const results = cache.attend(query, { ...attendOptions, ...request });
        yield { path: `${path}, asked ${JSON.stringify(request)}`, results };
      }
    });
  }
}

// The rows of x in two steps, with a cache.
function* stepByStep(layer, x, options, step) {
  const given = without(options, 'mask', 'crossMask', 'keyLengths', 'offset');
  const rows = x.dims.length - 2;
  const length = x.dims[rows];
  if (length < 2) return;
  const batch = rows === 1 ? x.dims[0] : 1;
  yield* withLayer(layer.createCache({ batch, capacity: length }), function* (cache) {
    const half = Math.ceil(length / 2);
    const order = Array.from({ length }, (_, at) => at);
    for (const part of [order.slice(0, half), order.slice(half)]) {
      const results = step(pick(x, rows, part), { ...given, weights: true, causal: true, cache });
      yield { path: `step of ${part.length}`, results };
    }
  });
}

function* narrowed(create, weights, forward) {
  for (const [type, narrow] of Object.entries(narrowings)) {
    const tensors = Object.entries(weights).map(([name, tensor]) => [name, narrow(tensor)]);
    yield* withLayer(create(Object.fromEntries(tensors)), function* (layer) {
      yield { path: `weights of ${type}`, results: forward(layer) };
    });
  }
}

// Every matrix of a layer as a Linear in both orientations, and as an embedding table.
function* maps({ Linear, embed }, weights) {
  for (const [name, weight] of Object.entries(weights)) {
    if (weight.dims.length !== 2 || sizeOf(weight.dims) === 0) continue;
    const [rows, columns] = weight.dims;
    const bias = { dims: [rows], data: weight.data.slice(0, rows) };
    const across = { dims: [columns, rows], data: weight.data };
    for (const [path, linear, x] of [
      ['Linear of torch', Linear.fromTorch({ weight }), weight],
      ['with a bias', Linear.fromTorch({ weight, bias }), weight],
      ['Linear', Linear.fromWeights({ weight }), across],
      ['of int8', Linear.fromTorch({ weight: asInt8(weight) }), weight],
    ]) {
      yield* withLayer(linear, function* () {
        yield { path: `${name} as ${path}`, results: linear.forward(x) };
      });
    }
    yield { path: `${name} as a table`, results: embed([rows - 1, 0], asBfloat16(weight)) };
  }
}

function* turned({ rotaryEmbedding }, { dims, data }) {
  const [last] = dims.slice(-1);
  const x = { dims: [sizeOf(dims.slice(0, -1)), last], data };
  const width = last - (last % 2);
  for (const options of [{ width }, { width, interleaved: true, offset: 7, base: 500 }]) {
    yield { path: `turned ${JSON.stringify(options)}`, results: rotaryEmbedding(x, options) };
  }
}

function* normed({ layerNorm, rmsNorm }, x, weights = {}) {
  const width = x.dims.at(-1);
  if (width === 0) return;
  const [weight, bias] = Object.entries(weights)
    .filter(([name, { dims }]) => name.includes('norm') && dims[0] === width)
    .map(([, tensor]) => tensor);
  yield { path: 'layerNorm()', results: layerNorm(x, { weight, bias }) };
  yield { path: 'rmsNorm()', results: rmsNorm(x, { weight, epsilon: 2 ** -10 }) };
}

function* withLayer(layer, use) {
  try {
    yield* use(layer);
  } finally {
    layer.delete();
  }
}

/** Calls without a tensor of the case. */
export function* callsWithoutTensors({ sinusoidalPositions, alibiSlopes }) {
  for (let heads = 1; heads <= 20; heads++) {
    yield { path: `slopes of ${heads}`, results: Float32Array.from(alibiSlopes(heads)) };
  }
  for (const [length, dim, options] of [
    [0, 2, {}],
    [1, 2, {}],
    [50, 64, {}],
    [17, 6, { offset: 1000000, base: 3.5 }],
  ]) {
    const results = sinusoidalPositions(length, dim, options);
    yield { path: `positions ${length} × ${dim}`, results };
  }
}
