// attention-wasm/models: spans of tokens against hand-written ones: at the limits of the search, with dropped characters,
// for every length of UTF-8, and for tokens that are not text.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { byteLevelBytes, byteOfToken } from '../../../../web/lib/models/tokenizer/token_bytes.js';
import {
  spansOfByteTokens,
  spansOfSubwords,
} from '../../../../web/lib/models/tokenizer/token_spans.js';

/** Spans in a line: '0-1 1-3'. */
const spelled = (spans) => spans.map((span) => span.join('-')).join(' ');
const pieces = (text, tokens, how) =>
  spelled(spansOfSubwords(text, tokens, { unknown: '?', ...how }));
const bytes = (text, tokens, literal = [], form) =>
  spelled(spansOfByteTokens(text, tokens, { literal: new Set(literal), form }));

/** The bytes of a text, each as a separate token. */
const inPieces = (text) =>
  Array.from(
    Buffer.from(text),
    (byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
  );

describe('pieces', () => {
  for (const [what, text, tokens, spans, how] of [
    ['stand side by side', 'abc', ['a', 'bc'], '0-1 1-3'],
    ['leave out the spaces around them', ' a  b ', ['a', 'b'], '1-2 4-5'],
    ['leave out what is written nowhere', 'a\u0000b', ['a', 'b'], '0-1 2-3'],
    ['take their marks with them', 'ae\u0301\u0302x', ['a', 'e', 'x'], '0-1 1-4 4-5'],
    ['take the mark of the first letter', 'e\u0301x', ['e', 'x'], '0-2 2-3'],
    ['do not mind a mark that has no letter', '\u0301ab', ['a', 'b'], '1-2 2-3'],
    ['do not mind capitals and accents', 'ÉA', ['e', 'a'], '0-1 1-2'],
    ['do not mind the form of letters', 'ﬁx', ['fi', 'x'], '0-1 1-2'],
    ['do not mind which quotation marks', '“a’', ['"', 'a', "'"], '0-1 1-2 2-3'],
    ['of one letter that became two are both there', 'ﬁ', ['f', 'i'], '0-1 0-1'],
    [
      'that are empty stand before what follows',
      'a  b',
      ['', 'a', '', 'b', ''],
      '0-0 0-1 3-3 3-4 4-4',
    ],
    ['that are empty stand at the start of nothing', '', ['', ''], '0-0 0-0'],
    [
      'with a prefix are found without it',
      'xaab',
      ['##xa', '##', 'ab'],
      '0-2 2-2 2-4',
      { prefix: '##' },
    ],
    ['with a suffix are found without it', 'ab', ['a@', 'b'], '0-1 1-2', { suffix: '@' }],
    ['have no prefix or suffix where there is none', 'undefined', ['undefined'], '0-9'],
    ['that are unknown have what lies between', 'a zz b', ['a', '?', 'b'], '0-1 2-4 5-6'],
    ['that are unknown have at least one letter', 'bab', ['?', 'b'], '0-2 2-3'],
    ['that are unknown, side by side, share it', 'xy', ['?', '?'], '0-2 0-2'],
    ['that are unknown may be the last', 'ab', ['a', '?'], '0-1 1-2'],
    ['that are nowhere share what is left', 'abz', ['a', 'q'], '0-1 1-3'],
    ['that are empty do not wait with those that are nowhere', 'zb', ['q', '', 'b'], '0-1 0-0 1-2'],
  ]) {
    it(what, () => assert.equal(pieces(text, tokens, how), spans));
  }

  it('are searched behind up to fifteen dropped characters, behind an unknown word further', () => {
    const x = (count) => 'x'.repeat(count);
    assert.equal(pieces(`${x(15)}b`, ['b']), '15-16');
    assert.equal(pieces(`${x(16)}b`, ['b']), '0-17');
    assert.equal(pieces(`a${x(15)}b`, ['a', 'b']), '0-1 16-17');
    assert.equal(pieces(`a${x(16)}b`, ['a', 'b']), '0-1 1-18');
    assert.equal(pieces(`${x(400)}b`, ['?', 'b']), '0-400 400-401');
    assert.equal(pieces(`${x(401)}b`, ['?', 'b']), '0-402 0-402');
  });

  it('that are bytes have the span of their character, of any length', () => {
    for (const letter of ['A', '\u00a1', '\u07ff', '\u0800', '\uffe6', '\u{10000}', '\u{10fffd}']) {
      const tokens = inPieces(letter);
      const end = letter.length;
      // The next token is not part of the character: an unknown token, or a surplus byte.
      for (const next of ['q', '<0x80>']) {
        const wanted = [...tokens.map(() => `0-${end}`), `${end}-${end + 1}`].join(' ');
        assert.equal(pieces(`${letter}z`, [...tokens, next]), wanted, `${letter} and ${next}`);
      }
    }
    // Two characters: no byte of one is assigned to the other.
    assert.equal(pieces('éè', inPieces('éè')), '0-1 0-1 1-2 1-2');
    assert.equal(pieces('AB', inPieces('AB')), '0-1 1-2');
    assert.equal(pieces('Aé', ['<0x41>', ...inPieces('é')]), '0-1 1-2 1-2');
    assert.equal(pieces('€', ['<0xe2>', '<0x82>', '<0xac>']), '0-1 0-1 0-1');
  });

  it('that are normalized characters have the span of the original ones', () => {
    assert.equal(pieces('a € b', ['a', 'EUR', 'b']), '0-1 2-3 4-5');
  });

  it('that are bytes end before other pieces', () => {
    assert.equal(pieces('zb', ['<0xE2>', '<0x82>', 'b']), '0-1 0-1 1-2');
    assert.equal(pieces('z', ['<0xE2>']), '0-1');
  });
});

describe('tokens of bytes', () => {
  for (const [what, text, tokens, spans, literal, form] of [
    ['stand side by side', 'abc', ['a', 'bc'], '0-1 1-3'],
    ['leave out the spaces around them', 'a  b', ['a', 'ĠĠb'], '0-1 3-4'],
    ['leave out the spaces within them', 'a b', ['aĠ', 'b'], '0-1 2-3'],
    ['that are spaces are those', 'a  ', ['a', 'ĠĠ'], '0-1 1-3'],
    ['have a space before them that is not in the text', 'ab', ['Ġa', 'Ġb'], '0-1 1-2'],
    ['have the space before them that is', 'a b', ['Ġa', 'Ġb'], '0-1 2-3'],
    ['of one letter are all there', 'é€', ['Ã', '©', 'â', 'Ĥ', '¬'], '0-1 0-1 1-2 1-2 1-2'],
    ['of two halves of UTF-16 have both', '👋Aa', ['ð', 'ŁĳĭA', 'a'], '0-2 0-3 3-4'],
    ['have marks of their own', 'e\u0301a', ['e', 'Ìģ', 'a'], '0-1 1-2 2-3'],
    [
      'have marks and letters as one where the form says so',
      'e\u0301a',
      ['Ã©', 'a'],
      '0-2 2-3',
      [],
      'NFC',
    ],
    [
      'have all of a letter in another form',
      'xﬁy',
      ['x', 'f', 'i', 'y'],
      '0-1 1-2 1-2 2-3',
      [],
      'NFKC',
    ],
    ['that go beyond the text end with it', 'ab', ['abc', 'd'], '0-2 2-2'],
    ['that stand as they are are looked for', 'ab<s>c', ['<s>', 'c'], '2-5 5-6', ['<s>']],
    ['that stand as they are may be nowhere', 'ab', ['a', '<s>', 'b'], '0-1 2-2 2-2', ['<s>']],
    ['that stand as they are may have other letters', 'é日', ['日'], '1-2', ['日']],
    ['of a text that begins with a mark have it', '\u0301a', ['Ìģ', 'a'], '0-1 1-2'],
    ['of no text stand at its start', '', ['Ġa'], '0-0'],
  ]) {
    it(what, () => assert.equal(bytes(text, tokens, literal, form), spans));
  }
});

describe('the bytes of tokens', () => {
  it('are those of GPT-2: printable bytes are themselves, others follow from 256', () => {
    const known = { '!': 0x21, '~': 0x7e, '¡': 0xa1, '¬': 0xac, '®': 0xae, ÿ: 0xff };
    const others = { Ā: 0, Ġ: 0x20, ġ: 0x7f, Ģ: 0x80, ł: 0xa0, Ń: 0xad };
    for (const [letter, byte] of Object.entries({ ...known, ...others })) {
      assert.deepEqual(byteLevelBytes(letter), [byte], letter);
    }
    // 256 characters, one for each byte; a question mark for any other.
    const letters = Array.from({ length: 1000 }, (_, code) => String.fromCodePoint(code));
    const spellings = letters.filter(
      (letter) => letter === '?' || byteLevelBytes(letter)[0] !== 0x3f,
    );
    assert.equal(spellings.length, 256);
    assert.equal(new Set(spellings.flatMap(byteLevelBytes)).size, 256);
    assert.deepEqual(byteLevelBytes('\u0144日'), [0x3f, 0x3f]);
  });

  it('are pieces such as <0x0A> only', () => {
    const got = ['<0x00>', '<0xff>', '<0xA9>', '<0xG0>', '<0x123>', 'x<0x12>', '<0x12>x'].map(
      byteOfToken,
    );
    assert.deepEqual(got, [0, 255, 0xa9, ...Array(4).fill(undefined)]);
  });
});
