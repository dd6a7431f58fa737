// tensor() and toNested(): conversion between nested arrays and tensors.
import { describe } from './describe.js';
import { sizeOf } from './dims.js';
import { isList } from './options.js';
import { readTensor } from './tensor.js';

const maximumRank = 4;

/** @typedef {(number | NestedNumbers)[]} NestedNumbers */

/**
 * The leaves of the nested arrays called `name` in row-major order, with the first of them and the dims. The first array of
 * each depth defines the length of all others.
 *
 * @param {unknown} nested
 * @param {string} name
 * @param {number} maxRank
 * @param {(leaf: unknown, name: string, first: unknown) => void} [checkLeaf] throws for a leaf that is refused
 */
export function flatten(nested, name, maxRank, checkLeaf) {
  /** @type {number[]} */
  const dims = [];
  let first = nested;
  for (; isList(first); first = first[0]) {
    if (dims.push(first.length) > maxRank) {
      throw new RangeError(`${name} has arrays more than ${maxRank} deep`);
    }
  }
  /** @type {unknown[]} */
  const leaves = [];
  const take = (
    /** @type {unknown} */ item,
    /** @type {string} */ itemName,
    /** @type {number} */ depth,
  ) => {
    if (depth > 0 && depth === dims.length) {
      checkLeaf?.(item, itemName, first);
      leaves.push(item);
      return;
    }
    if (!isList(item)) {
      throw new TypeError(`${itemName} must be an array, found ${describe(item)}`);
    }
    if (item.length !== dims[depth]) {
      throw new RangeError(
        `${itemName} has length ${item.length} but the first array so deep has length ${dims[depth]}`,
      );
    }
    for (let at = 0; at < item.length; at++) take(item[at], `${itemName}[${at}]`, depth + 1);
  };
  take(nested, name, 0);
  return { leaves, dims, first };
}

/**
 * Numbers, or booleans if the first leaf is one.
 *
 * @param {unknown} leaf
 * @param {string} name
 * @param {unknown} first
 */
function requireSameType(leaf, name, first) {
  const type = typeof first === 'boolean' ? 'boolean' : 'number';
  if (typeof leaf === type) return;
  throw new TypeError(`${name} must be a ${type}, found ${describe(leaf)}`);
}

/** @param {unknown} nested */
export function tensor(nested) {
  const { leaves, dims, first } = flatten(nested, 'nested', maximumRank, requireSameType);
  const isBoolean = typeof first === 'boolean';
  return {
    data: isBoolean ? Uint8Array.from(leaves, Number) : Float32Array.from(leaves, Number),
    dims,
  };
}

const readable = ['Float32Array', 'Float64Array', 'Float16Array', 'Uint8Array'];

/** @param {unknown} input */
export function toNested(input) {
  const { data, dims } = readTensor('tensor', input, readable);
  const isSize = (/** @type {number} */ dim) => Number.isSafeInteger(dim) && dim >= 0;
  const count = sizeOf(dims);
  if (!dims.every(isSize) || count !== data.length) {
    const shape = dims.join('×') || '(none)';
    throw new RangeError(
      `tensor has dims ${shape} = ${count} numbers but its data holds ${data.length}`,
    );
  }
  let next = 0;
  /** @type {(axis: number) => number | NestedNumbers} */
  const take = (axis) =>
    axis === dims.length ? data[next++] : Array.from({ length: dims[axis] }, () => take(axis + 1));
  return take(0);
}
