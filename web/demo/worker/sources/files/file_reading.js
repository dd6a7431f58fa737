// Reads a file by its format: { group, roles, says }, `says` being a description for messages. Parsers are loaded with
// the first file of their format, except the small one for .npy.

import { readNpy } from './npy_file.js';
import { arraysOf } from './roles_of_arrays.js';

/** @import { FileKind } from './file_kind.js' */
/** @import { ReadFile } from './roles_of_arrays.js' */

/** @type {(kind: FileKind, file: File) => Promise<ReadFile>} */
export const readFileAs = (kind, file) => readers[kind](file);

const maxBytes = 1 << 28; // max bytes of a file that is read as a whole

/** @param {File} file */
async function bytesOf(file) {
  if (file.size > maxBytes) {
    throw new Error(`it has ${file.size.toLocaleString('en')} bytes, more than a picture needs`);
  }
  return file.arrayBuffer();
}
/** @param {File} file */
const textOf = async (file) => new TextDecoder().decode(await bytesOf(file));

/** @type {Record<FileKind, (file: File) => Promise<ReadFile>>} */
const readers = {
  async safetensors(file) {
    const { readSafetensorsArrays } = await import('./safetensors_file.js');
    return arraysOf(await readSafetensorsArrays(file, maxBytes / 4), file.name);
  },

  async npy(file) {
    return arraysOf({ unnamed: readNpy(await bytesOf(file)) }, file.name);
  },

  async npz(file) {
    const { readNpz } = await import('./npz_file.js');
    return arraysOf(await readNpz(await bytesOf(file), maxBytes), file.name);
  },

  async json(file) {
    const { readJSON } = await import('./json_file.js');
    return arraysOf(await readJSON(await textOf(file)), file.name);
  },
};
