// Encodes bytes as a JavaScript string: base64 of a zlib stream. Decoder: web/lib/module/unpack.js.

import zopfli from '@gfx/zopfli';

/** @returns {Promise<string>} for unpack() */
export async function pack(bytes) {
  return Buffer.from(await zopfli.zlibAsync(bytes, {})).toString('base64');
}
