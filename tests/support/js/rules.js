// Calls of the table of rules (tests/vectors/rules.json) through the public API: the fields of a record become arguments.
import { similarityFunctions } from './similarity_functions.js';

const numberWords = { NaN, Infinity, '-Infinity': -Infinity };
const lists = new Set(
  (
    'offsets keyLengths crossKeyLengths slopes sinks positions rotaryFrequencies positionBuckets ids ' +
    'decoderIds targets encoderIds encoderLengths edits captures'
  ).split(' '),
);

const largestTensor = 1e6; // numbers; larger ones are refused before they are read

/** A tensor of the table: dims, or { dims, type } or { dims, count }. */
function tensorOf(value) {
  const { dims, type, count } = Array.isArray(value) ? { dims: value } : value;
  const product = dims.reduce((a, b) => a * b, 1);
  const isThere = Number.isInteger(product) && product >= 0 && product <= largestTensor;
  const length = count ?? (isThere ? product : 0);
  if (type === 'bfloat16') return { dims, data: new Uint16Array(length), type };
  if (type === 'int8') {
    return { dims, data: new Int8Array(length), scales: new Float32Array(length / dims.at(-1)) };
  }
  return { dims, data: Float32Array.from({ length }, (_, at) => Math.sin(at)) };
}

const maskOf = (tensor, additive) =>
  tensor && !additive ? { ...tensor, data: Uint8Array.from(tensor.data, () => 1) } : tensor;

function valueOf(field, value) {
  if (typeof value === 'string') return numberWords[value] ?? value;
  if (typeof value !== 'object') return value;
  return lists.has(field) ? value.map((item) => numberWords[item] ?? item) : tensorOf(value);
}

/** Defined values only. */
const given = (options) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

const flag = (number) => (number === undefined ? undefined : number !== 0);

/** The options of attention() among the fields. */
function attentionOptions(fields) {
  const { heads, kvHeads, scale, softcap, causal, offset, offsets, keyLengths, slopes } = fields;
  const { sinks, window, windowLeft, windowRight, mask, maskIsAdditive } = fields;
  const { returnWeights, returnScores, returnLogSumExp } = fields;
  const { edits, editValues: values, captures } = fields;
  return given({
    interventions: edits || captures ? given({ edits, values, captures }) : undefined,
    ...{ heads, kvHeads, scale, softcap, keyLengths, slopes, sinks },
    causal: flag(causal),
    offset: offsets ?? offset,
    window: window && [windowLeft ?? null, windowRight ?? null],
    mask: maskOf(mask, maskIsAdditive),
    weights: returnWeights === 'perHead' ? true : returnWeights,
    scores: returnScores,
    logSumExp: flag(returnLogSumExp),
  });
}

const pick = (fields, names) =>
  given(Object.fromEntries(names.map((name) => [name, fields[name]])));

const matrices = ['query', 'key', 'value', 'output'];
const headWeights = [...matrices, ...matrices.map((name) => `${name}Bias`)];
const headNorms = ['queryNorm', 'keyNorm'];
const ofPositions = ['relativeBias', 'positionKey', 'positionQuery'];

const torchAttention = {
  in_proj_weight: 'stacked',
  in_proj_bias: 'stackedBias',
  q_proj_weight: 'query',
  k_proj_weight: 'key',
  v_proj_weight: 'value',
  'out_proj.weight': 'output',
  'out_proj.bias': 'outputBias',
};
const inCross = (name) => `cross${name[0].toUpperCase()}${name.slice(1)}`;
const renamed = (names, change, prefix = '') =>
  Object.fromEntries(Object.entries(names).map(([to, from]) => [prefix + to, change(from)]));
