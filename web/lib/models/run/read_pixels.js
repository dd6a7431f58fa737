// Reads an image as channels × height × width from a tensor, a flat array or nested arrays.
import { describe } from '../../arguments/describe.js';
import { sizeOf } from '../../arguments/dims.js';
import { isList } from '../../arguments/options.js';
import { plainArray, typedArrayLength, typedArrayName } from '../../arguments/typed_array.js';

const maxAxes = 4; // a batch of one, channels, height, width
const maxNumbers = 2 ** 30;

/** Dims of nested arrays, from the first element of each level. */
function sizesOf(numbers) {
  const dims = [];
  for (let inner = numbers; Array.isArray(inner); inner = inner[0]) {
    if (dims.length === maxAxes) {
      throw new RangeError(
        `pixels are nested more than ${maxAxes} levels deep, but must be channels × height × width`,
      );
    }
    dims.push(inner.length);
  }
  return dims;
}

/**
 * Copies nested arrays into `data`.
 *
 * @param {unknown} numbers
 * @param {number[]} dims
 * @param {Float32Array} data
 * @param {number} offset
 * @param {string} name of the arrays in error messages
 */
function copyRows(numbers, [length, ...inner], data, offset, name) {
  if (!Array.isArray(numbers) || numbers.length !== length) {
    const found = Array.isArray(numbers) ? `length ${numbers.length}` : describe(numbers);
    throw new RangeError(
      `${name} must be an array of length ${length}, like those before it, found ${found}`,
    );
  }
  const size = sizeOf(inner);
  for (let n = 0; n < length; n++) {
    if (inner.length > 0) copyRows(numbers[n], inner, data, offset + n * size, `${name}[${n}]`);
    else if (typeof numbers[n] === 'number') data[offset + n] = numbers[n];
    else throw new TypeError(`${name}[${n}] must be a number, found ${describe(numbers[n])}`);
  }
}

/** { source: a typed array or nested arrays, dims, length }. */
function sourceOf(pixels) {
  if (Array.isArray(pixels)) {
    const dims = sizesOf(pixels);
    return { source: pixels, dims, length: sizeOf(dims) };
  }
  const isTensor = typeof pixels === 'object' && typedArrayName(pixels?.data) !== undefined;
  const source = isTensor ? pixels.data : pixels;
  const name = typedArrayName(source);
  if (name === undefined || name.startsWith('Big')) {
    throw new TypeError(
      `pixels must be a tensor { data, dims } of channels × height × width numbers, found ${describe(source)}`,
    );
  }
  const length = typedArrayLength('pixels', source);
  if (!isTensor) return { source, dims: [length], length };
  if (isList(pixels.dims)) return { source, dims: Array.from(pixels.dims), length };
  throw new TypeError(`pixels.dims must be an array of integers, found ${describe(pixels.dims)}`);
}

/** { data: Float32Array, dims: [channels, height, width] }; a flat array has the image size of the config. */
export function readPixels(pixels, { channels, image }) {
  const { source, dims: inputDims, length } = sourceOf(pixels);
  const own = inputDims.length === maxAxes && inputDims[0] === 1 ? inputDims.slice(1) : inputDims;
  const dims = own.length === 1 ? [channels, ...image] : own;
  const isImage = dims.length === 3 && dims.every((dim) => Number.isInteger(dim) && dim > 0);
  if (!isImage || dims[0] !== channels || sizeOf(dims) !== length || length > maxNumbers) {
    throw new RangeError(
      `pixels are ${own.slice(0, maxAxes).join('×')} numbers, but must be ${channels} channels × height × width, for instance ${image.join('×')}`,
    );
  }
  if (!Array.isArray(source)) return { data: new Float32Array(plainArray(source)), dims };
  const data = new Float32Array(length);
  copyRows(source, inputDims, data, 0, 'pixels');
  return { data, dims };
}
