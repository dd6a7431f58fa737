// The module's bytes out of the text that the build makes of them (web/pack.js): base64 of zlib's format,
// which engines know longer than bare deflate. No address is fetched, so no policy has to allow one.
import { inflate } from './inflate.js';
import { nodeProcess } from './node_process.js';

function bytesOfBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

/** The engine's own, which is faster than ours; undefined where it is missing, or there and of no use. */
function decompression() {
  try {
    return new DecompressionStream('deflate');
  } catch {
    return undefined;
  }
}

/** @returns {Promise<Uint8Array>} so many bytes */
export async function unpack(text, length) {
  // Node.js takes 10 ms to get its streams ready, and has functions that need none.
  const process = nodeProcess();
  if (process) {
    const { Buffer } = process.getBuiltinModule('node:buffer');
    return process.getBuiltinModule('node:zlib').inflateSync(Buffer.from(text, 'base64'));
  }
  const stream = decompression();
  if (!stream) return inflate(bytesOfBase64(text), length);
  // Without the help of Response and Blob, which take Node.js 20 ms to get ready.
  const { readable, writable } = stream;
  const writer = writable.getWriter();
  writer.write(bytesOfBase64(text));
  writer.close();
  const reader = readable.getReader();
  const bytes = new Uint8Array(length);
  for (let count = 0; count < length;) {
    const { value } = await reader.read();
    bytes.set(value, count);
    count += value.length;
  }
  return bytes;
}
