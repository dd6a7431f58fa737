// Invalid links and history states from outside: whatever they contain, there is a picture.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fields } from '../../web/demo/state_fields.js';
import { listen } from '../support/js/browser.js';
import { hostileNames } from '../support/js/hostile_names.js';
import { drawn, startPage } from '../support/browser/page_driver.js';

const spelled = '#source=ngrams&mode=self&text=tea+cup';
const others = Object.keys(fields).filter((name) => !['source', 'text', 'context'].includes(name));
const linkOf = (names, value) =>
  `${spelled}&${names.map((name) => `${name}=${encodeURIComponent(value)}`).join('&')}`;

/** Cells of the picture, or the message instead. */
const shownOn = (page) =>
  page.evaluate(() => ({
    rows: Number(
      document
        .querySelector('attention-map')
        ?.shadowRoot.querySelector('canvas')
        .getAttribute('aria-rowcount'),
    ),
    message: document.querySelector('.message').textContent,
  }));

describe('links from elsewhere', { timeout: 240_000 }, () => {
  const demo = startPage('chromium');

  for (const file of ['', 'embed.html']) {
    it(`have a picture for any values of ${file || 'the page'}`, async () => {
      const page = await demo.browser.newPage();
      const said = listen(page);
      for (const value of hostileNames) {
        await page.goto('about:blank');
        await page.goto(demo.url + file + linkOf(others, value));
        await drawn(page);
        assert.deepEqual(await shownOn(page), { rows: 2, message: '' }, value);
      }
      // An unknown source falls back to the first.
      await page.goto(`${demo.url}${file}#mode=self&text=tea&source=constructor`);
      await drawn(page);
      const { rows, message } = await shownOn(page);
      assert.ok(rows > 0 && message === '', `${rows} rows, “${message}”`);
      assert.deepEqual(said, []);
      await page.close();
    });
  }

  it('isolate text direction, and show invisible characters', async () => {
    const page = await demo.browser.newPage();
    const text = 'tea \u202eis my\u00adself می\u200cخواهم cup';
    await page.goto(`${demo.url}#source=ngrams&mode=self&row=2&text=${encodeURIComponent(text)}`);
    await drawn(page);
    const shown = await page.evaluate(() => {
      const words = document.getElementById('first-words');
      const options = Array.from(words.querySelectorAll('[role="option"]'));
      return {
        text: words.textContent,
        words: options.map(({ textContent }) => textContent),
        lefts: options.slice(0, 3).map((one) => one.getBoundingClientRect().left),
        marks: Array.from(words.querySelectorAll('.invisible'), (one) => [
          one.textContent,
          getComputedStyle(one).unicodeBidi,
          getComputedStyle(one, '::before').content,
        ]),
        read: document.querySelector('.looking .is-read').textContent,
        all: document.body.innerText.replace(words.innerText, ''),
      };
    });
    // The words are the text, character for character.
    assert.equal(shown.text, text);
    assert.deepEqual(shown.words, ['tea', 'is', 'my\u00adself', 'می\u200cخواهم', 'cup']);
    assert.deepEqual(
      shown.marks,
      ['\u202e', '\u00ad'].map((one) => [one, 'isolate', '"�"']),
    );
    assert.deepEqual(
      shown.lefts,
      shown.lefts.toSorted((a, b) => a - b),
    );
    assert.equal(shown.read, 'my�self');
    assert.doesNotMatch(shown.all, /[\u202e\u00ad]/);
    await page.close();
  });

  it('ignore values in the history that are no text', async () => {
    const page = await demo.browser.newPage();
    const said = listen(page);
    await page.goto(demo.url + spelled);
    await drawn(page);
    for (const longTexts of [{ text: 7 }, { context: ['a'], causal: 'toString' }, 'abc', null]) {
      await page.evaluate((given) => history.replaceState({ longTexts: given }, ''), longTexts);
      await page.reload();
      await drawn(page);
      assert.deepEqual(await shownOn(page), { rows: 2, message: '' }, JSON.stringify(longTexts));
    }
    assert.deepEqual(said, []);
    await page.close();
  });
});
