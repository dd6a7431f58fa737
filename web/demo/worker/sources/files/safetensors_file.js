// Safetensors file with queries, keys and values, or weights, under the names in array_names.js; `rows`, `columns` or
// `tokens` in its metadata are the words, with spaces between.

import { openSafetensors, toFloat32 } from 'attention-wasm/safetensors';
import { sizeOf } from '../../../tensors.js';
import { findArrays, findLabels } from './array_names.js';

/**
 * Reads the arrays only, however large the file.
 * @param {number} maxNumbers max numbers of an array
 * @returns {Promise<{ arrays: Record<string, { data, dims }>, labels }>} `arrays` by role; `labels`: result of findLabels()
 */
export async function readSafetensorsArrays(file, maxNumbers) {
  const { names, metadata, describe, read } = await openSafetensors(file);
  const found = findArrays(
    (name) => names.includes(name),
    () => names,
  );
  const arrays = {};
  for (const [role, name] of Object.entries(found)) {
    const { dims } = describe(name);
    if (sizeOf(dims) > maxNumbers) {
      throw new Error(`${name} has dims ${dims.join(' × ')}: more numbers than a picture needs`);
    }
    arrays[role] = { data: numbersOf(name, await read(name)), dims };
  }
  return { arrays, labels: findLabels((name) => metadata.get(name)) };
}

function numbersOf(name, tensor) {
  try {
    return toFloat32(tensor);
  } catch (error) {
    throw new Error(`${name} is of ${tensor.type}, and should be of real numbers`, {
      cause: error,
    });
  }
}
