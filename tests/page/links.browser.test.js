// Links and states of the browser's history that others have made: whatever they say, there is a picture.

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

/** What a page has: cells of a picture, and the sentence in its place. */
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

describe('links of others', { timeout: 240_000 }, () => {
  const demo = startPage('chromium');

  for (const file of ['', 'embed.html']) {
    it(`have a picture, whatever they say of ${file || 'the page'}`, async () => {
      const page = await demo.browser.newPage();
      const said = listen(page);
      for (const value of hostileNames) {
        await page.goto('about:blank');
        await page.goto(demo.url + file + linkOf(others, value));
        await drawn(page);
        assert.deepEqual(await shownOn(page), { rows: 2, message: '' }, value);
      }
      // Of a source that is none, the first one's.
      await page.goto(`${demo.url}${file}#mode=self&text=tea&source=constructor`);
      await drawn(page);
      const { rows, message } = await shownOn(page);
      assert.ok(rows > 0 && message === '', `${rows} rows, “${message}”`);
      assert.deepEqual(said, []);
      await page.close();
    });
  }

  it('turn no direction, and show what is invisible in their texts', async () => {
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
        read: document.querySelector('.readout .query bdi').textContent,
        all: document.body.innerText.replace(words.innerText, ''),
      };
    });
    // The words are the text, letter for letter.
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

  it('leave the page as it is where the history says what is no text', async () => {
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
