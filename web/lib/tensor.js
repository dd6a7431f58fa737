// Reading a tensor argument, { data, dims }: the kinds of things it is made of. Whether the numbers
// fit together is for the module to say.
import { describe } from './describe.js';
import { typedArrayName } from './typed_array.js';

const floats = ['Float32Array', 'Float64Array', 'Float16Array'];

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

export function readTensor(name, tensor, types = floats) {
  if (typeof tensor !== 'object' || tensor === null || typedArrayName(tensor) !== undefined) {
    throw new TypeError(`${name} must be a tensor { data, dims }, found ${describe(tensor)}`);
  }
  const { data, dims } = tensor;
  const type = typedArrayName(data);
  if (!types.includes(type)) {
    const accepted = `${types.slice(0, -1).join(', ')} or ${types.at(-1)}`;
    throw new TypeError(`${name}.data must be a ${accepted}, found ${describe(data)}`);
  }
  return { name, data, type, dims: readDims(name, dims) };
}

export const readMask = (mask) => readTensor('mask', mask, ['Uint8Array', 'Float32Array']);
