// Reads test vectors (tests/fixtures/README.md) from their JSON and their bytes, wherever those came
// from: nothing here belongs to Node or to a browser.

const TYPES = { uint8: Uint8Array, float32: Float32Array, float64: Float64Array };

/**
 * The cases of a vector file. Tensors become { dims, data } with memory of their own, the mask joins
 * the options, and expected tensors are float64.
 */
export function readVectors(json, bytes) {
  if (json.format !== 'attention-vectors' || json.version !== 1) {
    throw new Error(`not attention-vectors 1 but ${json.format} ${json.version}`);
  }
  if (bytes.byteLength !== json.bytes) {
    throw new Error(`${json.buffer} has ${bytes.byteLength} bytes, not ${json.bytes}`);
  }
  const read = ({ type, dims, offset }) => {
    const Type = TYPES[type];
    const length = dims.reduce((a, b) => a * b, 1);
    const start = bytes.byteOffset + offset;
    const end = start + length * Type.BYTES_PER_ELEMENT;
    return { dims, data: new Type(bytes.buffer.slice(start, end)) };
  };
  const readAll = (tensors) =>
    Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [name, read(tensor)]));
  return json.cases.map(({ query, key, value, mask, options, expected, ...rest }) => ({
    ...rest,
    ...readAll({ query, key, value }),
    options: mask ? { ...options, mask: read(mask) } : options,
    expected: readAll(expected),
  }));
}
