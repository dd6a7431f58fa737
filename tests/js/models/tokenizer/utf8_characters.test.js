// attention-wasm/models: characters of bytes, compared with TextDecoder.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { utf8Characters } from '../../../../web/lib/models/tokenizer/utf8_characters.js';
import { seeded } from '../../../support/js/random_tensors.js';

describe('utf8Characters', () => {
  it('decodes any bytes as TextDecoder does, and each byte is in one character', () => {
    const random = seeded('bytes');
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const likely = [
      0x00, 0x41, 0x7f, 0x80, 0xbf, 0xc1, 0xc2, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xa0,
    ];
    for (let n = 0; n < 5000; n++) {
      const pick = () =>
        random.integer(0, 1)
          ? random.integer(0, 255)
          : likely[random.integer(0, likely.length - 1)];
      const bytes = Array.from({ length: random.integer(0, 8) }, pick);
      const characters = utf8Characters(bytes);
      const text = decoder.decode(Uint8Array.from(bytes));
      assert.equal(characters.map(({ character }) => character).join(''), text, bytes.join());
      let next = 0;
      for (const { from, to } of characters) {
        assert.equal(from, next);
        next = to;
      }
      assert.equal(next, bytes.length);
    }
    assert.deepEqual(utf8Characters([0xef, 0xbb, 0xbf])[0].character, '\ufeff');
  });
});
