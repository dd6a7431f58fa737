// Float32 tensors in narrower types: the nearest below of bfloat16 and float16, and int8 with a scale for each row.
// How well they are rounded does not matter here, only that it is always the same.
import { sizeOf } from './random_tensors.js';

/** The upper halves of the numbers. */
export function asBfloat16({ dims, data }) {
  return { dims, data: Uint16Array.from(bitsOf(data), (bits) => bits >>> 16), type: 'bfloat16' };
}

/** Cut to 11 bits; what is too small becomes 0, what is too large the largest number. */
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

/** The largest finite number of each row becomes 127; what is not finite becomes 0. */
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

const finite = (x) => (Number.isFinite(x) ? x : 0);

const bitsOf = (data) => new Uint32Array(data.buffer, data.byteOffset, data.length);