const torchLayer = (decoder) => {
  const norms = decoder
    ? ['selfNorm', 'crossNorm', 'feedForwardNorm']
    : ['selfNorm', 'feedForwardNorm'];
  return {
    ...renamed(torchAttention, (name) => name, 'self_attn.'),
    ...renamed(torchAttention, inCross, 'multihead_attn.'),
    'linear1.weight': 'widen',
    'linear1.bias': 'widenBias',
    'linear2.weight': 'narrow',
    'linear2.bias': 'narrowBias',
    ...Object.fromEntries(
      norms.flatMap((norm, index) => [
        [`norm${index + 1}.weight`, norm],
        [`norm${index + 1}.bias`, `${norm}Bias`],
      ]),
    ),
  };
};
const dictOf = (names, fields) => given(renamed(names, (from) => fields[from]));

function newMultiHead({ MultiHeadAttention }, fields, stateDict) {
  const options = pick(fields, ['heads', 'kvHeads']);
  return stateDict
    ? MultiHeadAttention.fromTorch(dictOf(torchAttention, fields), options)
    : MultiHeadAttention.fromWeights(pick(fields, headWeights), options);
}

function newTransformerLayer(api, fields, stateDict) {
  const { decoder, rms } = fields;
  const options = {
    ...pick(fields, ['heads', 'kvHeads', 'activation', 'epsilon']),
    ...given({ normFirst: flag(fields.normFirst) }),
    norm: rms ? 'rms' : 'layer',
  };
  if (stateDict) {
    const Layer = decoder ? api.TransformerDecoderLayer : api.TransformerEncoderLayer;
    return Layer.fromTorch(dictOf(torchLayer(decoder), fields), options);
  }
  const names = [...headWeights, ...headNorms];
  const weights = {
    ...pick(fields, ['widen', 'widenBias', 'gate', 'gateBias', 'narrow', 'narrowBias']),
    ...pick(fields, ['selfScale', 'feedForwardScale', 'selfNorm', 'selfNormBias']),
    ...pick(fields, ['feedForwardNorm', 'feedForwardNormBias']),
    ...pick(fields, ['selfOutputNorm', 'feedForwardOutputNorm']),
    self: pick(fields, [...names, ...ofPositions]),
    ...(decoder && {
      cross: given(Object.fromEntries(names.map((name) => [name, fields[inCross(name)]]))),
      ...pick(fields, ['crossNorm', 'crossNormBias']),
    }),
  };
  const { rotaryWidth: width, rotaryBase: base, rotaryFrequencies, rotaryFactor } = fields;
  return api.TransformerLayer.fromWeights(weights, {
    ...options,
    ...pick(fields, ['scale', 'positionBuckets']),
    ...given({ parallel: flag(fields.parallel) }),
    layout: fields.inFirst ? 'in × out' : 'out × in',
    ...(fields.rotary && {
      rotary: given({ width, base, frequencies: rotaryFrequencies, factor: rotaryFactor }),
    }),
    ...(fields.relative && {
      relativePositions: {
        maxDistance: fields.maxDistance,
        bidirectional: Boolean(fields.bidirectional),
      },
    }),
  });
}

function transformerLayer(api, fields) {
  const { layer, x, cache, memory, memoryCache, crossMask, crossKeyLengths } = fields;
  return layer.forward(x, {
    ...attentionOptions(fields),
    ...given({ cache, memory: memory ?? memoryCache, crossMask: maskOf(crossMask) }),
    ...given({ crossKeyLengths }),
  });
}

/** The batch of a trainer's call, whose rows are one after another in its fields. */
function batchOf(fields) {
  const { length, encoderLength, decoderIds, encoderIds, encoderLengths } = fields;
  const rowsOf = (list, width) =>
    Array.from({ length: width && list.length / width }, (_, row) =>
      list.slice(row * width, (row + 1) * width),
    );
  const own = rowsOf(decoderIds, length);
  return encoderIds === undefined
    ? { ids: own }
    : {
        ids: rowsOf(encoderIds, encoderLength).map((row, at) => row.slice(0, encoderLengths[at])),
        decoderIds: own,
      };
}

/** @type {(fields: { sums: object, normalizer?: object }) => object} */
const normalizerNames = ({ sums: S, normalizer: z }) => ({ S, z });

