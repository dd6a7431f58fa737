// parseSafetensors(): the tensors of a file in memory, as views of its bytes.
import { describe } from '../arguments/describe.js';
import { lengthBytes, readHeader, readHeaderLength } from './header.js';
import { tensorOfBytes } from './tensor_of_bytes.js';

export function parseSafetensors(bytes) {
  const file = bytesOf(bytes);
  const dataStart = lengthBytes + readHeaderLength(file, file.length);
  // slice() copies: TextDecoder does not accept shared memory, which another thread may also change.
  const { metadata, tensors } = readHeader(file.slice(lengthBytes, dataStart), file.length);
  const data = file.subarray(dataStart);
  const read = (entry) => tensorOfBytes(entry, data.subarray(entry.begin, entry.end));
  return { tensors: new Map(tensors.map((entry) => [entry.name, read(entry)])), metadata };
}

function bytesOf(bytes) {
  const kind = Object.prototype.toString.call(bytes);
  const isBuffer = kind === '[object ArrayBuffer]' || kind === '[object SharedArrayBuffer]';
  if (!isBuffer && !ArrayBuffer.isView(bytes)) {
    throw new TypeError(
      'bytes must be an ArrayBuffer or a view of one (a Blob, File or FileHandle goes to ' +
        `openSafetensors()), found ${describe(bytes)}`,
    );
  }
  try {
    return isBuffer
      ? new Uint8Array(bytes)
      : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  } catch {
    throw new TypeError('bytes belong to an ArrayBuffer that was detached');
  }
}
