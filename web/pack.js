// Bytes as text for a JavaScript string: base64 of zlib's format, by an encoder that takes its time and finds a
// twentieth less than zlib itself. Half the text that the bytes themselves would take, and gzip makes of it what it
// makes of them. web/lib/module/unpack.js reads it.

import zopfli from '@gfx/zopfli';

/** @returns {Promise<string>} for unpack() */
export async function pack(bytes) {
  return Buffer.from(await zopfli.zlibAsync(bytes, {})).toString('base64');
}
