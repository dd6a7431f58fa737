// Numbers of a file as a layer is to keep them: the part of a tensor that is wanted, turned to out × in where they are
// stored in × out, and 'as stored', as 'float32', or as 'int8' with a scale for each row.

/** Float32 of any stored type. */
export function floatsOf({ data, type }) {
  if (type === 'float32') return data;
  if (type === 'float64') return Float32Array.from(data);
  const bits = new Uint32Array(data.length);
  if (type === 'bfloat16') {
    for (let i = 0; i < bits.length; i++) bits[i] = data[i] << 16;
    return new Float32Array(bits.buffer);
  }
  const floats = new Float32Array(bits.buffer);
  for (let i = 0; i < bits.length; i++) floats[i] = halfOf(data[i]);
  return floats;
}

function halfOf(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** Columns `index` of `of` of a matrix rows × columns as rows, in squares that stay in the cache. */
function turned(data, [rows, columns], { index, of } = { index: 0, of: 1 }) {
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

/** Rows `index` of `of`: one run of them, or one run of each head. heads: how many. */
function partOf(data, { index, of, ofEachHead }, heads) {
  const runs = ofEachHead ? heads : 1;
  const size = data.length / (runs * of);
  if (runs === 1) return data.subarray(index * size, (index + 1) * size);
  const result = new data.constructor(runs * size);
  for (let run = 0; run < runs; run++) {
    const begin = (run * of + index) * size;
    result.set(data.subarray(begin, begin + size), run * size);
  }
  return result;
}

/** Columns `index` of `of` of a matrix rows × columns. */
function columnsOf(data, [rows, columns], { index, of }) {
  const count = columns / of;
  const result = new data.constructor(rows * count);
  for (let row = 0; row < rows; row++) {
    const begin = row * columns + index * count;
    result.set(data.subarray(begin, begin + count), row * count);
  }
  return result;
}

/**
 * The numbers of a planned tensor in its own shape; what is stored in × out stays so unless it `turns`, for int8 has
 * a scale for each number that comes out.
 */
export function shaped({ data, type }, { shape, dims, inByOut, part }, { heads, turns }) {
  if (!inByOut) return { data: part ? partOf(data, part, heads) : data, dims: shape, type };
  if (turns) return { data: turned(data, dims, part), dims: shape, type };
  return { data: part ? columnsOf(data, dims, part) : data, dims: [...shape].reverse(), type };
}

/** scale of a row = its largest number / 127. */
export function quantised({ data, dims }) {
  const rows = dims[0];
  const width = data.length / rows;
  const numbers = new Int8Array(data.length);
  const scales = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    let largest = 0;
    for (let i = row * width; i < (row + 1) * width; i++) {
      largest = Math.max(largest, Math.abs(data[i]));
    }
    scales[row] = largest / 127;
    const scale = largest > 0 ? 127 / largest : 0;
    for (let i = row * width; i < (row + 1) * width; i++) numbers[i] = Math.round(data[i] * scale);
  }
  return { data: numbers, dims, type: 'int8', scales };
}

/** Of a matrix the numbers as they are to be kept; vectors are few, and always float32. */
export function kept(tensor, how) {
  const { dims, type } = tensor;
  if (dims.length === 2 && how === 'as stored' && type !== 'float64') return tensor;
  const floats = { data: floatsOf(tensor), dims, type: 'float32' };
  return dims.length === 2 && how === 'int8' ? quantised(floats) : floats;
}

/** The type that numbers of a stored type are kept in. */
export const keptType = (type, how) => {
  if (how !== 'as stored') return how;
  return type === 'float64' ? 'float32' : type;
};

const bytesPerNumber = (type) => (type === 'int8' ? 1 : type === 'float32' ? 4 : 2);

/** Bytes of a planned tensor as it is kept. */
export function keptBytes({ dims, shape = dims, type }, how) {
  const count = shape.reduce((size, dim) => size * dim, 1);
  if (shape.length !== 2) return 4 * count;
  const kind = keptType(type, how);
  return count * bytesPerNumber(kind) + (kind === 'int8' ? 4 * shape[0] : 0);
}
