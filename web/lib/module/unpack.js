// Unpacks the module's bytes from the text that the build creates (web/pack.js): base64 of zlib's format, which more
// engines support than raw deflate. Nothing is fetched, so that no Content-Security-Policy has to allow it.
import { unzlibSync } from 'fflate';
import { nodeProcess } from './node_process.js';

function bytesOfBase64(/** @type {string} */ text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

/**
 * The engine's DecompressionStream, which needs a third of the time of fflate; undefined if it is missing (Firefox before
 * 113) or throws (the edge runtime of Next.js).
 */
function decompression() {
  try {
    return new DecompressionStream('deflate');
  } catch {
    return undefined;
  }
}

/**
 * @param {string} text
 * @param {number} length
 * @returns {Promise<Uint8Array<ArrayBuffer>>} `length` bytes
 */
export async function unpack(text, length) {
  // Node.js takes 10 ms to load its streams; zlib needs none.
  const process = nodeProcess();
  if (process) {
    const { Buffer } = process.getBuiltinModule('node:buffer');
    return process.getBuiltinModule('node:zlib').inflateSync(Buffer.from(text, 'base64'));
  }
  const stream = decompression();
  if (!stream) return unzlibSync(bytesOfBase64(text));
  // Without Response and Blob, which Node.js takes 20 ms to load.
  const { readable, writable } = stream;
  const writer = writable.getWriter();
  writer.write(bytesOfBase64(text));
  writer.close();
  const reader = readable.getReader();
  const bytes = new Uint8Array(length);
  for (let count = 0; count < length;) {
    const { value } = await reader.read();
    if (!value) throw new Error(`the text has ${count} bytes, expected ${length}`);
    bytes.set(value, count);
    count += value.length;
  }
  return bytes;
}
