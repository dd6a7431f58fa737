// Conversion of float32 tensors to low-precision types and back: bfloat16 and float16 by truncation, int8 with a scale per row.
// The rounding is arbitrary but fixed.
import { sizeOf } from './random_tensors.js';

/** The upper 16 bits of each number. */
export function asBfloat16({ dims, data }) {
  return { dims, data: Uint16Array.from(bitsOf(data), (bits) => bits >>> 16), type: 'bfloat16' };
}

/** Truncated to 11 significant bits; underflow gives 0, overflow the largest finite number. */
export function asFloat16({ dims, data }) {
  return { dims, data: Uint16Array.from(bitsOf(data), halfOf), type: 'float16' };
}

function halfOf(bits) {
  const sign = (bits >>> 16) & 0x8000;
  const exponent = ((bits >>> 23) & 0xff) - 127 + 15;
  if (exponent === 0xff - 127 + 15) return sign | (bits & 0x7fffff ? 0x7e00 : 0x7c00);
  if (exponent < 1) return sign;
  if (exponent > 30) return sign | 0x7bff;
  return sign | (exponent << 10) | ((bits >>> 13) & 0x3ff);
}

/** The largest finite magnitude of each row becomes 127; non-finite numbers become 0. */
export function asInt8({ dims, data }) {
  const rows = sizeOf(dims.slice(0, -1));
  const width = dims.at(-1);
  const narrow = new Int8Array(data.length);
  const scales = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    const numbers = data.subarray(row * width, (row + 1) * width).map(finite);
    const largest = numbers.reduce((max, x) => Math.max(max, Math.abs(x)), 0);
    scales[row] = largest / 127;
    if (largest > 0)
      narrow.set(
        numbers.map((x) => Math.trunc((x / largest) * 127)),
        row * width,
      );
  }
  return { dims, data: narrow, scales };
}

/** Decodes 16 bits by sign, exponent and fraction (IEEE 754), in float64. */
export function decoded(bits, type) {
  const exponentBits = type === 'float16' ? 5 : 8;
  const fractionBits = 15 - exponentBits;
  const sign = bits >> 15 ? -1 : 1;
  const exponent = (bits >> fractionBits) & (2 ** exponentBits - 1);
  const fraction = (bits & (2 ** fractionBits - 1)) / 2 ** fractionBits;
  const bias = 2 ** (exponentBits - 1) - 1;
  if (exponent === 2 ** exponentBits - 1) return fraction === 0 ? sign * Infinity : NaN;
  if (exponent === 0) return sign * fraction * 2 ** (1 - bias);
  return sign * (1 + fraction) * 2 ** (exponent - bias);
}

/** The float32 values of a tensor of another type, by the definitions of the formats. */
export function asFloat32({ data, dims, type, scales }) {
  const number = (x, at) => {
    if (scales) return x * scales[Math.floor(at / dims.at(-1))];
    return data instanceof Uint16Array ? decoded(x, type) : x;
  };
  return { data: Float32Array.from(data, number), dims };
}

const finite = (x) => (Number.isFinite(x) ? x : 0);

const bitsOf = (data) => new Uint32Array(data.buffer, data.byteOffset, data.length);
