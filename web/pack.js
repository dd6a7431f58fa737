// Bytes as text for a JavaScript string: base64 of what zlib makes of them. Half the text that the bytes
// themselves would take, and gzip makes of it what it makes of them. web/lib/module/unpack.js reads it.

import { deflateSync } from 'node:zlib';

/** @returns {string} for unpack() */
export function pack(bytes) {
  // Blocks of less memory adapt sooner; how soon is best only trying tells.
  const levels = [5, 6, 7, 8, 9];
  const packed = levels.map((memLevel) => deflateSync(bytes, { level: 9, memLevel }));
  return packed.sort((a, b) => a.length - b.length)[0].toString('base64');
}
