// tensor() and toNested(): conversion between nested arrays and tensors.
import { describe } from './describe.js';
import { sizeOf } from './dims.js';
import { isList } from './options.js';
import { readTensor } from './tensor.js';

const maximumRank = 4;

export function tensor(nested) {
  // The first array of each depth defines the length of all others, the first leaf the type of all leaves.
  const dims = [];
  let first = nested;
  for (; isList(first); first = first[0]) {
    if (dims.push(first.length) > maximumRank) {
      throw new RangeError(`nested has arrays more than ${maximumRank} deep`);
    }
  }
  const type = typeof first === 'boolean' && dims.length > 0 ? 'boolean' : 'number';
  const data = [];
  const take = (item, name, depth) => {
    const isLeaf = depth > 0 && depth === dims.length;
    if (isLeaf ? typeof item !== type : !isList(item)) {
      const expected = isLeaf ? `a ${type}` : 'an array';
      throw new TypeError(`${name} must be ${expected}, found ${describe(item)}`);
    }
    if (isLeaf) {
      data.push(item);
      return;
    }
    if (item.length !== dims[depth]) {
      throw new RangeError(
        `${name} has length ${item.length} but the first array so deep has length ${dims[depth]}`,
      );
    }
    for (let at = 0; at < item.length; at++) take(item[at], `${name}[${at}]`, depth + 1);
  };
  take(nested, 'nested', 0);
  return { data: (type === 'boolean' ? Uint8Array : Float32Array).from(data), dims };
}

const readable = ['Float32Array', 'Float64Array', 'Float16Array', 'Uint8Array'];

export function toNested(input) {
  const { data, dims } = readTensor('tensor', input, readable);
  const isSize = (dim) => Number.isSafeInteger(dim) && dim >= 0;
  const count = sizeOf(dims);
  if (!dims.every(isSize) || count !== data.length) {
    const shape = dims.join('×') || '(none)';
    throw new RangeError(
      `tensor has dims ${shape} = ${count} numbers but its data holds ${data.length}`,
    );
  }
  let next = 0;
  const take = (axis) =>
    axis === dims.length ? data[next++] : Array.from({ length: dims[axis] }, () => take(axis + 1));
  return take(0);
}
