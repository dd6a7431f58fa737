// attention-wasm/models: Unicode normalization with ranges; the results are compared with those of JavaScript.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allow } from '../../../../web/lib/models/tokenizer/budget.js';
import { RangedText } from '../../../../web/lib/models/tokenizer/ranged_text.js';
import { inForm } from '../../../../web/lib/models/tokenizer/unicode_forms.js';
import { seeded } from '../../../support/js/random_tensors.js';

const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'];
const characters = [
  ...[
    'a',
    'e',
    'é',
    'ệ',
    'Å',
    '\u212b',
    '\u0301',
    '\u0302',
    '\u0323',
    '\u0327',
    '\u0345',
    '\u0344',
  ],
  ...['ﬁ', 'ﷺ', '한', '\u1112', '\u1161', '\u11ab', 'が', '\u304b', '\u3099', '\u0958', '\u0dda'],
  ...['\u0f73', '\u{1d15e}', '\u{2f800}', '𠮷', '\u09c7', '\u09be', '½', '\u1100', '\uac00'],
];

describe('inForm', () => {
  it('gives what String.normalize() gives', () => {
    const random = seeded('forms');
    for (let n = 0; n < 3000; n++) {
      const count = random.integer(1, 8);
      const pick = () => characters[random.integer(0, characters.length - 1)];
      const text = Array.from({ length: count }, pick).join('');
      allow(text.length);
      for (const form of forms) {
        assert.equal(
          inForm(new RangedText(text), form).text,
          text.normalize(form),
          `${form} ${text}`,
        );
      }
    }
  });

  // Measured with the Rust library, in characters of one unit.
  for (const [form, text, expected] of [
    ['NFC', 'ae\u0301b', '0-1 1-2 3-4'],
    ['NFD', 'aéb', '0-1 1-2 1-2 2-3'],
    ['NFKC', 'ﬁn', '0-1 0-1 1-2'],
    ['NFC', '\u1112\u1161\u11abx', '0-1 3-4'],
  ]) {
    it(`has ranges in ${form}: ${escape(text)}`, () => {
      allow(100);
      const made = inForm(new RangedText(text), form);
      const found = Array.from(made.text, (_, at) => `${made.startOf(at)}-${made.endOf(at)}`);
      assert.equal(found.join(' '), expected);
    });
  }
});
