// Safetensors file with queries, keys and values, or weights, under the names in array_names.js; `rows`, `columns` or
// `tokens` in its metadata are the words, with spaces between.

import { openSafetensors, toFloat32 } from 'attention-wasm/safetensors';
import { sizeOf } from '../../../tensors.js';
import { findArrays, findLabels } from './array_names.js';

/** @import { StoredTensor } from 'attention-wasm/safetensors' */
/** @import { FoundLabels } from './array_names.js' */
/** @import { FileArray, Role } from './own_arrays.js' */

/**
 * Reads the arrays only, however large the file.
 * @param {File} file
 * @param {number} maxNumbers max numbers of an array
 * @returns {Promise<{ arrays: { [role in Role]?: FileArray }, labels: FoundLabels }>}
 */
export async function readSafetensorsArrays(file, maxNumbers) {
  const { names, metadata, describe, read } = await openSafetensors(file);
  const found = findArrays(
    (name) => names.includes(name),
    () => names,
  );
  /** @type {{ [role in Role]?: FileArray }} */
  const arrays = {};
  for (const [role, name] of /** @type {[Role, string][]} */ (Object.entries(found))) {
    const { dims } = describe(name);
    if (sizeOf(dims) > maxNumbers) {
      throw new Error(`${name} has dims ${dims.join(' × ')}: more numbers than a picture needs`);
    }
    arrays[role] = { data: numbersOf(name, await read(name)), dims };
  }
  return { arrays, labels: findLabels((name) => metadata.get(name)) };
}

/** @type {(name: string, tensor: StoredTensor) => Float32Array} */
function numbersOf(name, tensor) {
  try {
    return toFloat32(tensor);
  } catch (error) {
    throw new Error(`${name} is of ${tensor.type}, and should be of real numbers`, {
      cause: error,
    });
  }
}
