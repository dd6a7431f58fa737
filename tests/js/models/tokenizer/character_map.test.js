// attention-wasm/models: graphemes of a long text, found in windows, are those of the whole text.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { allow } from '../../../../web/lib/models/tokenizer/budget.js';
import { CharacterMap, mapCharacters } from '../../../../web/lib/models/tokenizer/character_map.js';
import { RangedText } from '../../../../web/lib/models/tokenizer/ranged_text.js';
import { characterMapBytes } from '../../../support/js/character_map_bytes.js';
import { seeded } from '../../../support/js/random_tensors.js';

const replacements = ['e\u0301', '\r\n', '\u00e9', '\u1112\u1161', '\u{1f469}'];
const parts = [
  ...replacements,
  ...['e', '\u0301', '\r', '\n', '\u200d', '🇫', '🏽', '\u1161', 'a', '中'],
];

it('maps graphemes of a long text as of the whole text', () => {
  const pairs = replacements.map((from, n) => [from, String(n)]);
  const map = new CharacterMap(Buffer.from(characterMapBytes(pairs), 'base64'));
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const random = seeded('windows of graphemes');
  for (let n = 0; n < 100; n++) {
    const few = Array.from(
      { length: 1 + (n % 6) },
      () => parts[random.integer(0, parts.length - 1)],
    );
    const text = Array.from({ length: 800 }, () => few[random.integer(0, few.length - 1)]).join('');
    const expected = Array.from(segmenter.segment(text), ({ segment }) => {
      const isShort = Buffer.byteLength(segment) <= 5;
      const whole = isShort ? map.get(segment) : undefined;
      return whole ?? Array.from(segment, (one) => map.get(one) ?? one).join('');
    }).join('');
    allow(text.length);
    assert.equal(mapCharacters(new RangedText(text), map).text, expected);
  }
});
