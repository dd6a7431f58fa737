// Questions of the page to the worker about next words: when they are asked, and for what.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createQuestions } from '../../../web/demo/page/questions.js';
import { nextWordsOf, otherWordsOf } from '../../../web/demo/page/what_if/asked.js';

const shown = {
  state: { source: 'model', block: '' },
  picture: {
    part: 'cross.1',
    rowTokens: [[0], [1, 2]],
    beside: { texts: [], rowTokens: [[0], []] },
  },
  facts: { hasNext: true, unfinished: false, from: 0, texts: ['La voiture'], requestedTexts: [] },
  place: { row: 1 },
  isReady: true,
};

function asking() {
  const asked = [];
  const questions = createQuestions(() => {});
  const ask = (...what) => {
    asked.push(what);
    return Promise.resolve({ text: 'La voiture' });
  };
  return { asked, questions, ask };
}

describe('next words', () => {
  it('are asked for once, for the whole word', async () => {
    const { asked, questions, ask } = asking();
    assert.equal(nextWordsOf(shown, questions, ask).isDue, true);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(nextWordsOf(shown, questions, ask).answer.text, 'La voiture');
    assert.deepEqual(asked, [[{ token: 1, last: 2 }]]);
  });

  it('are none while a text is being translated, without a text, and in the encoder', () => {
    const { asked, questions, ask } = asking();
    const { picture, facts } = shown;
    for (const other of [
      { facts: { ...facts, unfinished: true } },
      { picture: null },
      { picture: { ...picture, part: 'encoder.0' } },
      { facts: { ...facts, hasNext: false } },
    ]) {
      assert.equal(nextWordsOf({ ...shown, ...other }, questions, ask), null);
    }
    assert.equal(nextWordsOf({ ...shown, isReady: false }, questions, ask), null, 'never asked');
    assert.deepEqual(asked, []);
  });

  it('of the text beside are those at the word beside the selected one', () => {
    const { asked, questions, ask } = asking();
    assert.equal(otherWordsOf(shown, questions, ask), null, 'it has no such word');
    assert.equal(otherWordsOf({ ...shown, place: { row: 0 } }, questions, ask).isDue, true);
    assert.deepEqual(asked, [[{ token: 0, last: 0, isOther: true }]]);
  });
});
