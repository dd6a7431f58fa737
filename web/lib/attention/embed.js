// embed(): from token ids to vectors, x_i = E w_i with w_i one-hot. Copies rows in JavaScript, so that the table is not
// copied into the module.
import { describe } from '../arguments/describe.js';
import { sizeOf } from '../arguments/dims.js';
import { readTensor } from '../arguments/tensor.js';
import { isList } from '../arguments/options.js';
import { plainArray, typedArrayLength, typedArrayName } from '../arguments/typed_array.js';
import { toFloat32 } from '../module/to_float32.js';

/**
 * @import { Embed } from '../types/attention/embed.js'
 * @import { NumberArray, TypedArray } from '../arguments/typed_array.js'
 * @import { Heap } from '../module/heap.js'
 */

/**
 * Checks that dims are non-negative integers whose product is `count`.
 *
 * @param {string} name
 * @param {readonly unknown[]} dims
 * @param {number} count
 * @returns {asserts dims is readonly number[]}
 */
function checkDims(name, dims, count) {
  dims.forEach((dim, axis) => {
    if (typeof dim !== 'number') {
      throw new TypeError(`${name}.dims[${axis}] must be a number, found ${describe(dim)}`);
    }
    if (!(Number.isInteger(dim) && dim >= 0)) {
      throw new RangeError(
        `${name}.dims[${axis}] is ${dim} but must be a whole number of at least 0`,
      );
    }
  });
  const product = sizeOf(/** @type {readonly number[]} */ (dims));
  if (product !== count) {
    throw new RangeError(
      `${name} has dims ${dims.join('×')} = ${product} numbers but its data holds ${count}`,
    );
  }
}

/**
 * A list as an Array or a typed array, not a subclass.
 *
 * @param {string} name
 * @param {readonly unknown[] | TypedArray} list
 * @returns {ArrayLike<unknown>}
 */
function plainList(name, list) {
  if (!isTypedArray(list)) return Array.from(list);
  typedArrayLength(name, list);
  return plainArray(list);
}

/** @returns {list is TypedArray} */
const isTypedArray = (/** @type {unknown} */ list) => typedArrayName(list) !== undefined;

/** @param {unknown} ids */
function readIds(ids) {
  /** @type {{ data?: unknown, dims?: unknown }} */
  const { data, dims } = isList(ids) ? { data: ids } : (ids ?? {});
  if (!isList(data)) {
    throw new TypeError(
      `ids must be an array of whole numbers or a tensor { data, dims }, found ${describe(ids)}`,
    );
  }
  const isTensor = data !== ids;
  if (isTensor && !isList(dims)) {
    throw new TypeError(`ids.dims must be an array of numbers, found ${describe(dims)}`);
  }
  const numbers = Array.from(plainList('ids.data', data), (id, at) => {
    if (typeof id !== 'number' && typeof id !== 'bigint') {
      throw new TypeError(`ids[${at}] must be a number, found ${describe(id)}`);
    }
    return Number(id);
  });
  const read =
    isList(dims) && isTensor ? Array.from(plainList('ids.dims', dims)) : [numbers.length];
  checkDims('ids', read, numbers.length);
  return { numbers, dims: read };
}

/** @param {unknown} table */
function readTable(table) {
  const read = readTensor('table', table);
  const { data, dims } = read;
  if (dims.length !== 2) {
    throw new RangeError(`table has dims ${dims.join('×')} but must have 2: vocabulary × d`);
  }
  typedArrayLength('table.data', data);
  const plain = plainArray(data);
  checkDims('table', dims, plain.length);
  return { ...read, data: plain };
}

/** @param {Heap} heap */
export function embedding(heap) {
  return {
    /**
     * @param {unknown} ids
     * @param {unknown} table
     */
    embed(ids, table) {
      const { numbers, dims } = readIds(ids);
      const { data, type, dims: tableDims, scales } = readTable(table);
      const [vocabulary, width] = tableDims;
      numbers.forEach((id, at) => {
        if (Number.isInteger(id) && id >= 0 && id < vocabulary) return;
        const expected =
          vocabulary === 0
            ? 'the table is empty'
            : `must be a whole number from 0 to ${vocabulary - 1}`;
        throw new RangeError(`ids[${at}] is ${id} but ${expected}`);
      });
      const Class = /** @type {new (count: number) => NumberArray} */ (data.constructor);
      const rows = new Class(numbers.length * width);
      numbers.forEach((id, at) => {
        rows.set(data.subarray(id * width, (id + 1) * width), at * width);
      });
      if (type === 'Float32Array') return { data: rows, dims: [...dims, width] };
      const vectors = {
        name: 'table',
        data: rows,
        type,
        dims: [numbers.length, width],
        scales: scales && Float32Array.from(numbers, (id) => scales[id]),
      };
      return { data: toFloat32(heap, vectors).data, dims: [...dims, width] };
    },
  };
}
