// NumPy's .npy format (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html): "\x93NUMPY", 2 bytes of
// version, the header's length (2 bytes; 4 from version 2 on), the header as a Python dict of descr, fortran_order and
// shape, and the numbers in C or Fortran order.

import { toFloat32 } from 'attention-wasm/safetensors';
import { sizeOf } from '../../../tensors.js';

const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];

/** descr → type, and its typed array. */
const types = {
  f2: ['float16', Uint16Array],
  f4: ['float32', Float32Array],
  f8: ['float64', Float64Array],
  i1: ['int8', Int8Array],
  i2: ['int16', Int16Array],
  i4: ['int32', Int32Array],
  i8: ['int64', BigInt64Array],
};

/** @param {Uint8Array} bytes */
export const isNpy = (bytes) => magic.every((byte, at) => bytes[at] === byte);

/**
 * Numbers, in C order.
 * @param {ArrayBuffer} buffer
 * @returns {{ data: Float32Array, dims: number[] }}
 * @throws an Error with a sentence for the reader
 */
export function readNpy(buffer) {
  const { data, dims } = readNpyArray(buffer);
  if (data instanceof Float32Array) return { data, dims };
  throw new Error('it holds names, not numbers: put both into one .npz file');
}

/**
 * Numbers, or names (of type <U or |S), in C order.
 * @param {ArrayBuffer} buffer
 * @returns {{ data: Float32Array | string[], dims: number[] }}
 * @throws an Error with a sentence for the reader
 */
export function readNpyArray(buffer) {
  const view = new DataView(buffer);
  if (!isNpy(new Uint8Array(buffer))) throw new Error('it does not begin as a .npy file does');
  if (view.byteLength < 12) throw new Error(cutOff(12, view.byteLength));
  const version = view.getUint8(6);
  if (version < 1 || version > 3) {
    throw new Error(`its format has version ${version}; versions 1 to 3 are read`);
  }
  const start = version === 1 ? 10 : 12;
  const length = version === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  const end = start + length;
  if (end > view.byteLength) throw new Error(cutOff(end, view.byteLength));
  const header = new TextDecoder('utf-8').decode(new Uint8Array(buffer, start, length));
  const { descr, isFortran, dims } = readHeader(header);
  const { size, numbers } = typeOf(descr);
  if (!dims.every(Number.isSafeInteger)) {
    throw new Error(`its header has the shape ${dims.join(' × ')}, which no array has`);
  }
  const count = sizeOf(dims);
  const whole = end + count * size;
  if (whole > view.byteLength) throw new Error(cutOff(whole, view.byteLength));
  if (whole < view.byteLength) {
    throw new Error(
      `its header tells of ${dims.join(' × ')} entries, ${whole} bytes in all, and it has ${view.byteLength}`,
    );
  }
  const data = numbers(buffer.slice(end), count);
  return { data: isFortran ? fromFortran(data, dims) : data, dims };
}

const cutOff = (expected, found) =>
  `it is cut off: it should have ${expected} bytes and has ${found}`;

// The header is a Python literal with these three keys in any order.
function readHeader(text) {
  const fields = /'fortran_order': *(True|False)/.exec(text);
  const shape = /'shape': *\(([\d, L]*)\)/.exec(text);
  const descr = /'descr': *(?:'([^']*)'|(\[))/.exec(text);
  if (!fields || !shape || !descr) {
    throw new Error(`its header is not one of NumPy’s: ${text.slice(0, 60).trim()}`);
  }
  if (descr[2])
    throw new Error('its numbers have fields (a structured array); plain ones are read');
  const dims = shape[1].split(',').map((dim) => dim.replace('L', '').trim());
  return {
    descr: descr[1],
    isFortran: fields[1] === 'True',
    dims: dims.filter((dim) => dim !== '').map(Number),
  };
}

/**
 * Bytes of an entry, and what reads them.
 * @param {string} descr
 * @returns {{ size: number, numbers: (bytes: ArrayBuffer, count: number) => Float32Array | string[] }}
 */
function typeOf(descr) {
  const [order, name] = [descr[0], descr.slice(1)];
  if (name === 'O') {
    throw new Error('it holds Python objects, which only Python can read: save a plain array');
  }
  const [, letter, length] = /^([US])(\d+)$/.exec(name) ?? [];
  const size = letter === 'U' ? 4 * Number(length) : Number(length);
  if (order === '>' && size !== 1 && name !== 'i1') throw new Error(wrongOrder(descr));
  if (letter) return { size, numbers: (bytes, count) => readNames(bytes, count, size, letter) };
  const known = Object.hasOwn(types, name) ? types[name] : null;
  if (!known) {
    const read = Object.keys(types).join(', ');
    throw new Error(`its numbers are of type ${descr}; ${read} are read: use astype('float32')`);
  }
  const [type, List] = known;
  return {
    size: List.BYTES_PER_ELEMENT,
    numbers: (bytes) => toFloat32({ data: new List(bytes), type }),
  };
}

/** @type {(descr: string) => string} */
const wrongOrder = (descr) =>
  `its bytes are in the order of ${descr}; use astype('<${descr.slice(1)}')`;

/**
 * Names of equal length, filled up with zeros: U of 4 bytes a character, S in UTF-8.
 * @param {ArrayBuffer} bytes
 * @param {number} count
 * @param {number} size bytes of a name
 * @param {string} letter
 */
function readNames(bytes, count, size, letter) {
  const view = new DataView(bytes);
  return Array.from({ length: count }, (_, index) => {
    if (letter === 'S') {
      const name = new Uint8Array(bytes, index * size, size);
      return new TextDecoder().decode(name).replace(/\0+$/, '');
    }
    let name = '';
    for (let at = index * size; at < (index + 1) * size; at += 4) {
      const code = view.getUint32(at, true);
      if (code > 0x10ffff)
        throw new Error(`name ${index + 1} has a character ${code}, which is none`);
      name += String.fromCodePoint(code);
    }
    return name.replace(/\0+$/, '');
  });
}

/** Fortran order to C order. */
function fromFortran(data, dims) {
  const steps = [];
  dims.reduce((step, dim) => {
    steps.push(step);
    return step * dim;
  }, 1);
  return data.map((_, index) => {
    let [rest, from] = [index, 0];
    for (let axis = dims.length - 1; axis >= 0; --axis) {
      from += (rest % dims[axis]) * steps[axis];
      rest = Math.floor(rest / dims[axis]);
    }
    return data[from];
  });
}
