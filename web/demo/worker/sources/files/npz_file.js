// NumPy's .npz format: a zip archive of .npy files, stored (numpy.savez) or deflated (numpy.savez_compressed).

import { unzipSync } from 'fflate';
import { messageOf } from '../../../../lib/arguments/message_of.js';
import { findArrays, findLabels } from './array_names.js';
import { readNpy, readNpyArray } from './npy_file.js';
import { readFound, stackLayers } from './own_arrays.js';

/**
 * Reads the arrays that a picture needs and their names; other arrays may be of any type.
 * @param {ArrayBuffer} buffer
 * @param {number} maxBytes max bytes of all arrays, unpacked
 * @throws an Error with a sentence for the reader
 */
export async function readNpz(buffer, maxBytes) {
  const files = unpack(new Uint8Array(buffer), maxBytes);
  const names = Object.keys(files).map((name) => name.replace(/\.npy$/, ''));
  /**
   * @template T
   * @param {string} name
   * @param {(bytes: ArrayBuffer) => T} read
   */
  const entry = (name, read) => {
    try {
      return read(files[`${name}.npy`].slice().buffer);
    } catch (error) {
      throw new Error(`its array “${name}”: ${messageOf(error)}`, { cause: error });
    }
  };
  const labels = findLabels((name) => (names.includes(name) ? entry(name, namesIn) : undefined));
  const found = findArrays(names);
  const read = await readFound(found, (layers) =>
    stackLayers(
      layers.map((name) => entry(name, readNpy)),
      layers,
    ),
  );
  return { ...read, labels };
}

/**
 * The entries of the archive that are arrays.
 * @param {Uint8Array} bytes
 * @param {number} maxBytes
 */
function unpack(bytes, maxBytes) {
  let size = 0;
  try {
    return unzipSync(bytes, {
      filter({ name, originalSize }) {
        if (!name.endsWith('.npy')) return false;
        size += originalSize;
        if (size > maxBytes) throw new Error(`unpacked it has more than ${maxBytes} bytes`);
        return true;
      },
    });
  } catch (error) {
    throw new Error(`its archive is damaged: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * A text, a list of names or ids, or such a list for each example of a batch.
 * @param {ArrayBuffer} bytes
 */
function namesIn(bytes) {
  const { data, dims } = readNpyArray(bytes);
  const list = [...data];
  if (dims.length === 0) return list[0];
  if (dims.length === 1) return list;
  const [examples, length] = dims;
  return Array.from({ length: examples }, (_, at) => list.slice(at * length, (at + 1) * length));
}
