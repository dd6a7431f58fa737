// A picture as channels × height × width: of a tensor, of numbers in a row, or of arrays within arrays.
import { describe } from '../arguments/describe.js';
import { isList } from '../arguments/options.js';
import { plainArray, typedArrayLength, typedArrayName } from '../arguments/typed_array.js';

const mostAxes = 4; // a batch of one, channels, height, width
const mostNumbers = 2 ** 30;

const productOf = (dims) => dims.reduce((size, dim) => size * dim, 1);

/** Lengths of arrays within arrays, by the first of each. */
function sizesOf(numbers) {
  const dims = [];
  for (let inner = numbers; Array.isArray(inner); inner = inner[0]) {
    if (dims.length === mostAxes) {
      throw new RangeError(
        `pixels are arrays more than ${mostAxes} deep, but must be channels × height × width`,
      );
    }
    dims.push(inner.length);
  }
  return dims;
}

/** Copies arrays of dims into `data`; place: how the sentence calls them. */
function copyRows(numbers, [length, ...inner], data, at, place) {
  if (!Array.isArray(numbers) || numbers.length !== length) {
    const found = Array.isArray(numbers) ? `one of ${numbers.length}` : describe(numbers);
    throw new RangeError(
      `${place} must be an array of ${length}, as those before it, found ${found}`,
    );
  }
  const size = productOf(inner);
  for (let n = 0; n < length; n++) {
    if (inner.length > 0) copyRows(numbers[n], inner, data, at + n * size, `${place}[${n}]`);
    else if (typeof numbers[n] === 'number') data[at + n] = numbers[n];
    else throw new TypeError(`${place}[${n}] must be a number, found ${describe(numbers[n])}`);
  }
}

/** { source: a typed array or arrays, dims, length } of what was given. */
function sourceOf(pixels) {
  if (Array.isArray(pixels)) {
    const dims = sizesOf(pixels);
    return { source: pixels, dims, length: productOf(dims) };
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
  throw new TypeError(
    `pixels.dims must be an array of whole numbers, found ${describe(pixels.dims)}`,
  );
}

/** { data: Float32Array, dims: [channels, height, width] }; numbers in a row are of the size of the model's pictures. */
export function readPixels(pixels, { channels, image }) {
  const { source, dims: given, length } = sourceOf(pixels);
  const own = given.length === mostAxes && given[0] === 1 ? given.slice(1) : given;
  const dims = own.length === 1 ? [channels, ...image] : own;
  const isPicture = dims.length === 3 && dims.every((dim) => Number.isInteger(dim) && dim > 0);
  if (!isPicture || dims[0] !== channels || productOf(dims) !== length || length > mostNumbers) {
    throw new RangeError(
      `pixels are ${own.slice(0, mostAxes).join('×')} numbers, but must be ${channels} channels × height × width, for instance ${image.join('×')}`,
    );
  }
  if (!Array.isArray(source)) return { data: new Float32Array(plainArray(source)), dims };
  const data = new Float32Array(length);
  copyRows(source, given, data, 0, 'pixels');
  return { data, dims };
}
