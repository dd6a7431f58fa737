// A sentence longer than those that the built-in model learned from says so, long before it is cut.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answerTo } from '../../support/js/page_answer.js';

const words = (count) => `${Array(count).fill('old').join(' ')}.`;

describe('the note on a long sentence', () => {
  for (const mode of ['self', 'cross']) {
    it(`comes from the 25th word on, in ${mode}`, async () => {
      const noteOf = async (count) => (await answerTo({ mode, text: words(count) })).facts.note;
      assert.doesNotMatch(await noteOf(24), /learned from sentences/);
      assert.match(
        await noteOf(39),
        /sentences of up to about 20 words: one of \d+ it may translate wrongly/,
      );
    });
  }
});