// The API call for each call of the module.
const functions = {
  attention: (api, { cache, query, key, value, ...fields }) =>
    cache
      ? cache.attend(query, attentionOptions(fields))
      : api.attention(query, key, value, attentionOptions(fields)),
  scores: (api, { query, key, ...fields }) => api.scores(query, key, attentionOptions(fields)),
  softmax: (api, { matrix, ...fields }) => api.softmax(matrix, attentionOptions(fields)),
  weightedSum: (api, { matrix, value, ...fields }) =>
    api.weightedSum(matrix, value, attentionOptions(fields)),
  kernelAttention: (api, { query, key, value, similarity, ...fields }) =>
    api.kernelAttention(query, key, value, {
      ...attentionOptions(fields),
      ...pick(fields, ['bandwidth', 'constant', 'degree']),
      similarity: similarity === 'precomputed' ? similarityFunctions.constant : similarity,
    }),
  linearAttention: (api, { query, key, value, returnState, sums, ...fields }) =>
    api.linearAttention(query, key, value, {
      ...attentionOptions(fields),
      ...pick(fields, ['featureMap', 'epsilon']),
      ...given({ state: sums ? normalizerNames({ sums, ...fields }) : flag(returnState) }),
    }),
  rotaryEmbedding: (api, { x, ...fields }) => api.rotaryEmbedding(x, fields),
  sinusoidalPositions: (api, { length, dim, ...fields }) =>
    api.sinusoidalPositions(length, dim, fields),
  alibiSlopes: (api, { heads }) => api.alibiSlopes(heads),
  norm: (api, { x, rms, ...fields }) => (rms ? api.rmsNorm : api.layerNorm)(x, fields),
  newCache: (api, { sliding, ...fields }) =>
    new api.KeyValueCache({ ...fields, sliding: Boolean(sliding) }),
  append: (api, { cache, key, value }) => cache.append(key, value),
  rewind: (api, { cache, length }) => cache.rewind(length),
  copyEntry: (api, { cache, from, to }) => cache.copyEntry(from, to),
  newLinear: ({ Linear }, { weight, bias, reservedIn, reservedOut, reservedType, reservesBias }) =>
    reservedIn === undefined
      ? Linear.fromWeights(given({ weight, bias }))
      : Linear.reserve({
          inDim: reservedIn,
          outDim: reservedOut,
          type: reservedType,
          bias: flag(reservesBias),
        }),
  linear: (api, { layer, x }) => layer.forward(x),
  linearRows: (api, { layer, ids }) => layer.rows(ids),
  fillLinear: (api, { layer, firstRow, weight, bias }) => layer.fill(firstRow, weight, bias),
  newMultiHead,
  multiHead: (api, { layer, x, context, cache, appends, ...fields }) => {
    const options = attentionOptions(fields);
    return cache && !appends
      ? layer.forward(x, cache, options)
      : layer.forward(x, context, { ...options, ...given({ cache }) });
  },
  project: (api, { layer, x, context }) => layer.project(x, context),
  projectContext: (api, { layer, context, cross }) =>
    cross ? layer.projectMemory(context) : layer.projectContext(context),
  newTransformerLayer,
  transformerLayer,
  attentionBackward: (api, { query, key, value, gradient, ...fields }) =>
    api.attentionBackward(
      query,
      key,
      value,
      { output: fields.forwardOutput, logSumExp: fields.forwardLogSumExp },
      gradient,
      {
        ...attentionOptions(fields),
        gradients: ['mask', 'slopes', 'sinks'].filter(
          (name) => fields[`return${name[0].toUpperCase()}${name.slice(1)}Gradient`],
        ),
      },
    ),
  newTrainable: ({ TrainableTransformer }, { hasEncoder, untied, ...sizes }) =>
    new TrainableTransformer({
      kind: hasEncoder ? 'encoder-decoder' : 'decoder',
      tied: !untied,
      ...sizes,
    }),
  train: (api, { model, targets, beta1, beta2, ...fields }) => {
    const { ids, ...others } = batchOf(fields);
    const rows = others.decoderIds ?? ids;
    let first = 0;
    const targetRows = rows.map(({ length }) => targets.slice(first, (first += length)));
    return model.step(
      { ids, ...others, targets: targetRows },
      {
        ...pick(fields, ['learningRate', 'epsilon', 'weightDecay', 'clip']),
        ...given({ betas: beta1 === undefined ? undefined : [beta1, beta2] }),
      },
    );
  },
  forward: (api, { model, ...fields }) => model.run(batchOf(fields).ids),
  writeNumbers: (api, { model, step, data }) =>
    model.restore({ step, data: data.data.map(Math.abs) }),
  // Used only to create a cache of the encoder output.
  memoryOfTransformer: (api, { layer }) => layer.projectMemory(tensorOf([7, 5])),
};

