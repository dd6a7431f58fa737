// embed(): from numbers of words to their vectors, x_i = E w_i with w_i one-hot. A copy of rows, done
// here: the table is never taken into the module.
import { describe } from './describe.js';
import { readTensor } from './tensor.js';
import { typedArrayName } from './typed_array.js';
import { widened } from './widen.js';

function readIds(ids) {
  const isTensor = typeof ids === 'object' && ids !== null && 'data' in ids;
  const { data, dims } = isTensor ? ids : { data: ids, dims: undefined };
  if (!Array.isArray(data) && typedArrayName(data) === undefined) {
    throw new TypeError(
      `ids must be an array of whole numbers or a tensor { data, dims }, found ${describe(ids)}`,
    );
  }
  const numbers = Array.from(data, (id, at) => {
    if (typeof id !== 'number' && typeof id !== 'bigint') {
      throw new TypeError(`ids[${at}] must be a number, found ${describe(id)}`);
    }
    return Number(id);
  });
  if (!isTensor) return { numbers, dims: [numbers.length] };
  if (!Array.isArray(dims) && typedArrayName(dims) === undefined) {
    throw new TypeError(`ids.dims must be an array of numbers, found ${describe(dims)}`);
  }
  const read = Array.from(dims, Number);
  const count = read.reduce((product, dim) => product * dim, 1);
  if (count !== numbers.length) {
    throw new RangeError(
      `ids has dims ${read.join('×')} = ${count} numbers but its data holds ${numbers.length}`,
    );
  }
  return { numbers, dims: read };
}

function readTable(table) {
  const read = readTensor('table', table);
  const { data, dims } = read;
  if (dims.length !== 2) {
    throw new RangeError(`table has dims ${dims.join('×')} but must have 2: vocabulary × d`);
  }
  if (dims[0] * dims[1] !== data.length) {
    throw new RangeError(
      `table has dims ${dims.join('×')} = ${dims[0] * dims[1]} numbers but its data holds ${data.length}`,
    );
  }
  return read;
}

export function embedding(heap) {
  return {
    embed(ids, table) {
      const { numbers, dims } = readIds(ids);
      const { data, type, dims: tableDims } = readTable(table);
      const [vocabulary, width] = tableDims;
      const rows = new data.constructor(numbers.length * width);
      numbers.forEach((id, at) => {
        if (!(Number.isInteger(id) && id >= 0 && id < vocabulary)) {
          throw new RangeError(
            `ids[${at}] is ${id} but must be a whole number from 0 to ${vocabulary - 1}`,
          );
        }
        rows.set(data.subarray(id * width, (id + 1) * width), at * width);
      });
      const vectors = { name: 'table', data: rows, type, dims: [...dims, width] };
      if (type === 'Float32Array') return { data: rows, dims: vectors.dims };
      return { data: widened(heap, vectors).data, dims: vectors.dims };
    },
  };
}
