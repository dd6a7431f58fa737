// The plan of a stack: for each weight of a TransformerLayer, its tensor in the file, its shape, and the slice of a
// fused tensor.
import { checkLayers } from './config_fields.js';
import { joined } from './tensor_names.js';

/** A stack with derived dims; throws if heads do not divide the width. */
export function dimsOf(stack) {
  const { width, heads, keyDim = width / heads, kvHeads = heads } = stack;
  if (!Number.isInteger(keyDim)) {
    throw new RangeError(
      `config.json has ${heads} heads and a width of ${width}: heads must divide the width`,
    );
  }
  if (heads % kvHeads !== 0) {
    throw new RangeError(
      `config.json has ${heads} heads and ${kvHeads} key/value heads: key/value heads must divide heads`,
    );
  }
  checkLayers(stack.layers);
  return { ...stack, keyDim, kvHeads };
}

/** Dims of a weight: [out, in] or [length]. */
function shapeOf(role, stack) {
  const { width, heads, kvHeads, keyDim, feedForwardWidth, buckets, hasNormsOverHeads } = stack;
  const [attention, matrix] = role.split('.');
  const keys = attention === 'self' ? kvHeads : heads;
  switch (matrix ?? role) {
    case 'query':
      return [heads * keyDim, width];
    case 'key':
    case 'value':
      return [keys * keyDim, width];
    case 'output':
      return [width, heads * keyDim];
    case 'queryNorm':
      return [hasNormsOverHeads ? heads * keyDim : keyDim];
    case 'keyNorm':
      return [hasNormsOverHeads ? keys * keyDim : keyDim];
    case 'relativeBias':
      return [buckets, heads];
    case 'widen':
    case 'gate':
      return [feedForwardWidth, width];
    case 'narrow':
      return [width, feedForwardWidth];
    default:
      return [width];
  }
}

const isMatrix = (shape) => shape.length === 2;

/**
 * The tensor of a role: a whole tensor, or a slice of a fused one, { fused, index, of, units?, groups? }: the rows are in
 * `groups` groups (default 1) of `of` equal units, and the slice has `units` of each (default 1), from `index` on.
 */
/**
 * @param {import('./tensor_names.js').TensorNames} names
 * @param {string} prefix
 * @param {string | object} source
 * @param {number[]} shape
 * @param {{ ending: string, inByOut?: boolean }} options
 */
function tensorOf(names, prefix, source, shape, { ending, inByOut }) {
  if (source.constant !== undefined) return { ...source, dims: shape };
  if (typeof source === 'string') {
    const stored = inByOut ? [...shape].reverse() : shape;
    return { ...names.take(joined(prefix, source, ending), stored), shape, inByOut };
  }
  const { fused, index, of, units = 1, groups = 1 } = source;
  const fusedShape = [(shape[0] / units) * of, ...shape.slice(1)];
  const stored = inByOut ? fusedShape.reverse() : fusedShape;
  const found = names.take(joined(prefix, fused, ending), stored);
  return { ...found, shape, inByOut, slice: { index, of, units, groups } };
}

/** @param {{ withoutBias?: true | string[], options: { norm?: string } }} stack */
function biasesOf({ withoutBias = [], options }) {
  if (withoutBias === true) return () => false;
  return (role, shape) => {
    if (withoutBias.includes(role) || (!isMatrix(shape) && options.norm === 'rms')) return false;
    return isMatrix(shape) || /Norm$/.test(role);
  };
}

const setWeight = (weights, role, value) => {
  const [first, second] = role.split('.');
  if (second === undefined) weights[first] = value;
  else (weights[first] ??= {})[second] = value;
};

/** The planned tensors of one layer by its weight names, nested like the argument of TransformerLayer.fromWeights(). */
function weightsOf(names, stack, prefix, weightNames) {
  const weights = {};
  const hasBias = biasesOf(stack);
  for (const [role, source] of Object.entries(weightNames)) {
    const shape = shapeOf(role, stack);
    const inByOut = stack.inByOut && isMatrix(shape);
    const ending = /Scale$/.test(role) ? '' : '.weight';
    const tensor = tensorOf(names, prefix, source, shape, { ending, inByOut });
    const offset = /Norm$/.test(role) ? stack.normOffset : undefined;
    setWeight(weights, role, offset ? { ...tensor, offset } : tensor);
    if (!hasBias(role, shape)) continue;
    setWeight(
      weights,
      `${role}Bias`,
      tensorOf(names, prefix, source, shape.slice(0, 1), { ending: '.bias' }),
    );
  }
  for (const [role, source] of Object.entries(stack.shared ?? {})) {
    const table = tensorOf(names, '', source, shapeOf(role, stack), { ending: '.weight' });
    // A lookup table, not a matrix factor: kept as float32.
    setWeight(weights, role, { ...table, isLookedUp: true });
  }
  return weights;
}

/**
 * From which a layer has its position vectors: { table, norm?, key?, query? }, key and query projections. Shared ones are
 * those of the layer's keys and queries.
 */
function positionsOf(names, stack, prefix, { self }) {
  const { table, rows, norm, key, query, isShared } = stack.relativePositions;
  const { width, heads, keyDim } = stack;
  const take = (name, shape) => tensorOf(names, '', name, shape, { ending: '' });
  const projection = (role, name) => {
    if (isShared) return { weight: self[role], bias: self[`${role}Bias`] };
    const at = (ending, shape) => tensorOf(names, prefix, name, shape, { ending });
    return {
      weight: at('.weight', [heads * keyDim, width]),
      bias: at('.bias', [heads * keyDim]),
    };
  };
  return {
    table: { ...take(`${table}.weight`, [rows, width]), isLookedUp: true },
    norm: norm && { weight: take(`${norm}.weight`, [width]), bias: take(`${norm}.bias`, [width]) },
    key: key && projection('key', key),
    query: query && projection('query', query),
  };
}

/** For each layer { prefix, weights, positions?, options, call: { window?, softcap?, slopes? } }; layers with the same prefix share their weights. */
export function planLayers(names, stack) {
  const { heads, kvHeads, options, optionsOf, windowOf, layers, layerPrefix, scores, scoresOf } =
    stack;
  const { weightNamesOf = () => stack.weightNames } = stack;
  const weightsByPrefix = new Map();
  // Made when the tensors of a layer have the sizes of the config.
  let made;
  const make = () => ({
    scores: scoresOf ? scoresOf() : scores,
    buckets: stack.relativePositions?.bucketsOf(),
  });
  return Array.from({ length: layers }, (_, n) => {
    const prefix =
      typeof layerPrefix === 'function' ? layerPrefix(n) : layerPrefix.replaceAll('#', n);
    if (!weightsByPrefix.has(prefix)) {
      weightsByPrefix.set(prefix, weightsOf(names, stack, prefix, weightNamesOf(n)));
    }
    const weights = weightsByPrefix.get(prefix);
    const positions = stack.relativePositions && positionsOf(names, stack, prefix, weights);
    made ??= make();
    return {
      ...{ prefix, weights, positions },
      options: {
        ...{ heads, kvHeads, ...options, ...optionsOf?.(n) },
        ...(made.buckets && { positionBuckets: made.buckets }),
      },
      call: { window: windowOf?.(n), ...made.scores },
    };
  });
}
