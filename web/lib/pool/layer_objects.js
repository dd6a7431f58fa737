// Divides a TransformerLayer among workers: the functions of the module, with their fields, that create the objects of one
// worker. Matrices are divided by outputs, attention by key/value heads. See model_shard.js.
import { layerShard } from './multi_head_division.js';
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

const rangesOf = ({ heads, kvHeads }, at, count) => {
  const kvHead = evenRanges(kvHeads, count)[at];
  return { kvHead, head: kvHead.map((n) => (n * heads) / kvHeads) };
};

/** The heads of worker `at` of `count`: ranges [first, last), { head, kvHead } for each attention. */
export const headsOfWorker = (facts, at, count) => ({
  self: rangesOf(facts, at, count),
  cross: facts.crossHeads ? rangesOf(sizesOfCross(facts), at, count) : undefined,
});

/** The call that creates some heads of an attention, or undefined for no heads. */
function headsOf(fields, facts, { head, kvHead }) {
  if (head[0] === head[1]) return undefined;
  const { scale, epsilon, relativeBias } = fields;
  const shard = layerShard(fields, facts, kvHead);
  return [
    'newMultiHead',
    {
      ...shard,
      ...{ scale, epsilon },
      queryNorm: fields.queryNorm && slice(fields.queryNorm, 0, [0, facts.keyDim]),
      keyNorm: fields.keyNorm && slice(fields.keyNorm, 0, [0, facts.keyDim]),
      ...pick(fields, [...positionNames, ...relativeNames]),
      relativeBias: relativeBias && slice(relativeBias, 1, head),
    },
  ];
}

/** Where adjacent ranges begin, and where the last one ends. */
const cutsOf = (ranges) => [0, ...ranges.map(([, last]) => last)];

// Matrices by the names of their objects in a worker.
const matrices = {
  selfOutput: 'output',
  crossOutput: 'crossOutput',
  up: 'widen',
  gate: 'gate',
  down: 'narrow',
};

/** The calls that create some outputs of each matrix, of those that have any, and the cuts of their outputs. */
function outputsOf(fields, outFirst, at, count) {
  const axis = outFirst ? 0 : 1;
  const objects = {};
  const cuts = {};
  for (const [name, field] of Object.entries(matrices)) {
    const weight = fields[field];
    if (!weight) continue;
    const bias = fields[`${field}Bias`];
    const ranges = evenRanges(weight.dims[axis], count);
    const range = ranges[at];
    cuts[name] = cutsOf(ranges);
    if (range[0] === range[1]) continue;
    objects[name] = [
      'newLinear',
      { outFirst, weight: slice(weight, axis, range), bias: bias && slice(bias, 0, range) },
    ];
  }
  return { objects, cuts };
}

const cutsOfHeads = ({ heads, kvHeads, valueDim }, count) =>
  cutsOf(evenRanges(kvHeads, count)).map((cut) => ((cut * heads) / kvHeads) * valueDim);

/**
 * The fields of the task createLayer for worker `at` of `count`.
 *
 * @param {object} fields those of newTransformerLayer, from readTransformerLayer()
 * @param {object} facts those of newTransformerLayer
 */
export function layerObjects(fields, facts, at, count) {
  const { decoder, parallel, activation, rms, epsilon, normFirst = parallel } = fields;
  const outFirst = !fields.inFirst;
  const { scale } = fields;
  const heads = headsOfWorker(facts, at, count);
  const { objects, cuts } = outputsOf(fields, outFirst, at, count);
  objects.self = headsOf({ ...fields, outFirst }, facts, heads.self);
  cuts.self = cutsOfHeads(facts, count);
  if (decoder) {
    const cross = { outFirst, scale, epsilon, ...crossFields(fields) };
    objects.cross = headsOf(cross, sizesOfCross(facts), heads.cross);
    cuts.cross = cutsOfHeads(sizesOfCross(facts), count);
  }
  const norm = (name) =>
    fields[name] && { weight: row(fields[name]), bias: row(fields[`${name}Bias`]) };
  return {
    objects: Object.fromEntries(Object.entries(objects).filter(([, call]) => call)),
    cuts,
    ...{ parallel, normFirst, activation, rms, epsilon },
    vectors: {
      selfNorm: norm('selfNorm'),
      crossNorm: norm('crossNorm'),
      feedForwardNorm: norm('feedForwardNorm'),
      selfScale: row(fields.selfScale),
      feedForwardScale: row(fields.feedForwardScale),
    },
  };
}
