// Bytes of .npy files as NumPy writes them: the magic, a version, the header as a Python dict, filled up with spaces
// to a multiple of 64 and ended by a newline, and the numbers.

const writers = {
  f2: [2, (view, at, value) => view.setUint16(at, halfBits(value), true)],
  f4: [4, (view, at, value) => view.setFloat32(at, value, true)],
  f8: [8, (view, at, value) => view.setFloat64(at, value, true)],
  i1: [1, (view, at, value) => view.setInt8(at, value)],
  i2: [2, (view, at, value) => view.setInt16(at, value, true)],
  i4: [4, (view, at, value) => view.setInt32(at, value, true)],
  i8: [8, (view, at, value) => view.setBigInt64(at, BigInt(value), true)],
};

/** `data` is in C order; `fortran` writes it in the other. `descr` may be one that cannot be written: then as f4. */
export function npy({ data, dims }, { descr = '<f4', fortran = false, version = 1 } = {}) {
  const [size, write] = writers[descr.slice(1)] ?? writers.f4;
  const shape = dims.length === 1 ? `(${dims[0]},)` : `(${dims.join(', ')})`;
  const order = fortran ? 'True' : 'False';
  const dict = `{'descr': '${descr}', 'fortran_order': ${order}, 'shape': ${shape}, }`;
  const start = version === 1 ? 10 : 12;
  const length = Math.ceil((start + dict.length + 1) / 64) * 64 - start;
  const bytes = new Uint8Array(start + length + data.length * size);
  const view = new DataView(bytes.buffer);
  bytes.set([0x93, ...Buffer.from('NUMPY'), version, 0]);
  if (version === 1) view.setUint16(8, length, true);
  else view.setUint32(8, length, true);
  bytes.set(Buffer.from(`${dict.padEnd(length - 1)}\n`), start);
  data.forEach((value, index) => {
    const place = fortran ? fortranPlace(index, dims) : index;
    write(view, start + length + place * size, value);
  });
  return bytes;
}

function fortranPlace(index, dims) {
  const places = [];
  let rest = index;
  for (const dim of [...dims].reverse()) {
    places.unshift(rest % dim);
    rest = Math.floor(rest / dim);
  }
  let [place, step] = [0, 1];
  dims.forEach((dim, axis) => {
    place += places[axis] * step;
    step *= dim;
  });
  return place;
}

/** binary16 of a number that it has exactly. */
function halfBits(value) {
  if (value === 0) return 0;
  const exponent = Math.floor(Math.log2(Math.abs(value)));
  const sign = value < 0 ? 0x8000 : 0;
  if (exponent < -14) return sign | Math.round(Math.abs(value) * 2 ** 24);
  return sign | ((exponent + 15) << 10) | Math.round((Math.abs(value) / 2 ** exponent - 1) * 1024);
}
