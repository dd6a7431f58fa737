// attention-wasm/models: matches in a text and splits at them. Expectations are results of the Rust library.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allow } from '../../../../web/lib/models/tokenizer/budget.js';
import { RangedText } from '../../../../web/lib/models/tokenizer/ranged_text.js';
import {
  literalMatches,
  patternMatches,
  replaceMatches,
  splitText,
} from '../../../../web/lib/models/tokenizer/text_matches.js';

describe('matches', () => {
  it('are not empty at the end of the one before, nor within a character', () => {
    assert.deepEqual(patternMatches('abc', /b*/gu), [
      [0, 0],
      [1, 2],
      [3, 3],
    ]);
    assert.deepEqual(literalMatches('😀a', ''), [
      [0, 0],
      [2, 2],
      [3, 3],
    ]);
    assert.deepEqual(patternMatches('', /b*/gu), []);
    assert.deepEqual(patternMatches('1😀', /\B/gu), [[3, 3]]);
    assert.deepEqual(literalMatches('aaab', 'aa'), [[0, 2]]);
  });
});

describe('splits', () => {
  const text = new RangedText('the-final--countdown');
  for (const [behavior, invert, expected] of [
    ['Removed', false, 'the final countdown'],
    ['Isolated', false, 'the - final - - countdown'],
    ['MergedWithPrevious', false, 'the- final- - countdown'],
    ['MergedWithNext', false, 'the -final - -countdown'],
    ['Contiguous', false, 'the - final -- countdown'],
    ['Removed', true, '- - -'],
    ['Isolated', true, 'the - final - - countdown'],
  ]) {
    it(`are ${behavior}${invert ? ', inverted' : ''}`, () => {
      const parts = splitText(text, literalMatches(text.text, '-'), behavior, invert);
      assert.equal(parts.map((part) => part.text).join(' '), expected);
      for (const part of parts) {
        assert.equal(text.text.slice(part.startOf(0), part.endOf(part.length - 1)), part.text);
      }
    });
  }
});

describe('replacements', () => {
  it('have the range of the last character of their match', () => {
    allow(100);
    for (const [text, literal, content, expected] of [
      ['abc', 'ab', 'x', 'x 1-2|c 2-3'],
      ['a b', ' ', '▁', 'a 0-1|▁ 1-2|b 2-3'],
      ['ab', 'a', '', 'b 1-2'],
      ['ab', '', '_', '_ 0-0|a 0-1|_ 0-1|b 1-2|_ 1-2'],
    ]) {
      const source = new RangedText(text);
      const made = replaceMatches(source, literalMatches(text, literal), content);
      const found = Array.from(made.text, (c, n) => `${c} ${made.startOf(n)}-${made.endOf(n)}`);
      assert.equal(found.join('|'), expected);
    }
  });
});
