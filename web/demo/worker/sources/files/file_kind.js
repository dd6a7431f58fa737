// Format of a file, from its name and first bytes: 'safetensors', 'npy', 'npz', 'json', or null for any other.

import { isNpy } from './npy_file.js';

/** @typedef {'safetensors' | 'npy' | 'npz' | 'json'} FileKind */

/**
 * Names of the formats in messages.
 * @type {Record<FileKind, string>}
 */
export const spokenKind = {
  ...{ safetensors: ' as safetensors', npy: ' as .npy', npz: ' as .npz', json: ' as JSON' },
};

const known = 'JSON (.json), NumPy (.npy, .npz) and safetensors (.safetensors) are read';

/**
 * The format; `problem` is a message if the bytes contradict the name, or the format is not read.
 * @param {File} file
 */
export async function kindOf(file) {
  const bytes = new Uint8Array(await file.slice(0, 512).arrayBuffer());
  const [, ending = ''] = /\.([^.]*)$/.exec(file.name.toLowerCase()) ?? [];
  const isKnown = Object.hasOwn(spokenKind, ending);
  const kind = isKnown ? /** @type {FileKind} */ (ending) : kindOfBytes(bytes);
  return { kind, problem: strangerIn(bytes, ending) ?? (kind ? null : unknown(bytes, ending)) };
}

/** @type {(bytes: Uint8Array) => FileKind | null} */
function kindOfBytes(bytes) {
  if (isNpy(bytes)) return 'npy';
  // Safetensors: 8 bytes of header length, then a JSON header.
  if (bytes.length >= 9 && bytes[8] === 0x7b && bytes[7] === 0 && bytes[6] === 0) {
    return 'safetensors';
  }
  return /^\s*[{[]/.test(new TextDecoder().decode(bytes)) ? 'json' : null;
}

/** @type {(bytes: Uint8Array, ending: string) => string} */
function unknown(bytes, ending) {
  if (bytes.length === 0) return `it is empty; ${known}`;
  return `its format is ${ending ? `.${ending}` : 'unknown'}; ${known}`;
}

/** @type {(bytes: Uint8Array, ending: string) => string | null} */
function strangerIn(bytes, ending) {
  const text = new TextDecoder().decode(bytes);
  if (/^\uFEFF?\s*<(!doctype html|html|head|body)\b/i.test(text)) {
    return 'it is a web page (HTML), as a download gives that needed a login or another address';
  }
  if (text.startsWith('version https://git-lfs')) {
    return 'it is a pointer of Git LFS, not the file itself: fetch it with git lfs pull';
  }
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    return 'it is packed with gzip; unpack it and drop what is inside';
  }
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) {
    if (ending === 'npz') return null;
    if (/^(pt|pth|bin|ckpt)$/.test(ending)) {
      return 'it is a pickle of PyTorch, which can hold programs: save it as safetensors';
    }
    return 'it is a zip archive; unpack it and drop what is inside';
  }
  return null;
}
