// Next words at every position of a translation, as the page offers them: the translator's, the rare ones left out.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadTranslator } from 'attention-wasm/translator';
import { h, textOf, written } from '../../support/js/components.js';
import { askWorker } from '../../support/js/page_answer.js';
import { assertPercent } from '../../support/js/page_numbers.js';

const { NextWords } = await import('../../../web/demo/page/next_words/next_words.jsx');

const translator = await loadTranslator();
const english = 'The red car is in front of the house.';

/** The words and percents of the list, and which of them is the own one. */
const listed = (html) =>
  Array.from(html.matchAll(/<li>(.*?)<\/li>/g), ([, item]) => {
    const [, text, percent] = /<bdi[^>]*>(.*?)<\/bdi> <span>(.*?)<\/span>/.exec(item);
    const isOwn = item.includes('aria-current="true"');
    return {
      text: textOf(text),
      percent: textOf(percent),
      isOwn,
      isButton: item.startsWith('<button'),
    };
  });

describe('next words', () => {
  it('are words: what the model makes up is left out', async () => {
    const ask = askWorker();
    const { answers } = await ask({ source: 'model', mode: 'cross', text: 'Hello' });
    const made = translator
      .nextWords('Hello', { target: 'Bonjour', word: 0, count: 6 })
      .map(({ text }) => text);
    assert.ok(made.includes('Sal') && made.includes('Salais'), `${made}`);
    const { words } = await answers.nextWords({ token: 0, last: 0 });
    const texts = words.map(({ text }) => text);
    assert.deepEqual(texts.slice(0, 2), ['Bonjour', 'Salut']);
    assert.ok(texts.includes('Hello'), 'copied from the source');
    assert.equal(texts.length, 5);
    for (const text of texts) assert.doesNotMatch(text, /^Sal(ais)?$/);
  });

  it('are the translator’s at every position', async () => {
    const { text, target } = translator.translate(english);
    const ask = askWorker();
    const { answers } = await ask({ source: 'model', mode: 'cross', text: english });
    const words = [...new Set(target.tokens.map(({ word }) => word))].slice(0, -2);
    assert.ok(words.length > 5);
    for (const word of words) {
      const tokens = target.tokens.flatMap((token, at) => (token.word === word ? [at] : []));
      const [first, last] = [tokens[0], tokens.at(-1)];
      const answer = await answers.nextWords({ token: first, last });
      const html = written(h(NextWords, { answer, token: first, begin: '', change() {} }));
      const shown = listed(html);
      const own = text.slice(target.tokens[first].start, target.tokens[last].end);
      // Rare continuations are not offered.
      const wanted = translator
        .nextWords(english, { target: text, word })
        .filter((one) => one.probability >= 0.01 || one.text === own);
      assert.deepEqual(
        shown.map((one) => one.text),
        wanted.map((one) => one.text),
      );
      shown.forEach(({ percent }, at) =>
        assertPercent(percent, wanted[at].probability, wanted[at].text),
      );
      const chosen = shown.filter(({ isOwn }) => isOwn);
      assert.deepEqual([chosen.length, chosen[0].isButton, chosen[0].text], [1, false, own]);
      const before = text.slice(0, target.tokens[first].start).trim();
      const end = word === 0 ? 'at the start' : `${before.split(' ').slice(-3).join(' ')}”`;
      assert.ok(textOf(/<h3.*?<\/h3>/.exec(html)[0]).includes(end), end);
    }
  });
});
