// Identity of a model's files: the bytes of its weights, and a short hash of its config, of the headers of its weights, and
// of a few of their numbers, by which checkpoints of one training run differ.

import { writeIdentity } from '../../model_identity.js';

/** @import { FoundFile } from './model_folder.js' */

const sampleBytes = 4096;

/**
 * FNV-1a, 32 bits.
 * @param {number} hash of what comes before
 * @param {Uint8Array} bytes
 */
function hashed(hash, bytes) {
  let next = hash;
  for (const byte of bytes) next = Math.imul(next ^ byte, 0x01000193);
  return next;
}

/**
 * The header of a safetensors file, and numbers from its middle and its end.
 * @param {FoundFile} file
 */
async function samplesOf(file) {
  /** @type {(start: number, end: number) => Promise<Uint8Array<ArrayBuffer>>} */
  const read = async (start, end) => new Uint8Array(await file.slice(start, end).arrayBuffer());
  const length = await read(0, 8);
  const first = 8 + Number(new DataView(length.buffer).getBigUint64(0, true));
  const middle = Math.floor((first + file.size) / 2);
  const last = Math.max(first, file.size - sampleBytes);
  return [
    await read(8, first),
    await read(middle, Math.min(middle + sampleBytes, file.size)),
    await read(last, file.size),
  ];
}

/**
 * The identity as text in the state.
 * @param {{ text(path: string): Promise<string | undefined>, found(): Promise<Map<string, FoundFile>> }} folder
 * @param {{ type: string, name: string }} model
 */
export async function identityOf(folder, { type, name }) {
  const config = (await folder.text('config.json')) ?? '';
  let hash = hashed(0x811c9dc5 | 0, new TextEncoder().encode(config));
  let bytes = 0;
  const files = [...(await folder.found())].filter(([path]) => path.endsWith('.safetensors'));
  for (const [, file] of files.sort(([one], [other]) => (one < other ? -1 : 1))) {
    bytes += file.size;
    for (const sample of await samplesOf(file)) hash = hashed(hash, sample);
  }
  return writeIdentity({ type, bytes, hash: (hash >>> 0).toString(16).padStart(8, '0'), name });
}
