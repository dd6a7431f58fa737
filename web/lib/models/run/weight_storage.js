// Converts tensors of a file to the storage of a layer: takes a slice of a fused tensor, transposes in × out to out × in,
// and converts the numbers to the storage type: 'as stored', 'float32', or 'int8' with a scale per row.
import { sizeOf } from '../../arguments/dims.js';
import { toFloat32 as floatsOf } from '../../safetensors/to_float32.js';

/** Float32 numbers of any type; int8 is multiplied by the scale of its row. */
export function toFloat32(tensor) {
  const { data, type, scales } = tensor;
  if (type !== 'int8') return floatsOf(tensor);
  const width = data.length / scales.length;
  return Float32Array.from(data, (number, i) => number * scales[Math.floor(i / width)]);
}

/** The transpose of column slice `index` of `of` equal ones, in square blocks that fit into the cache. */
function transposeColumns(data, [rows, columns], { index, of } = { index: 0, of: 1 }) {
  const side = 32;
  const count = columns / of;
  const first = index * count;
  const result = new data.constructor(rows * count);
  for (let top = 0; top < rows; top += side) {
    for (let left = 0; left < count; left += side) {
      for (let row = top; row < Math.min(top + side, rows); row++) {
        for (let column = left; column < Math.min(left + side, count); column++) {
          result[column * rows + row] = data[row * columns + first + column];
        }
      }
    }
  }
  return result;
}

/** Units `index` to index + units of the `of` equal ones in each group of rows. */
function sliceRows(data, { index, of, units = 1, groups = 1 }) {
  const unit = data.length / (groups * of);
  const size = units * unit;
  if (groups === 1) return data.subarray(index * unit, index * unit + size);
  const result = new data.constructor(groups * size);
  for (let group = 0; group < groups; group++) {
    const begin = (group * of + index) * unit;
    result.set(data.subarray(begin, begin + size), group * size);
  }
  return result;
}

/** Column slice `index` of `of` equal ones. */
function sliceColumns(data, [rows, columns], { index, of }) {
  const count = columns / of;
  const result = new data.constructor(rows * count);
  for (let row = 0; row < rows; row++) {
    const begin = row * columns + index * count;
    result.set(data.subarray(begin, begin + count), row * count);
  }
  return result;
}

/**
 * The data of a planned tensor, sliced. A matrix stored in × out stays so unless `transposes`: int8 needs out × in, with a
 * scale per output.
 */
export function extractTensor(tensor, { shape, dims, inByOut, slice }, transposes) {
  // Rows of an in × out matrix are inputs, but a layer needs int8 scales per output: convert to float32 first.
  const isDequantized = inByOut && tensor.type === 'int8';
  const { data, type, scales } = isDequantized ? asFloats(tensor) : tensor;
  if (!inByOut) {
    const of = (numbers) => (slice ? sliceRows(numbers, slice) : numbers);
    return { data: of(data), dims: shape, type, ...(scales && { scales: of(scales) }) };
  }
  if (transposes) return { data: transposeColumns(data, dims, slice), dims: shape, type };
  return { data: slice ? sliceColumns(data, dims, slice) : data, dims: [...shape].reverse(), type };
}

// Numbers per call: its arguments and results fit into the block that the heap retains.
const numbersPerCall = 25000;

/**
 * Quantizes float32 rows to int8 in the module: scale = max |x| / 127, number = x · (127 / max |x|) rounded, ties to even.
 * A row with NaN or infinity has numbers of 0. api: of loadAttention() or createModelApi().
 */
export function quantizeRows(api, { data, dims }) {
  const { heap } = api[Symbol.for('attention-wasm')];
  const rows = dims[0];
  const width = data.length / rows;
  const rowsPerCall = Math.max(1, Math.floor(numbersPerCall / width));
  const numbers = new Int8Array(data.length);
  const scales = new Float32Array(rows);
  for (let row = 0; row < rows; row += rowsPerCall) {
    const count = Math.min(rowsPerCall, rows - row);
    const begin = row * width;
    const x = { data: data.subarray(begin, begin + count * width), dims: [count, width] };
    const result = heap.call('quantizeRows', { x });
    numbers.set(new Int8Array(result.numbers.data.buffer, 0, count * width), begin);
    scales.set(result.scales.data, row);
  }
  return { data: numbers, dims, type: 'int8', scales };
}

const asFloats = (tensor) => ({ data: toFloat32(tensor), dims: tensor.dims, type: 'float32' });

/** Converts a matrix to the storage type; vectors are always float32. api: see quantizeRows() */
export function toStorage(api, tensor, storage) {
  const { dims, type } = tensor;
  const isStored = storage === 'as stored' || storage === type;
  if (dims.length === 2 && isStored && type !== 'float64') return tensor;
  const floats = asFloats(tensor);
  return dims.length === 2 && storage === 'int8' ? quantizeRows(api, floats) : floats;
}

/** The storage type for a type of the file. */
export const storageType = (type, storage, inByOut = false) => {
  if (storage !== 'as stored') return storage;
  return type === 'float64' || (inByOut && type === 'int8') ? 'float32' : type;
};

const bytesPerNumber = (type) => (type === 'int8' ? 1 : type === 'float32' ? 4 : 2);

/** Bytes of a planned tensor in storage. */
export function storageBytes({ dims, shape = dims, type, inByOut }, storage) {
  const count = sizeOf(shape);
  if (shape.length !== 2) return 4 * count;
  const kind = storageType(type, storage, inByOut);
  return count * bytesPerNumber(kind) + (kind === 'int8' ? 4 * shape[0] : 0);
}
