// NumPy's .npy format (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html): "\x93NUMPY", 2 bytes of
// version, the header's length (2 bytes; 4 from version 2 on), the header as a Python dict of descr, fortran_order and
// shape, and the numbers in C or Fortran order.

const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];

/** descr → bytes per number, and a function that reads one from a DataView. */
const readers = {
  f2: [2, halfAt],
  f4: [4, (view, at) => view.getFloat32(at, true)],
  f8: [8, (view, at) => view.getFloat64(at, true)],
  i1: [1, (view, at) => view.getInt8(at)],
  i2: [2, (view, at) => view.getInt16(at, true)],
  i4: [4, (view, at) => view.getInt32(at, true)],
  i8: [8, (view, at) => Number(view.getBigInt64(at, true))],
};

export const isNpy = (bytes) => magic.every((byte, at) => bytes[at] === byte);

/**
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
  const [size, readAt] = readerOf(descr);
  if (!dims.every(Number.isSafeInteger)) {
    throw new Error(`its header has the shape ${dims.join(' × ')}, which no array has`);
  }
  const count = dims.reduce((product, dim) => product * dim, 1);
  const whole = end + count * size;
  if (whole > view.byteLength) throw new Error(cutOff(whole, view.byteLength));
  if (whole < view.byteLength) {
    throw new Error(
      `its header tells of ${dims.join(' × ')} numbers, ${whole} bytes in all, and it has ${view.byteLength}`,
    );
  }
  const data = Float32Array.from({ length: count }, (_, index) => readAt(view, end + index * size));
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

function readerOf(descr) {
  const [order, type] = [descr[0], descr.slice(1)];
  if (type === 'O') throw new Error('it holds Python objects, which only Python can read');
  const reader = Object.hasOwn(readers, type) ? readers[type] : null;
  if (!reader) {
    const read = Object.keys(readers).join(', ');
    throw new Error(`its numbers are of type ${descr}; ${read} are read: use astype('float32')`);
  }
  if (order === '>' && reader[0] > 1) {
    throw new Error(`its bytes are in the order of ${descr}; use astype('<${type}')`);
  }
  return reader;
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

/** IEEE 754 binary16: sign, 5 bits of exponent, 10 of fraction. */
function halfAt(view, at) {
  const bits = view.getUint16(at, true);
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = (bits & 1023) / 1024;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  if (exponent === 0) return sign * fraction * 2 ** -14;
  return sign * (1 + fraction) * 2 ** (exponent - 15);
}
