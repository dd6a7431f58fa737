// Safetensors file with queries, keys and values, or weights, under the names in array_names.js; `rows`, `columns` or
// `tokens` in its metadata are the words, with spaces between.

import { openSafetensors, toFloat32 } from 'attention-wasm/safetensors';
import { sizeOf } from '../../../tensors.js';
import { findArrays, findLabels } from './array_names.js';
import { readFound, stackLayers } from './own_arrays.js';

/** @import { StoredTensor } from 'attention-wasm/safetensors' */
/** @import { FileArray } from './own_arrays.js' */

/**
 * Reads the arrays only, however large the file.
 * @param {File} file
 * @param {number} maxNumbers max numbers of an array
 */
export async function readSafetensorsArrays(file, maxNumbers) {
  const { names, metadata, describe, read } = await openSafetensors(file);
  const labels = findLabels((name) => metadata.get(name));
  /** @type {(layers: string[]) => Promise<FileArray>} */
  const arrayOf = async (layers) => {
    let size = 0;
    /** @type {FileArray[]} */
    const arrays = [];
    for (const name of layers) {
      const { dims } = describe(name);
      size += sizeOf(dims);
      if (size > maxNumbers) {
        throw new Error(`${name} has dims ${dims.join(' × ')}: more numbers than a picture needs`);
      }
      arrays.push({ data: numbersOf(name, await read(name)), dims });
    }
    return stackLayers(arrays, layers);
  };
  return { ...(await readFound(findArrays(names), arrayOf)), labels };
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
