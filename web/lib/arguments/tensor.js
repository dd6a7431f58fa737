// Reads a tensor argument, { data, dims }, and checks the types of its fields. The module checks whether the shapes fit
// together.
/** @import { NumberArray } from './typed_array.js' */
import { describe } from './describe.js';
import { sizeOf } from './dims.js';
import { nothing } from './options.js';
import { isFloat32Array, plainArray, typedArrayLength, typedArrayName } from './typed_array.js';

/**
 * @typedef {object} TensorInput a tensor argument that was read
 * @property {string} name the caller's name for it
 * @property {NumberArray} data
 * @property {string} type 'float16', 'bfloat16', 'int8', or the name of the typed array
 * @property {number[]} dims
 * @property {Float32Array | undefined} scales of the rows of int8 numbers
 */

const numberArrays = ['Float32Array', 'Float64Array', 'Float16Array', 'Uint16Array', 'Int8Array'];

/**
 * @param {string} name
 * @param {unknown} dims
 */
function readDims(name, dims) {
  if (!Array.isArray(dims)) {
    throw new TypeError(`${name}.dims must be an array of numbers, found ${describe(dims)}`);
  }
  // A loop over indices: Array.from() with a function takes longer than reading all other arguments of a small call.
  const read = [];
  for (let axis = 0; axis < dims.length; axis++) {
    const dim = dims[axis];
    if (typeof dim !== 'number') {
      throw new TypeError(`${name}.dims[${axis}] must be a number, found ${describe(dim)}`);
    }
    read.push(dim);
  }
  return read;
}

/**
 * The type of the numbers: 'float16', 'bfloat16' or 'int8'; for higher precision, the name of the typed array.
 *
 * @param {string} name
 * @param {{ type?: unknown }} tensor
 * @param {string} array the name of its typed array
 */
function readType(name, tensor, array) {
  if (array === 'Float16Array') return 'float16';
  if (array === 'Int8Array') return 'int8';
  if (array !== 'Uint16Array') return array;
  const { type } = tensor;
  if (type === 'float16' || type === 'bfloat16') return type;
  throw new TypeError(
    `${name}.data is a Uint16Array, so ${name}.type must be 'float16' or 'bfloat16', found ${describe(type)}`,
  );
}

/**
 * A copy of the scales of int8 numbers, one for each row.
 *
 * @param {string} name
 * @param {{ scales?: unknown }} tensor
 * @param {readonly number[]} dims
 */
function readScales(name, { scales }, dims) {
  if (!isFloat32Array(scales)) {
    throw new TypeError(
      `${name}.data is an Int8Array, so ${name}.scales must be a Float32Array, found ${describe(scales)}`,
    );
  }
  const rows = sizeOf(dims.slice(0, -1));
  const found = typedArrayLength(`${name}.scales`, scales);
  if (found !== rows) {
    throw new RangeError(
      `${name} has dims ${dims.join('×')}, ${rows} rows, but its scales are ${found}`,
    );
  }
  return plainArray(scales).slice();
}

/**
 * @param {string} name
 * @param {unknown} tensor
 * @param {readonly string[]} arrays the classes of the numbers
 * @returns {TensorInput}
 */
export function readTensor(name, tensor, arrays = numberArrays) {
  const isNone = typeof tensor !== 'object' || tensor === null || typedArrayName(tensor);
  /** @type {{ data?: unknown, dims?: unknown, type?: unknown, scales?: unknown }} */
  const fields = isNone ? nothing : tensor;
  const { data, dims } = fields;
  if (data === undefined) {
    const hint = Array.isArray(tensor) ? '; tensor() makes one of it' : '';
    throw new TypeError(
      `${name} must be a tensor { data, dims }, found ${describe(tensor)}${hint}`,
    );
  }
  const array = typedArrayName(data);
  if (array === undefined || !arrays.includes(array)) {
    const accepted = `${arrays.slice(0, -1).join(', ')} or ${arrays.at(-1)}`;
    throw new TypeError(`${name}.data must be a ${accepted}, found ${describe(data)}`);
  }
  const numbers = /** @type {NumberArray} */ (data);
  const type = readType(name, fields, array);
  const sizes = readDims(name, dims);
  // Lists all properties, so that none is inherited.
  if (type !== 'int8') return { name, data: numbers, type, dims: sizes, scales: undefined };
  const scales = readScales(name, fields, sizes);
  return { name, data: plainArray(numbers), type, dims: sizes, scales };
}

const masks = ['Uint8Array', 'BigInt64Array', 'BigUint64Array', 'Float32Array'];

/**
 * A mask; int64, which tokenizers return, is converted to bytes.
 *
 * @param {unknown} value
 * @returns {TensorInput}
 */
export function readMask(value, name = 'mask') {
  const mask = readTensor(name, value, masks);
  if (!mask.type.startsWith('Big')) return mask;
  typedArrayLength(`${name}.data`, mask.data);
  return {
    ...mask,
    data: Uint8Array.from(plainArray(mask.data), (bit) => (bit ? 1 : 0)),
    type: masks[0],
  };
}

/** A reader for readOptions(). */
export const tensor = (/** @type {unknown} */ value, /** @type {string} */ name) =>
  readTensor(name, value);
