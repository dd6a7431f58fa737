// Reading a tensor argument, { data, dims }: the kinds of things it is made of. Whether the numbers
// fit together is for the module to say.
import { describe } from './describe.js';
import { typedArrayName } from './typed_array.js';

const floats = ['Float32Array', 'Float64Array', 'Float16Array', 'Uint16Array'];

function readDims(name, dims) {
  if (!Array.isArray(dims)) {
    throw new TypeError(`${name}.dims must be an array of numbers, found ${describe(dims)}`);
  }
  return Array.from(dims, (dim, axis) => {
    if (typeof dim !== 'number') {
      throw new TypeError(`${name}.dims[${axis}] must be a number, found ${describe(dim)}`);
    }
    return dim;
  });
}

/** What the numbers are: an array's name, or 'float16' and 'bfloat16' for 16-bit ones. */
function readType(name, tensor, array) {
  if (array === 'Float16Array') return 'float16';
  if (array !== 'Uint16Array') return array;
  const { type } = tensor;
  if (type === 'float16' || type === 'bfloat16') return type;
  throw new TypeError(
    `${name}.data is a Uint16Array, so ${name}.type must be 'float16' or 'bfloat16', found ${describe(type)}`,
  );
}

export function readTensor(name, tensor, arrays = floats) {
  if (typeof tensor !== 'object' || tensor === null || typedArrayName(tensor) !== undefined) {
    throw new TypeError(`${name} must be a tensor { data, dims }, found ${describe(tensor)}`);
  }
  const { data, dims } = tensor;
  const array = typedArrayName(data);
  if (!arrays.includes(array)) {
    const accepted = `${arrays.slice(0, -1).join(', ')} or ${arrays.at(-1)}`;
    throw new TypeError(`${name}.data must be a ${accepted}, found ${describe(data)}`);
  }
  return { name, data, type: readType(name, tensor, array), dims: readDims(name, dims) };
}

export const readMask = (mask, name = 'mask') =>
  readTensor(name, mask, ['Uint8Array', 'Float32Array']);

/** For the kinds of readOptions(). */
export const tensor = (value, name) => readTensor(name, value);
