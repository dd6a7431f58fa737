// tensor() and toNested(): conversion between nested arrays and tensors.
import { describe } from './describe.js';
import { sizeOf } from './dims.js';
import { isList } from './options.js';
import { readTensor } from './tensor.js';

const maximumRank = 4;

/** @typedef {(number | NestedNumbers)[]} NestedNumbers */

/** @type {(name: string, expected: string, found: unknown) => TypeError} */
const wrongItem = (name, expected, found) =>
  new TypeError(`${name} must be ${expected}, found ${describe(found)}`);

/** @param {unknown} nested */
export function tensor(nested) {
  // The first array of each depth defines the length of all others, the first leaf the type of all leaves.
  /** @type {number[]} */
  const dims = [];
  let first = nested;
  for (; isList(first); first = first[0]) {
    if (dims.push(first.length) > maximumRank) {
      throw new RangeError(`nested has arrays more than ${maximumRank} deep`);
    }
  }
  const type = typeof first === 'boolean' && dims.length > 0 ? 'boolean' : 'number';
  /** @type {(number | boolean)[]} */
  const data = [];
  const take = (
    /** @type {unknown} */ item,
    /** @type {string} */ name,
    /** @type {number} */ depth,
  ) => {
    const isLeaf = depth > 0 && depth === dims.length;
    if (isLeaf) {
      if (typeof item !== type) throw wrongItem(name, `a ${type}`, item);
      data.push(/** @type {number | boolean} */ (item));
      return;
    }
    if (!isList(item)) throw wrongItem(name, 'an array', item);
    if (item.length !== dims[depth]) {
      throw new RangeError(
        `${name} has length ${item.length} but the first array so deep has length ${dims[depth]}`,
      );
    }
    for (let at = 0; at < item.length; at++) take(item[at], `${name}[${at}]`, depth + 1);
  };
  take(nested, 'nested', 0);
  return {
    data: type === 'boolean' ? Uint8Array.from(data, Number) : Float32Array.from(data, Number),
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
