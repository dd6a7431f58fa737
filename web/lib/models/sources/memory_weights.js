// Tensors in memory: a Map, an object, or a function from names to tensors. Same interface as openWeights().
import { describe } from '../../arguments/describe.js';
import { sizeOf } from '../../arguments/dims.js';
import { halfBits, typedArrayName } from '../../arguments/typed_array.js';
import { quoted } from '../../safetensors/malformed.js';

function lookUp(source) {
  if (typeof source === 'function') return source;
  const isMap = Object.prototype.toString.call(source) === '[object Map]';
  if (isMap) return (name) => source.get(name);
  return (name) => (Object.hasOwn(source, name) ? source[name] : undefined);
}

function namesOf(source) {
  if (typeof source === 'function') return [];
  return typeof source.keys === 'function' ? [...source.keys()] : Object.keys(source);
}

function readTensor(name, tensor) {
  const { data, dims } = tensor;
  const array = typedArrayName(data);
  const { type = array?.replace('Array', '').toLowerCase() } = tensor;
  const isWhole = (dim) => Number.isInteger(dim) && dim >= 0;
  if (array === undefined || !Array.isArray(dims) || !dims.every(isWhole)) {
    throw new TypeError(`tensor ${quoted(name)} must be { data, dims }, found ${describe(tensor)}`);
  }
  const count = sizeOf(dims);
  if (count !== data.length) {
    throw new RangeError(
      `tensor ${quoted(name)} has dims ${dims.join('×')} = ${count} numbers but its data holds ${data.length}`,
    );
  }
  const { scales } = tensor; // of int8
  return {
    ...{ data: array === 'Float16Array' ? halfBits(data) : data, dims: [...dims], type },
    ...(scales && { scales, scaleCount: scales.length }),
  };
}

export function memoryWeights(source) {
  const get = lookUp(source);
  const find = (name) => {
    const tensor = get(name);
    return tensor === undefined || tensor === null ? undefined : readTensor(name, tensor);
  };
  return {
    names: namesOf(source),
    has: (name) => find(name) !== undefined,
    describe: find,
    read: async (names) => new Map(Array.from(names, (name) => [name, find(name)])),
    async *rows(name) {
      const { dims, ...tensor } = find(name);
      yield { first: 0, tensor: { ...tensor, dims: dims.slice(-2) } };
    },
  };
}
