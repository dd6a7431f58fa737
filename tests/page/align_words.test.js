// Alignment of the words of two texts in the comparison.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { alignWords } from '../../web/demo/align_words.js';

const labels = (text) => text.split(' ').map((word, at) => ({ text: word, word: at }));
const align = (own, other) => alignWords(labels(own), labels(other));

describe('the alignment of two texts', () => {
  it('pairs equal words, and a replaced word with the one in its position', () => {
    assert.deepEqual(align('it was too tired .', 'it was too wide .'), [0, 1, 2, 3, 4]);
    assert.deepEqual(align('a b c', 'a b c'), [0, 1, 2]);
    assert.deepEqual(align('old words', 'other ones'), [0, 1]);
  });

  it('has no partner for a word that the other text lacks', () => {
    assert.deepEqual(align('a red car', 'a car'), [0, -1, 1]);
    assert.deepEqual(align('a car', 'a red car'), [0, 2]);
    assert.deepEqual(align('a b', 'a'), [0, -1]);
    assert.deepEqual(align('b a', 'a'), [-1, 0]);
    assert.deepEqual(align('x y a', 'z a'), [0, -1, 1]);
  });

  it('keeps the order of both, and pairs no word twice', () => {
    const places = align('the cat and the dog and the cow', 'the dog and a cat and the cow');
    const paired = places.filter((at) => at >= 0);
    assert.deepEqual(
      [...new Set(paired)].sort((a, b) => a - b),
      paired,
    );
  });

  it('never pairs the column of marks with a word', () => {
    const marks = { text: 'marks', word: null };
    const own = [...labels('good marks'), marks];
    assert.deepEqual(alignWords(own, [...labels('good'), marks]), [0, -1, 1]);
  });
});