/** The table's own calls by an API. */
export function rulesOf(api, { calls, objects }) {
  const fieldsOf = (name) => {
    const { like, function: called, stateDict, fields } = calls[name];
    const base = like ? fieldsOf(like) : { called, stateDict };
    return { ...base, ...fields };
  };

  // A call with its own objects.
  function prepare(name, change) {
    const made = [];
    const object = (wanted) => {
      const { call, change: changed, append } = objects[wanted];
      // The public object for a layer's cross-attention is the layer itself.
      if (calls[call].function === 'memoryOfTransformer') return object(calls[call].fields.layer);
      const one = prepare(call, changed).call();
      made.push(one);
      if (append) one.append(tensorOf(append.key), tensorOf(append.value));
      return one;
    };
    const { called, stateDict, ...fields } = { ...fieldsOf(name), ...change };
    const read = Object.entries(fields).map(([field, value]) => [
      field,
      value === null ? undefined : objects[value] ? object(value) : valueOf(field, value),
    ]);
    const all = given(Object.fromEntries(read));
    return {
      call: () => functions[called](api, all, stateDict),
      caches: made.filter((one) => one instanceof api.KeyValueCache),
      release: () => made.forEach((one) => one.delete()),
    };
  }

  /** The caller's name for a field of a call: the key of a state dict, or a path such as self.query. */
  function nameOf(call, field) {
    const { called, stateDict, decoder } = fieldsOf(call);
    const isLayer = called === 'newTransformerLayer';
    const names = isLayer ? torchLayer(decoder) : torchAttention;
    if (stateDict) return Object.keys(names).find((name) => names[name] === field);
    const path = [...headWeights, ...headNorms, ...ofPositions].flatMap((name) => [
      [name, `self.${name}`],
      [inCross(name), `cross.${name}`],
    ]);
    return (isLayer && Object.fromEntries(path)[field]) || field;
  }

  /** A message of the module as the API says it: fields in braces have the caller's names, absent ones their own. */
  const worded = (message, call, change) =>
    message.replace(/\{(.+?)\}/g, (_, field) =>
      change[field] === null ? field : nameOf(call, field),
    );

  return { prepare, nameOf, worded };
}

/** The values that a row of a limit refuses and accepts. */
export function limitOf({ field, refused = [], accepted = [], ranks }) {
  const change = (value) => ({ [field]: value });
  if (!ranks) return { refused: refused.map(change), accepted: accepted.map(change) };
  const [min, max] = ranks;
  const twos = (rank) => change(Array.from({ length: rank }, () => 2));
  return {
    refused: [twos(min - 1), twos(max + 1)],
    accepted: Array.from({ length: max - min + 1 }, (_, at) => twos(min + at)),
  };
}

/** A pattern for the messages of a rule; `name`: the argument they begin with. */
export function patternOf(message, name = '') {
  const escaped = message.replace(/[.*+?^${}()|[\]\\]/g, (mark) =>
    mark === '$' ? mark : `\\${mark}`,
  );
  return new RegExp(`^(?=${name.replaceAll('.', '\\.')})${escaped.replace(/[$#@]/g, '.*')}$`);
}
