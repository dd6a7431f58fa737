// Reads byte ranges of a File, a Blob or a FileHandle of Node.js: { size, read(begin, end, into) }; into: an optional
// buffer, which a FileHandle fills instead of allocating one.
/* global FileReader */
import { describe } from '../arguments/describe.js';

const maxBytesPerRead = 2 ** 30; // Node reads less than 2^31 bytes in one call

export async function byteRanges(source) {
  const isObject = typeof source === 'object' && source !== null;
  if (isObject && typeof source.slice === 'function' && Number.isSafeInteger(source.size)) {
    return { size: source.size, read: (begin, end) => readBlob(source, begin, end) };
  }
  if (isObject && typeof source.read === 'function' && typeof source.stat === 'function') {
    const { size } = await source.stat();
    return { size, read: (begin, end, into) => readHandle(source, begin, end, into) };
  }
  throw new TypeError(
    'source must be a File, a Blob or a FileHandle (bytes in memory go to parseSafetensors()), ' +
      `found ${describe(source)}`,
  );
}

/** The bytes of a Blob, a promise. jsdom has FileReader and no arrayBuffer(). */
function bytesOf(blob) {
  if (typeof blob.arrayBuffer === 'function') return blob.arrayBuffer();
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(reader.error);
    reader.readAsArrayBuffer(blob);
  });
}

async function readBlob(blob, begin, end) {
  const bytes = new Uint8Array(await bytesOf(blob.slice(begin, end)));
  return bytes.length === end - begin ? bytes : cutShort(begin, end, bytes.length);
}

async function readHandle(handle, begin, end, bytes = new Uint8Array(end - begin)) {
  let count = 0;
  while (count < bytes.length) {
    const length = Math.min(bytes.length - count, maxBytesPerRead);
    const { bytesRead } = await handle.read(bytes, count, length, begin + count);
    if (!(bytesRead > 0)) cutShort(begin, end, count);
    count += bytesRead;
  }
  return bytes;
}

/** @returns {never} */
function cutShort(begin, end, count) {
  throw new RangeError(
    `reading bytes ${begin} to ${end} of the file returned ${count} bytes: ` +
      'it has changed since it was opened',
  );
}
