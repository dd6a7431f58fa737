// Arbitrary Transformer layers for fast-check, with all building blocks in combination and seeded numbers.
import fc from 'fast-check';

import { additiveMask, booleanMask, normalTensor, seeded } from './random_tensors.js';

const maybe = (arbitrary) => fc.option(arbitrary, { nil: undefined });

/** Description of a layer and a call; makeLayer() draws the numbers. */
export const arbitraryLayer = fc.record({
  seed: fc.integer({ min: 0, max: 2 ** 31 }),
  model: fc.integer({ min: 1, max: 9 }),
  wide: fc.integer({ min: 1, max: 12 }),
  kvHeads: fc.integer({ min: 1, max: 3 }),
  group: fc.integer({ min: 1, max: 3 }),
  keyDim: fc.integer({ min: 1, max: 9 }),
  valueDim: fc.integer({ min: 1, max: 9 }),
  memoryWidth: maybe(fc.integer({ min: 1, max: 7 })),
  biases: fc.boolean(),
  headNorms: fc.boolean(),
  gate: fc.boolean(),
  layerScale: fc.boolean(),
  ownNorm: fc.boolean(),
  turned: maybe(
    fc.record({
      part: fc.double({ min: 0, max: 1, noNaN: true }),
      interleaved: fc.boolean(),
      kind: fc.constantFrom('base', 'frequencies', 'usual'),
      factor: maybe(fc.constantFrom(1, 1.25, -0.5)),
    }),
  ),
  relative: maybe(
    fc.record({ buckets: fc.integer({ min: 2, max: 5 }), bidirectional: fc.boolean() }),
  ),
  options: fc.record(
    {
      activation: fc.constantFrom('relu', 'gelu', 'gelu_tanh', 'quick_gelu', 'silu'),
      normFirst: fc.boolean(),
      norm: fc.constantFrom('layer', 'rms'),
      epsilon: fc.constantFrom(1e-6, 0.125),
      scale: fc.constantFrom(1, 0.25, -0.5),
      layout: fc.constantFrom('out × in', 'in × out'),
    },
    { requiredKeys: [] },
  ),
  parallel: fc.boolean(),
  lead: fc.constantFrom([], [1], [3]),
  length: fc.integer({ min: 1, max: 12 }),
  memoryLength: fc.integer({ min: 1, max: 6 }),
  call: fc.record(
    {
      causal: fc.boolean(),
      window: fc.constantFrom([2, 0], [1, 1], [null, 3]),
      offset: fc.integer({ min: -2, max: 5 }),
      softcap: fc.constantFrom(2),
      mask: fc.constantFrom('boolean', 'additive'),
      keyLengths: fc.boolean(),
      crossMask: fc.constantFrom('boolean', 'additive'),
      crossKeyLengths: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
});

/** Layers with normFirst and norms over heads, of outputs, or none before the sublayers. */
export const arbitraryNorms = fc
  .tuple(
    arbitraryLayer,
    fc.record({ areOverHeads: fc.boolean(), ofOutputs: fc.boolean(), areAbsent: fc.boolean() }),
  )
  .map(([drawn, norms]) => ({
    ...{ ...drawn, norms, parallel: false, options: { ...drawn.options, normFirst: true } },
  }));

/** Layers with position vectors. */
export const arbitraryVectors = fc
  .tuple(
    arbitraryLayer,
    fc.record({
      names: fc.constantFrom(['positionKey'], ['positionQuery'], ['positionKey', 'positionQuery']),
      buckets: fc.integer({ min: 1, max: 4 }),
      farthest: fc.integer({ min: 0, max: 4 }),
    }),
  )
  .map(([drawn, vectors]) => ({ ...drawn, vectors, group: 1 }));

function attentionWeights(random, drawn, width, contextWidth) {
  const { model, kvHeads, group, keyDim, valueDim, biases, headNorms, options } = drawn;
  const isOverHeads = drawn.norms?.areOverHeads;
  const heads = kvHeads * group;
  const matrix = (out, into) =>
    normalTensor(
      random,
      options.layout === 'in × out' ? [into, out] : [out, into],
      1 / Math.sqrt(into),
    );
  const row = (count, spread = 0.25) => normalTensor(random, [count], spread);
  return {
    query: matrix(heads * keyDim, width),
    key: matrix(kvHeads * keyDim, contextWidth),
    value: matrix(kvHeads * valueDim, contextWidth),
    output: matrix(model, heads * valueDim),
    ...(biases && {
      queryBias: row(heads * keyDim),
      keyBias: row(kvHeads * keyDim),
      valueBias: row(kvHeads * valueDim),
      outputBias: row(model),
    }),
    ...(headNorms && {
      queryNorm: row(isOverHeads ? heads * keyDim : keyDim, 1),
      keyNorm: row(isOverHeads ? kvHeads * keyDim : keyDim, 1),
    }),
  };
}

function rotaryOptions(random, { part, interleaved, kind, factor }, keyDim) {
  const width = 2 * Math.round((part * Math.floor(keyDim / 2) * 2) / 2);
  const frequencies = Array.from({ length: width / 2 }, () => 2 * random.uniform() - 1);
  return {
    // Omitted if it is the whole head.
    ...(width < keyDim && { width }),
    interleaved,
    ...(kind === 'base' && { base: 50 }),
    ...(kind === 'frequencies' && { frequencies }),
    factor,
  };
}

function callOptions(random, { call, lead, length, memoryLength }, heads, hasMemory) {
  const batch = lead[0] ?? 1;
  const maskOf = (kind, columns) =>
    ({
      boolean: () => booleanMask(random, [batch, 1, length, columns], 0.7),
      additive: () => additiveMask(random, [heads, length, columns], 0.2),
    })[kind]?.();
  const lengths = (wanted, most) =>
    wanted ? Array.from({ length: batch }, () => random.integer(0, most)) : undefined;
  const { causal, window, offset, softcap } = call;
  return {
    causal,
    window,
    offset,
    softcap,
    mask: maskOf(call.mask, length),
    keyLengths: lengths(call.keyLengths, length),
    ...(hasMemory && {
      crossMask: maskOf(call.crossMask, memoryLength),
      crossKeyLengths: lengths(call.crossKeyLengths, memoryLength),
    }),
  };
}

/** { weights, options, x, call } of a description, in the library's format. */
export function makeLayer(drawn) {
  const random = seeded(drawn.seed);
  const { model, wide, kvHeads, group, keyDim, memoryWidth, biases, relative, lead } = drawn;
  const heads = kvHeads * group;
  const hasMemory = memoryWidth !== undefined;
  const parallel = drawn.parallel && !hasMemory;
  const row = (count, spread = 0.25) => normalTensor(random, [count], spread);
  const matrix = (out, into) =>
    normalTensor(
      random,
      drawn.options.layout === 'in × out' ? [into, out] : [out, into],
      1 / Math.sqrt(into),
    );
  const norm = (name) => ({
    [name]: row(model, 1),
    ...(biases && drawn.options.norm !== 'rms' && { [`${name}Bias`]: row(model) }),
  });
  const turned = drawn.turned && keyDim > 1;
  const { norms = {} } = drawn;
  const weights = {
    self: attentionWeights(random, drawn, model, model),
    ...(hasMemory && { cross: attentionWeights(random, drawn, model, memoryWidth) }),
    ...(!norms.areAbsent && norm('selfNorm')),
    ...(norms.ofOutputs && norm('selfOutputNorm')),
    ...(norms.ofOutputs && norm('feedForwardOutputNorm')),
    ...(hasMemory && norm('crossNorm')),
    ...((!(parallel || norms.areAbsent) || drawn.ownNorm) && norm('feedForwardNorm')),
    widen: matrix(wide, model),
    narrow: matrix(model, wide),
    ...(drawn.gate && { gate: matrix(wide, model) }),
    ...(biases && { widenBias: row(wide), narrowBias: row(model) }),
    ...(biases && drawn.gate && { gateBias: row(wide) }),
    ...(drawn.layerScale && { selfScale: row(model, 1), feedForwardScale: row(model, 1) }),
  };
  const options = { ...drawn.options, heads, kvHeads };
  if (parallel) Object.assign(options, { parallel, normFirst: true });
  if (turned) options.rotary = rotaryOptions(random, drawn.turned, keyDim);
  if (relative) {
    const { bidirectional } = relative;
    const buckets = relative.buckets * (bidirectional ? 2 : 1);
    weights.self.relativeBias = normalTensor(random, [buckets, heads]);
    options.relativePositions = { maxDistance: random.integer(4, 9), bidirectional };
  }
  if (drawn.vectors) {
    const { names, buckets, farthest } = drawn.vectors;
    for (const name of names) {
      weights.self[name] = normalTensor(random, [buckets, heads * keyDim], 0.5);
    }
    options.positionBuckets = Array.from({ length: 2 * farthest + 1 }, () =>
      random.integer(0, buckets - 1),
    );
  }
  const call = callOptions(random, drawn, heads, hasMemory);
  if (hasMemory) call.memory = normalTensor(random, [...lead, drawn.memoryLength, memoryWidth]);
  return { weights, options, x: normalTensor(random, [...lead, drawn.length, model]), call };
}
