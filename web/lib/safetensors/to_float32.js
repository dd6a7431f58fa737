// toFloat32(): the numbers of a stored tensor as float32.
import { describe } from '../arguments/describe.js';
import { typedArrayName } from '../arguments/typed_array.js';
import { typeOfArray } from './element_types.js';

/** The number represented by the 16 bits of a float16 (IEEE 754 binary16). */
function floatOfHalf(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

export function toFloat32(tensor) {
  const own = typeOfArray.get(String(typedArrayName(tensor?.data))); // the type of the array's elements
  if (own === undefined) {
    throw new TypeError(`tensor must be { data, type }, found ${describe(tensor)}`);
  }
  const { data, type = own } = tensor;
  if (type === 'float32') return data;
  if (own === 'uint16' && (type === 'float16' || type === 'bfloat16')) {
    const isHalf = type === 'float16';
    const floats = new Float32Array(data.length);
    const bits = new Uint32Array(floats.buffer);
    for (let i = 0; i < data.length; i++) {
      if (isHalf) floats[i] = floatOfHalf(data[i]);
      else bits[i] = data[i] << 16;
    }
    return floats;
  }
  if (type === own || type === 'bool') return Float32Array.from(data, Number);
  throw new RangeError(`tensor has type ${describe(type)}, whose numbers cannot be read`);
}
