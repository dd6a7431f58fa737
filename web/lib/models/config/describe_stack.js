// The public description of a stack (StackDescription of models.d.ts), read from the plan that its layers are built from.
import { plainFrequencies } from './rotary_frequencies.js';

/** Members whose value is not undefined. */
const present = (facts) =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));

/** Positions of the norms of a layer's sublayers, in the order of the computation: see NormPosition. */
function normsOf({ weights, options: { normFirst, parallel } }) {
  const has = (role) => weights[role] !== undefined;
  const positionsOf = (norm, output) => [
    ...(norm && normFirst ? ['before'] : []),
    ...(output ? ['output'] : []),
    ...(norm && !normFirst ? ['after'] : []),
  ];
  // In a parallel layer without a norm of its own, feed-forward has the normalized input of attention.
  const feedForward = has('feedForwardNorm') || (parallel && has('selfNorm'));
  return {
    attention: positionsOf(has('selfNorm'), has('selfOutputNorm')),
    ...(weights.cross && { crossAttention: positionsOf(has('crossNorm'), false) }),
    feedForward: positionsOf(feedForward, has('feedForwardOutputNorm')),
  };
}

/** For each sublayer the positions that a norm has in any layer. */
function normsOfAny(layers) {
  const [{ norms }] = layers;
  const everyPosition = ['before', 'output', 'after'];
  const isIn = (sublayer, position) =>
    layers.some((layer) => layer.norms[sublayer].includes(position));
  return Object.fromEntries(
    Object.keys(norms).map((sublayer) => [
      sublayer,
      everyPosition.filter((position) => isIn(sublayer, position)),
    ]),
  );
}

/** Factor on what a layer adds: a number, 'learned', or undefined for 1. */
const residualScaleOf = ({ selfScale }) => selfScale && (selfScale.constant ?? 'learned');

function rotaryOf({ width, theta, interleaved = false, factor = 1, frequencies, scaling }) {
  return present({
    ...{ width, theta, interleaved, scaling, attentionFactor: factor },
    frequencies: frequencies ?? plainFrequencies(width, theta),
  });
}

function describeLayer(layer, { keyDim, terms }, relativeBias) {
  const { options, positions, call } = layer;
  const { scale = 1 / Math.sqrt(keyDim), rotary, relativePositions } = options;
  return present({
    scale,
    norms: normsOf(layer),
    ...call,
    rotary: rotary && rotaryOf(rotary),
    relativePositions: relativePositions && { ...relativePositions, table: relativeBias },
    positionTerms: positions && terms.slice(1),
  });
}

/** relativeBias: table of relative position biases, if there is one. */
export function describeStack(planned, maxLength, relativeBias) {
  const { heads, kvHeads, causal = false, embed, patches, options, scores } = planned;
  const { norm, epsilon, parallel, activation } = options;
  const layers = planned.layers.map((layer) => describeLayer(layer, planned, relativeBias));
  const isAny = (test) => planned.layers.some(({ weights }) => test(weights));
  const hasBias = (weights) => Object.keys(weights).some((role) => /NormBias$/.test(role));
  const { weights } = planned.layers[0];
  return present({
    ...{ heads, kvHeads, causal },
    maxInput: maxLength < Infinity ? maxLength : undefined,
    tokenTypes: embed?.types?.count,
    patches: patches && {
      image: patches.image,
      patch: patches.patch,
      channels: patches.channels,
    },
    ...{ norm, epsilon, norms: normsOfAny(layers) },
    normBias: isAny(hasBias),
    normOffset: planned.normOffset ?? 0,
    finalNorm: planned.norm !== undefined,
    queryKeyNorm: weights.self.queryNorm && (planned.hasNormsOverHeads ? 'all' : 'head'),
    ...{ parallel, activation, gated: weights.gate !== undefined },
    residualScale: residualScaleOf(weights),
    softcap: scores?.softcap,
    layers,
  });
}
