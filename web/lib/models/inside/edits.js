// Reads the option `edits`: JSON that says what to change at which hook points of which layers, heads and positions.
import { describe } from '../../arguments/describe.js';
import { sizeOf } from '../../arguments/dims.js';
import { flatten } from '../../arguments/nested.js';
import { isList, list, number, oneOf, readOptions } from '../../arguments/options.js';
import { fieldOf, readIndices, readHookPoint, requireBelow } from './hook_points.js';

const maxRank = 3;
const anything = (value) => value;
const words = /* @__PURE__ */ oneOf(['zero', 'blocked', 'uniform']);

/** A tensor of an edit as float32, with its dims; in scores, null is −∞. */
function readNumbers(value, name, isScores) {
  if (typeof value !== 'object' || value === null) {
    throw new TypeError(
      `${name} must be nested arrays or { data, dims }, found ${describe(value)}`,
    );
  }
  const { leaves: numbers, dims } = isList(value)
    ? flatten(value, name, maxRank)
    : {
        leaves: isList(value.data, (type) => /^Float(32|64)/.test(type)) && Array.from(value.data),
        dims: list(value.dims, `${name}.dims`),
      };
  if (!numbers) {
    throw new TypeError(`${name}.data must be an array, found ${describe(value.data)}`);
  }
  if (sizeOf(dims) !== numbers.length) {
    throw new RangeError(
      `${name} has dims ${dims.join('×')} but its data holds ${numbers.length} numbers`,
    );
  }
  const isInvisible = (item) => isScores && (item === null || item === -Infinity);
  const isFinite = (item) => typeof item === 'number' && Number.isFinite(Math.fround(item));
  const wrong = numbers.findIndex((item) => !isFinite(item) && !isInvisible(item));
  if (wrong >= 0) {
    const more = isScores ? ', or null for −∞' : '';
    throw new RangeError(
      `${name} must have finite float32 numbers${more}, found ${describe(numbers[wrong])}`,
    );
  }
  // + 0: reads -0 as 0.
  return {
    data: Float32Array.from(numbers, (item) => (item === null ? -Infinity : item + 0)),
    dims,
  };
}

/** The field `to`: { operation, factor, values }. */
function readTo(to, { name, at }, where) {
  if (typeof to === 'string') {
    words(to, `${name}.to`);
    const only = { blocked: 'scores', uniform: 'pattern' }[to] ?? at;
    if (at !== only) throw new RangeError(`${name}.to is '${to}', which only ${only} can be`);
    if (to !== 'zero') return { operation: to };
    return { operation: 'set', values: { data: new Float32Array(1), dims: [1] }, to: name };
  }
  const scale = (factor) => number(factor, `${name}.to.scale`);
  const kinds = { set: anything, add: anything, scale };
  const read = readOptions(`${name}.to in ${where}`, to, kinds, [], 'field');
  const [operation, ...others] = Object.keys(read);
  if (operation === undefined || others.length > 0) {
    throw new TypeError(`${name}.to must have one of set, add and scale`);
  }
  const toName = `${name}.to.${operation}`;
  const value = read[operation];
  if (operation !== 'scale') {
    return { operation, to: toName, values: readNumbers(value, toName, at === 'scores') };
  }
  if (Number.isFinite(Math.fround(value))) return { operation, factor: value + 0 };
  throw new RangeError(`${toName} must be a finite float32 number, found ${value}`);
}

const kinds = {
  at: anything,
  layer: readIndices,
  stack: anything,
  head: readIndices,
  query: readIndices,
  key: readIndices,
  to: anything,
};

/** One edit: its hook point, the selected indices of each axis (undefined: all), and what `to` says. */
function readEdit(edit, n, where, components) {
  const name = `edits[${n}]`;
  const named = Object.fromEntries(
    Object.entries(kinds).map(([field, kind]) => [
      field,
      (value) => kind(value, `${name}.${field}`),
    ]),
  );
  const read = readOptions(`${name} in ${where}`, edit, named, ['at', 'layer', 'to'], 'field');
  const point = readHookPoint(name, read, components, true);
  const { axes, sizes } = point;
  for (const field of ['head', 'query', 'key']) {
    if (read[field] && !axes.map(fieldOf).includes(field)) {
      throw new RangeError(`${name}.${field} is set, but ${read.at} is not selected by it`);
    }
  }
  if (read.to === 'uniform' && read.key) {
    throw new RangeError(`${name}.key is set, but 'uniform' changes whole rows`);
  }
  requireBelow(read.head, sizes[axes[0]], `${name}.head`, 'heads');
  const selected = axes.map((axis) => read[fieldOf(axis)]);
  return { ...point, selected, ...readTo(read.to, point, where) };
}

/** Throws for positions beyond the lengths of the stacks and for tensors that do not fit; dims become of rank 3. */
function fit(edit, lengths) {
  const { name, to, axes, sizes, selected, side, keySide, values } = edit;
  const ends = { query: lengths[side], key: lengths[keySide] };
  for (const field of ['query', 'key']) {
    requireBelow(selected[axes.indexOf(field)], ends[field], `${name}.${field}`, 'positions');
  }
  if (!values) return edit;
  const expected = axes.map((axis, n) => selected[n]?.length ?? ends[axis] ?? sizes[axis] ?? 1);
  const dims = [...Array(Math.max(0, maxRank - values.dims.length)).fill(1), ...values.dims];
  const fits = (dim, n) =>
    dim === 1 || dim === expected[n] || (expected[n] === Infinity && dim > 0);
  if (dims.length === maxRank && dims.every(fits)) {
    return { ...edit, values: { data: values.data, dims } };
  }
  const shape = expected.slice(axes[0] ? 0 : 1).map((size) => (size === Infinity ? 'n' : size));
  throw new RangeError(
    `${to} has dims ${values.dims.join('×')}, but the selection has ${shape.join('×')}`,
  );
}

/** The option `edits` of `where`; the result is a function from the lengths of the stacks to the edits that fit. */
export function readEdits(edits, where, components) {
  const read = Array.from(edits, (edit, n) => readEdit(edit, n, where, components));
  return (lengths) => read.map((edit) => fit(edit, lengths));
}
