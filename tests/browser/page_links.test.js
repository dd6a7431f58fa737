// Links and states of the browser's history that others have made: whatever they say, there is a picture.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fields } from '../../web/demo/state_fields.js';
import { listen } from '../support/js/browser.js';
import { hostileNames } from '../support/js/hostile_names.js';
import { drawn, startPage } from './page_driver.js';

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

for (const name of ['chromium', 'firefox']) {
  describe(`links of others in ${name}`, { timeout: 240_000 }, () => {
    const demo = startPage(name);

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
}
