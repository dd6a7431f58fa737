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
 * @param {ArrayBuffer} buffer
 * @returns {{ data: Float32Array, dims: number[] }} in C order
 * @throws an Error with a sentence for the reader
 */
export function readNpy(buffer) {
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
  const [type, List] = typeOf(descr);
  if (!dims.every(Number.isSafeInteger)) {
    throw new Error(`its header has the shape ${dims.join(' × ')}, which no array has`);
  }
  const count = sizeOf(dims);
  const whole = end + count * List.BYTES_PER_ELEMENT;
  if (whole > view.byteLength) throw new Error(cutOff(whole, view.byteLength));
  if (whole < view.byteLength) {
    throw new Error(
      `its header tells of ${dims.join(' × ')} numbers, ${whole} bytes in all, and it has ${view.byteLength}`,
    );
  }
  const data = toFloat32({ data: new List(buffer.slice(end)), type });
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

function typeOf(descr) {
  const [order, name] = [descr[0], descr.slice(1)];
  if (name === 'O') throw new Error('it holds Python objects, which only Python can read');
  const known = Object.hasOwn(types, name) ? types[name] : null;
  if (!known) {
    const read = Object.keys(types).join(', ');
    throw new Error(`its numbers are of type ${descr}; ${read} are read: use astype('float32')`);
  }
  if (order === '>' && known[1].BYTES_PER_ELEMENT > 1) {
    throw new Error(`its bytes are in the order of ${descr}; use astype('<${name}')`);
  }
  return known;
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
