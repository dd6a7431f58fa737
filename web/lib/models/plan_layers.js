// From a family's description to the weights of each layer, by the names of TransformerLayer: which tensor, which part
// of it, which shape.
import { joined } from './tensor_names.js';

/** The dims of a stack with what follows from others; refuses heads that do not divide the width. */
export function dimsOf(stack) {
  const { width, heads, keyDim = width / heads, kvHeads = heads } = stack;
  if (!Number.isInteger(keyDim)) {
    throw new RangeError(
      `config.json has ${heads} heads for a width of ${width}: no whole number each`,
    );
  }
  if (heads % kvHeads !== 0) {
    throw new RangeError(
      `config.json has ${heads} heads, no multiple of ${kvHeads} for keys and values`,
    );
  }
  return { ...stack, keyDim, kvHeads };
}

/** out × in of a matrix, or the length of a vector. */
function shapeOf(role, { width, heads, kvHeads, keyDim, inner, buckets }) {
  const [attention, part] = role.split('.');
  const keys = attention === 'self' ? kvHeads : heads;
  switch (part ?? role) {
    case 'query':
      return [heads * keyDim, width];
    case 'key':
    case 'value':
      return [keys * keyDim, width];
    case 'output':
      return [width, heads * keyDim];
    case 'queryNorm':
    case 'keyNorm':
      return [keyDim];
    case 'relativeBias':
      return [buckets, heads];
    case 'widen':
    case 'gate':
      return [inner, width];
    case 'narrow':
      return [width, inner];
    default:
      return [width];
  }
}

const isMatrix = (shape) => shape.length === 2;

/** The tensor of a role, whole or a part of one that has several. */
function tensorOf(names, at, source, shape, { ending, inByOut }) {
  if (typeof source === 'string') {
    const stored = inByOut ? [...shape].reverse() : shape;
    return { ...names.take(joined(at, source, ending), stored), shape, inByOut };
  }
  const { fused, part, of, ofEachHead } = source;
  const whole = [shape[0] * of, ...shape.slice(1)];
  const stored = inByOut ? whole.reverse() : whole;
  const found = names.take(joined(at, fused, ending), stored);
  return { ...found, shape, inByOut, part: { index: part, of, ofEachHead } };
}

function biasesOf({ withoutBias = [], options }) {
  if (withoutBias === true) return () => false;
  return (role, shape) =>
    isMatrix(shape) ? !withoutBias.includes(role) : options.norm !== 'rms' && /Norm$/.test(role);
}

const place = (weights, role, value) => {
  const [first, second] = role.split('.');
  if (second === undefined) weights[first] = value;
  else (weights[first] ??= {})[second] = value;
};

/** The weights of one layer, nested as TransformerLayer.fromWeights() takes them; a tensor in the place of each. */
function weightsOf(names, stack, at) {
  const weights = {};
  const hasBias = biasesOf(stack);
  for (const [role, source] of Object.entries(stack.parts)) {
    const shape = shapeOf(role, stack);
    const inByOut = stack.inByOut && isMatrix(shape);
    const ending = /Scale$/.test(role) ? '' : '.weight';
    place(weights, role, tensorOf(names, at, source, shape, { ending, inByOut }));
    if (!hasBias(role, shape)) continue;
    place(
      weights,
      `${role}Bias`,
      tensorOf(names, at, source, shape.slice(0, 1), { ending: '.bias' }),
    );
  }
  for (const [role, source] of Object.entries(stack.shared ?? {})) {
    const table = tensorOf(names, '', source, shapeOf(role, stack), { ending: '.weight' });
    // Not multiplied but looked up: it stays in floats.
    place(weights, role, { ...table, isLookedUp: true });
  }
  return weights;
}

/** For each layer { at, weights, options, window }; layers with the same `at` share their weights. */
export function planLayers(names, stack) {
  const { heads, kvHeads, options, optionsOf, windowOf, layers } = stack;
  const byPlace = new Map();
  return Array.from({ length: layers }, (_, n) => {
    const at = typeof stack.at === 'function' ? stack.at(n) : stack.at.replaceAll('#', n);
    if (!byPlace.has(at)) byPlace.set(at, weightsOf(names, stack, at));
    return {
      at,
      weights: byPlace.get(at),
      options: { heads, kvHeads, ...options, ...optionsOf?.(n) },
      window: windowOf?.(n),
    };
  });
}
