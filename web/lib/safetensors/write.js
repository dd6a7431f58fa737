// writeSafetensors(): the bytes of a file, identical to those of the reference writer: tensors by descending element size,
// then by name; the header padded with spaces to a multiple of 8 bytes.
import { describe } from '../arguments/describe.js';
import { readOptions } from '../arguments/options.js';
import { plainArray, typedArrayLength, typedArrayName } from '../arguments/typed_array.js';
import { elementOfType, typeOfArray } from './element_types.js';
import { lengthBytes, maxHeaderBytes } from './header.js';
import { quoted, spell } from './malformed.js';
import { isWellFormed } from './strict_json.js';

export function writeSafetensors(tensors, options) {
  const { metadata = [] } = readOptions('writeSafetensors', options, { metadata: readMetadata });
  const entries = membersOf('tensors', tensors)
    .map(([name, tensor]) => readTensor(name, tensor))
    .sort((a, b) => b.element.rank - a.element.rank || byCodePoint(a.name, b.name));
  const header = padded(new TextEncoder().encode(headerText(entries, metadata)));
  if (header.length > maxHeaderBytes) {
    throw new RangeError(
      `names, dims and metadata make a header of ${header.length} bytes; ` +
        `readers accept ${maxHeaderBytes}`,
    );
  }
  const dataStart = lengthBytes + header.length;
  const total = entries.reduce((sum, { bytes }) => sum + bytes.length, dataStart);
  const file = new Uint8Array(total);
  new DataView(file.buffer).setBigUint64(0, BigInt(header.length), true);
  file.set(header, lengthBytes);
  let at = dataStart;
  for (const { bytes } of entries) {
    file.set(bytes, at);
    at += bytes.length;
  }
  return file;
}

// JSON.stringify for strings only: of objects, it would move names such as '0' to the front and call a toJSON() that a page
// gave to all arrays.
function headerText(entries, metadata) {
  const members = [];
  if (metadata.length > 0) {
    const texts = metadata.map(([name, text]) => `${JSON.stringify(name)}:${JSON.stringify(text)}`);
    members.push(`"__metadata__":{${texts.join(',')}}`);
  }
  let begin = 0;
  for (const { name, element, dims, bytes } of entries) {
    const end = begin + bytes.length;
    members.push(
      `${JSON.stringify(name)}:{"dtype":"${element.dtype}","shape":[${dims.join(',')}],` +
        `"data_offsets":[${begin},${end}]}`,
    );
    begin = end;
  }
  return `{${members.join(',')}}`;
}

function padded(text) {
  const result = new Uint8Array(Math.ceil(text.length / 8) * 8).fill(' '.charCodeAt(0));
  result.set(text);
  return result;
}

// Compares by code points, as UTF-8 bytes do. JavaScript's < compares UTF-16 units.
function byCodePoint(a, b) {
  for (let i = 0; ; ++i) {
    const [left = -1, right = -1] = [a.codePointAt(i), b.codePointAt(i)];
    if (left !== right || left < 0) return left - right;
  }
}

// ---- reading arguments --------------------------------------------------------------------------

function membersOf(what, value) {
  const kind = Object.prototype.toString.call(value);
  if (kind === '[object Map]') return Array.from(Map.prototype.entries.call(value));
  const isPlain = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isPlain || typedArrayName(value) !== undefined) {
    throw new TypeError(`${what} must be an object or a Map, found ${describe(value)}`);
  }
  return Object.entries(value);
}

function readName(what, name) {
  if (typeof name !== 'string') {
    throw new TypeError(`a name in ${what} must be a string, found ${describe(name)}`);
  }
  if (!isWellFormed(name)) {
    throw new RangeError(`the name ${quoted(name)} in ${what} has a lone surrogate`);
  }
}

function readMetadata(value) {
  const members = membersOf('metadata', value);
  for (const [name, text] of members) {
    readName('metadata', name);
    if (typeof text !== 'string') {
      throw new TypeError(`metadata ${quoted(name)} must be a string, found ${describe(text)}`);
    }
    if (!isWellFormed(text)) {
      throw new RangeError(`metadata ${quoted(name)} has a lone surrogate`);
    }
  }
  return members.sort(([a], [b]) => byCodePoint(a, b));
}

function readTensor(name, tensor) {
  readName('tensors', name);
  const which = `tensor ${quoted(name)}`;
  if (name === '__metadata__') {
    throw new RangeError("the tensor name '__metadata__' is reserved by the format");
  }
  if (typeof tensor !== 'object' || tensor === null || typedArrayName(tensor) !== undefined) {
    throw new TypeError(`${which} must be { data, dims, type? }, found ${describe(tensor)}`);
  }
  const { data, dims, type } = tensor;
  const scales = Object.hasOwn(tensor, 'scales') ? tensor.scales : null;
  if (scales !== undefined && scales !== null) {
    throw new TypeError(
      `${which} has scales, for which the format has no field: write them as tensor ${quoted(`${name}.scales`)}`,
    );
  }
  const array = typedArrayName(data);
  if (array === undefined) {
    throw new TypeError(`the data of ${which} must be a typed array, found ${describe(data)}`);
  }
  const element = readType(which, type ?? typeOfArray.get(array), array);
  const length = typedArrayLength(`the data of ${which}`, data);
  const sizes = readDims(which, dims);
  checkLength(which, sizes, length, element);
  const { buffer, byteOffset, byteLength } = plainArray(data);
  return { name, element, dims: sizes, bytes: new Uint8Array(buffer, byteOffset, byteLength) };
}

function readType(which, type, array) {
  const element = elementOfType.get(type);
  if (!element) {
    const known = [...elementOfType.keys()].join(', ');
    const Problem = typeof type === 'string' ? RangeError : TypeError;
    throw new Problem(`the type of ${which} must be one of ${known}; found ${describe(type)}`);
  }
  if (array !== element.List.name && typeOfArray.get(array) !== type) {
    throw new TypeError(
      `the data of ${which} of type '${type}' must be a ${element.List.name}, found ${array}`,
    );
  }
  return element;
}

function readDims(which, dims) {
  if (!Array.isArray(dims)) {
    throw new TypeError(`the dims of ${which} must be an array, found ${describe(dims)}`);
  }
  return Array.from(dims, (dim, axis) => {
    if (Number.isSafeInteger(dim) && dim >= 0) return dim;
    const Problem = typeof dim === 'number' ? RangeError : TypeError;
    throw new Problem(`dims[${axis}] of ${which} must be a whole number, found ${describe(dim)}`);
  });
}

function checkLength(which, dims, length, { bits, type, List }) {
  // In order, as readers multiply: an overflow before a dim of 0 is refused too.
  const elements = dims.reduce((product, dim) => {
    if (product * dim <= Number.MAX_SAFE_INTEGER) return product * dim;
    throw new RangeError(`the dims ${spell(dims)} of ${which} have more than 2^53 elements`);
  }, 1);
  const expected = (elements * bits) / (8 * List.BYTES_PER_ELEMENT);
  if (length === expected) return;
  throw new RangeError(
    `${which} of type '${type}' and dims ${spell(dims)} must have ${expected} numbers in its ` +
      `data, found ${length}`,
  );
}
