// Divides a TransformerLayer among workers: the functions of the module, with their fields, that create the objects of one
// worker. Matrices are divided by outputs, attention by key/value heads. See model_shard.js.
import { layerShard } from './multi_head_strategy.js';
import { evenRanges } from './shards.js';
import { slice } from './worker_tensors.js';

const row = (tensor) => tensor && Float32Array.from(tensor.data);

// Fields of positions, which self-attention has.
const positionNames = ['rotary', 'rotaryWidth', 'rotaryBase', 'rotaryFrequencies', 'rotaryFactor'];
const relativeNames = ['rotaryInterleaved', 'relative', 'maxDistance', 'bidirectional'];
const pick = (fields, names) => Object.fromEntries(names.map((name) => [name, fields[name]]));

const crossNames = ['query', 'key', 'value', 'queryBias', 'keyBias', 'valueBias'];
const crossName = (name) => `cross${name[0].toUpperCase()}${name.slice(1)}`;
const crossFields = (fields) =>
  Object.fromEntries(
    [...crossNames, 'queryNorm', 'keyNorm'].map((name) => [name, fields[crossName(name)]]),
  );

const sizesOfCross = (facts) => ({
  heads: facts.crossHeads,
  kvHeads: facts.crossKvHeads,
  keyDim: facts.crossKeyDim,
  valueDim: facts.crossValueDim,
});

/** The key/value heads of each worker. A norm of queries and keys over all heads needs them in one worker, the first. */
const kvHeadRanges = ({ kvHeads, keyDim }, { queryNorm, keyNorm }, count) => {
  const isOverHeads = [queryNorm, keyNorm].some((norm) => norm && norm.dims[0] !== keyDim);
  if (!isOverHeads) return evenRanges(kvHeads, count);
  return Array.from({ length: count }, (_, at) => [at === 0 ? 0 : kvHeads, kvHeads]);
};

const rangesOf = (sizes, norms, at, count) => {
  const { heads, kvHeads } = sizes;
  const kvHead = kvHeadRanges(sizes, norms, count)[at];
  return { kvHead, head: kvHead.map((n) => (n * heads) / kvHeads) };
};

/**
 * The heads of worker `at` of `count`: ranges [first, last), { head, kvHead } for each attention. fields: of
 * newTransformerLayer.
 */
export const headsOfWorker = (facts, fields, at, count) => ({
  self: rangesOf(facts, fields, at, count),
  cross: facts.crossHeads
    ? rangesOf(sizesOfCross(facts), crossFields(fields), at, count)
    : undefined,
});

/** The call that creates some heads of an attention, or undefined for no heads. */
function headsOf(fields, facts, { head, kvHead }) {
  if (head[0] === head[1]) return undefined;
  const { scale, epsilon, relativeBias, positionBuckets } = fields;
  const columns = head.map((n) => n * facts.keyDim);
  const vectors = (tensor) => tensor && slice(tensor, 1, columns);
  const shard = layerShard(fields, facts, kvHead);
  return [
    'newMultiHead',
    {
      ...shard,
      ...{ scale, epsilon },
      queryNorm: fields.queryNorm && slice(fields.queryNorm, 0, [0, fields.queryNorm.dims[0]]),
      keyNorm: fields.keyNorm && slice(fields.keyNorm, 0, [0, fields.keyNorm.dims[0]]),
      ...pick(fields, [...positionNames, ...relativeNames]),
      relativeBias: relativeBias && slice(relativeBias, 1, head),
      positionKey: vectors(fields.positionKey),
      positionQuery: vectors(fields.positionQuery),
      positionBuckets,
    },
  ];
}

/** The call that creates some outputs of a matrix, or undefined for none. */
function outputsOf(outFirst, weight, bias, at, count) {
  if (!weight) return undefined;
  const axis = outFirst ? 0 : 1;
  const range = evenRanges(weight.dims[axis], count)[at];
  if (range[0] === range[1]) return undefined;
  return [
    'newLinear',
    {
      outFirst,
      weight: slice(weight, axis, range),
      bias: bias && slice(bias, 0, range),
    },
  ];
}

/**
 * The fields of the task createLayer for worker `at` of `count`.
 *
 * @param {object} fields those of newTransformerLayer, from readTransformerLayer()
 * @param {object} facts those of newTransformerLayer
 */
export function layerObjects(fields, facts, at, count) {
  const { decoder, parallel, activation, rms, epsilon, normFirst = parallel } = fields;
  const outFirst = !fields.inFirst;
  const outputs = (name) => outputsOf(outFirst, fields[name], fields[`${name}Bias`], at, count);
  const endsOf = (items, columns = 1) => evenRanges(items, count).map(([, last]) => last * columns);
  const headEnds = (sizes, norms) =>
    kvHeadRanges(sizes, norms, count).map(
      ([, last]) => ((last * sizes.heads) / sizes.kvHeads) * sizes.valueDim,
    );
  const { scale } = fields;
  const heads = headsOfWorker(facts, fields, at, count);
  const cross = { outFirst, scale, epsilon, ...crossFields(fields) };
  const objects = {
    self: headsOf({ ...fields, outFirst }, facts, heads.self),
    selfOutput: outputs('output'),
    cross: decoder && heads.cross ? headsOf(cross, sizesOfCross(facts), heads.cross) : undefined,
    crossOutput: decoder ? outputs('crossOutput') : undefined,
    up: outputs('widen'),
    gate: outputs('gate'),
    down: outputs('narrow'),
  };
  const norm = (name) =>
    fields[name] && { weight: row(fields[name]), bias: row(fields[`${name}Bias`]) };
  return {
    objects,
    ends: {
      self: headEnds(facts, fields),
      cross: decoder && headEnds(sizesOfCross(facts), cross),
      up: endsOf(fields.widen.dims[outFirst ? 0 : 1]),
      model: endsOf(facts.modelDim),
    },
    ...{ parallel, normFirst, activation, rms, epsilon },
    vectors: {
      selfNorm: norm('selfNorm'),
      crossNorm: norm('crossNorm'),
      feedForwardNorm: norm('feedForwardNorm'),
      selfOutputNorm: norm('selfOutputNorm'),
      feedForwardOutputNorm: norm('feedForwardOutputNorm'),
      selfScale: row(fields.selfScale),
      feedForwardScale: row(fields.feedForwardScale),
    },
  };
}
