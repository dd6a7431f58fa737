// The elements of tensors in a file: the dtype of the header, the type of a tensor in JavaScript,
// the bits of one element, and its typed array. Types without a typed array in JavaScript are the bytes of the file;
// complex numbers are pairs (re, im).

/**
 * @typedef {typeof Uint8Array | typeof Int8Array | typeof Uint16Array | typeof Int16Array | typeof Uint32Array
 *   | typeof Int32Array | typeof Float32Array | typeof Float64Array | typeof BigInt64Array | typeof BigUint64Array} ElementArray
 */

// In the order of the format, by size. Files contain tensors in the reverse order, so that each begins at a multiple of
// its element size.
/** @type {[dtype: string, type: string, bits: number, List: ElementArray][]} */
const table = [
  ['BOOL', 'bool', 8, Uint8Array],
  ['F4', 'float4', 4, Uint8Array],
  ['F6_E2M3', 'float6_e2m3', 6, Uint8Array],
  ['F6_E3M2', 'float6_e3m2', 6, Uint8Array],
  ['U8', 'uint8', 8, Uint8Array],
  ['I8', 'int8', 8, Int8Array],
  ['F8_E5M2', 'float8_e5m2', 8, Uint8Array],
  ['F8_E4M3', 'float8_e4m3', 8, Uint8Array],
  ['F8_E8M0', 'float8_e8m0', 8, Uint8Array],
  ['F8_E4M3FNUZ', 'float8_e4m3fnuz', 8, Uint8Array],
  ['F8_E5M2FNUZ', 'float8_e5m2fnuz', 8, Uint8Array],
  ['I16', 'int16', 16, Int16Array],
  ['U16', 'uint16', 16, Uint16Array],
  ['F16', 'float16', 16, Uint16Array],
  ['BF16', 'bfloat16', 16, Uint16Array],
  ['I32', 'int32', 32, Int32Array],
  ['U32', 'uint32', 32, Uint32Array],
  ['F32', 'float32', 32, Float32Array],
  ['C64', 'complex64', 64, Float32Array],
  ['F64', 'float64', 64, Float64Array],
  ['I64', 'int64', 64, BigInt64Array],
  ['U64', 'uint64', 64, BigUint64Array],
];

const elements = table.map(([dtype, type, bits, List], rank) => ({
  dtype,
  type,
  bits,
  List,
  rank,
}));
/** @type {(key: 'dtype' | 'type') => Map<string, typeof elements[number]>} */
const index = (key) => new Map(elements.map((element) => [element[key], element]));

export const elementOfDtype = index('dtype');
export const elementOfType = index('type');

/** The default type of a tensor, by its typed array. */
export const typeOfArray = new Map([
  ['Uint8Array', 'uint8'],
  ['Uint8ClampedArray', 'uint8'],
  ['Int8Array', 'int8'],
  ['Int16Array', 'int16'],
  ['Uint16Array', 'uint16'],
  ['Float16Array', 'float16'],
  ['Int32Array', 'int32'],
  ['Uint32Array', 'uint32'],
  ['Float32Array', 'float32'],
  ['Float64Array', 'float64'],
  ['BigInt64Array', 'int64'],
  ['BigUint64Array', 'uint64'],
]);
