// Hook points: places in a layer that `capture` reads and `edits` change. The module has their numbers.
import { describe } from '../../arguments/describe.js';
import { sizeOf } from '../../arguments/dims.js';
import { isList, list, oneOf } from '../../arguments/options.js';

// Axes of a hook point's tensor, always three: n × d has no heads. 'kvHead' is selected by the field head.
const vectors = [undefined, 'query', 'width'];
const pairs = ['head', 'query', 'key'];

const hookPoints = {
  resid_pre: vectors,
  q: ['head', 'query', 'dim'],
  k: ['kvHead', 'key', 'dim'],
  v: ['kvHead', 'key', 'dim'],
  scores: pairs,
  pattern: pairs,
  z: ['head', 'query', 'dim'],
  attn_out: vectors,
  resid_mid: vectors,
  mlp_out: vectors,
  resid_post: vectors,
  head_out: ['head', 'query', 'width'],
  value_out: ['head', 'key', 'width'],
  content_content: pairs,
  content_position: pairs,
  position_content: pairs,
};

/** Products of W_O with one head, and terms of scores: hook points that can only be captured. */
export const perHeadNames = ['head_out', 'value_out'];
export const termNames = ['content_content', 'content_position', 'position_content'];

const names = /* @__PURE__ */ Object.keys(hookPoints);
const editableNames = /* @__PURE__ */ names.filter(
  (name) => ![...perHeadNames, ...termNames].includes(name),
);

/** The field of an edit that selects along an axis. */
export const fieldOf = (axis) => (axis === 'kvHead' ? 'head' : axis);

/** The fields that select along the axes of a captured tensor. */
export const axesOf = (at) => hookPoints[at].filter(Boolean).map(fieldOf);

/** The stacks of a model by the values of the field stack: { side, isCross, sizes, ... }. */
function stacksOf({ stacks }) {
  const found = {};
  for (const [side, { stack }] of Object.entries(stacks)) {
    const { sizes } = stack;
    found[side] = { side, keySide: side, isCross: false, sizes };
    if (side !== 'decoder') continue;
    const kvHead = sizes.head; // of cross-attention
    found.cross = { side, keySide: 'encoder', isCross: true, sizes: { ...sizes, kvHead } };
  }
  return found;
}

/** An index or a list of indices, each at most once. */
export function readIndices(value, name) {
  const indices = list(isList(value) ? value : [value], name);
  if (indices.length === 0) throw new RangeError(`${name} is empty; without it, all are selected`);
  const seen = new Set();
  for (const index of indices) {
    if (!Number.isInteger(index) || index < 0) {
      throw new RangeError(`${name} must be integers of at least 0, found ${index}`);
    }
    if (seen.has(index)) throw new RangeError(`${name} has ${index} twice`);
    seen.add(index);
  }
  return indices;
}

/** Throws for an index beyond `count`. */
export function requireBelow(indices, count, name, noun) {
  const outside = indices?.find((index) => index >= count);
  if (outside === undefined) return;
  throw new RangeError(`${name} has ${outside}, but there are ${noun} 0 to ${count - 1}`);
}

/** Whether the layers of a stack have a hook point. */
function exists(at, { isCross, sizes }) {
  if (termNames.includes(at)) return !isCross && sizes.terms.includes(at);
  if (isCross) return hookPoints[at] !== vectors || at === 'attn_out';
  return at !== 'resid_mid' || !sizes.isParallel;
}

/** The module's enumerations. */
export const enumsOf = ({ api }) => api[Symbol.for('attention-wasm')].heap.enums;

/**
 * The hook point that an edit or a capture names: { at, number, axes, layers, side, isCross, sizes, ... }.
 *
 * @param {string} name
 * @param {{ at: string, layer?: number[], stack?: string }} request
 */
export function readHookPoint(name, { at, layer, stack }, components, isEdit = false) {
  oneOf(isEdit ? editableNames : names)(at, `${name}.at`);
  const stacks = stacksOf(components);
  const accepted = Object.keys(stacks);
  const chosen = stack ?? (accepted.length === 1 ? accepted[0] : undefined);
  if (chosen === undefined || !accepted.includes(chosen)) {
    const expected = accepted.map(describe).join(' or ');
    throw new RangeError(`${name}.stack must be ${expected}, found ${describe(stack)}`);
  }
  const { sizes } = stacks[chosen];
  const axes = hookPoints[at];
  if (!exists(at, stacks[chosen]))
    throw new RangeError(`${name}.at is '${at}', which these layers do not have`);
  requireBelow(layer, sizes.layers, `${name}.layer`, 'layers');
  return {
    ...stacks[chosen],
    ...{ name, at, axes, stack: chosen, number: enumsOf(components).HookPoint[at] },
    hasLayer: (n) => !layer || layer.includes(n),
  };
}

/** 0 to count - 1. */
export const indicesTo = (count) => Array.from({ length: count }, (_, index) => index);

/** The items of a tensor along one axis. */
export function takeAlong({ data, dims }, axis, indices) {
  const inner = sizeOf(dims.slice(axis + 1));
  const taken = dims.map((dim, n) => (n === axis ? indices.length : dim));
  const result = new Float32Array(sizeOf(taken));
  for (let to = 0, at = 0; at < result.length; at += inner, to++) {
    const from = Math.floor(to / indices.length) * dims[axis] + indices[to % indices.length];
    result.set(data.subarray(from * inner, (from + 1) * inner), at);
  }
  return { data: result, dims: taken };
}
