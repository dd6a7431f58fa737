// Reads the test vectors (tests/vectors/README.md) from their JSON and bytes. Independent of
// Node.js and of browsers.
import { similarityFunctions } from './similarity_functions.js';

const TYPES = { uint8: Uint8Array, float32: Float32Array, float64: Float64Array };

/**
 * The cases of the file. Tensors become { dims, data } with memory of their own, a named similarity function
 * the function; `weights` and `construct` are there in cases of layers only.
 */
export function readVectors(json, bytes) {
  if (json.format !== 'attention-vectors' || json.version !== 2) {
    throw new Error(`not attention-vectors 2 but ${json.format} ${json.version}`);
  }
  if (bytes.byteLength !== json.bytes) {
    throw new Error(`${json.buffer} has ${bytes.byteLength} bytes, not ${json.bytes}`);
  }
  const read = ({ type, dims, offset }) => {
    const Type = TYPES[type];
    const start = bytes.byteOffset + offset;
    const end = start + dims.reduce((a, b) => a * b, 1) * Type.BYTES_PER_ELEMENT;
    return { dims, data: new Type(bytes.buffer.slice(start, end)) };
  };
  const readAll = (tensors) =>
    tensors &&
    Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [name, read(tensor)]));
  return json.cases.map(({ inputs, weights, expected, options, ...rest }) => ({
    ...rest,
    inputs: readAll(inputs),
    weights: readAll(weights),
    options: readOptions(options),
    expected: readAll(expected),
  }));
}

function readOptions({ similarityFunction, ...options }) {
  if (!similarityFunction) return options;
  const similarity = similarityFunctions[similarityFunction];
  if (!similarity) throw new Error(`no similarity function ${similarityFunction}`);
  return { similarity, ...options };
}
