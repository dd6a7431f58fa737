// The keys of the page's help act wherever no field is being edited: in the lists of words, after Play, in the lecture view.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawn, open, press, read, startPage } from '../support/browser/page_driver.js';

const english = 'The red car is in front of the house.';

for (const engine of ['chromium', 'firefox']) {
  describe(`the keys of the help in ${engine}`, { timeout: 300_000 }, () => {
    const demo = startPage(engine);

    /** The page with the model loaded, and what it says in the strip of blocks. */
    async function openReady() {
      const { page, said } = await open(demo.browser, demo.url, `#mode=cross&text=${english}`, {
        folded: true,
      });
      await page.waitForFunction(
        () => document.querySelector('.block-it button:not([disabled])') !== null,
        { timeout: 60_000 },
      );
      return { page, said };
    }

    const texts = (page) =>
      page.evaluate(() => ['first', 'second'].map((id) => document.getElementById(id).value));
    const waitForBlocks = (page, count) =>
      page.waitForFunction(
        (wanted) => document.querySelectorAll('.what-if li').length === wanted,
        { timeout: 30_000 },
        count,
      );
    const isFocused = (page, selector) =>
      page.evaluate((one) => document.activeElement.matches(one), selector);

    /** Blocks the link, hides the word, undoes both, opens and closes what matters, and the lecture view. */
    async function pressAll(page, where) {
      await press(page, 'x');
      await waitForBlocks(page, 1);
      await press(page, 'h');
      await waitForBlocks(page, 2);
      await press(page, 'u');
      await page.waitForFunction(() => document.querySelector('.what-if').hidden);
      await press(page, ' ');
      assert.deepEqual(await texts(page), ['', english], where);
      await press(page, 'w');
      await page.waitForFunction(
        () => document.querySelector('.sweep-room > :not([hidden])') !== null,
      );
      await press(page, 'w');
      await page.waitForFunction(
        () => document.querySelector('.sweep-room > :not([hidden])') === null,
      );
      assert.deepEqual(await texts(page), ['', english], where);
    }

    it('act in both lists of words, where only Enter edits', async () => {
      const { page, said } = await openReady();
      for (const list of ['first-words', 'second-words']) {
        await page.focus(`#${list}`);
        await pressAll(page, list);
        // The panel of effects has given the focus to its button.
        await page.focus(`#${list}`);
        const scroll = () => page.evaluate(() => scrollY);
        const before = await scroll();
        await press(page, ' ');
        assert.equal(await scroll(), before);
        for (const key of ['a', '1', '?', 'F2']) await press(page, key);
        assert.ok(await isFocused(page, `#${list}`), list);
      }
      await press(page, 'Enter');
      assert.ok(await isFocused(page, '#second'));
      await page.keyboard.type('x');
      await drawn(page);
      assert.match((await texts(page))[1], /x/);
      assert.equal(await page.$eval('.what-if', (strip) => strip.hidden), true);
      assert.deepEqual(said, []);
      await page.close();
    });

    it('act on a button, and step from word to word there', async () => {
      const { page, said } = await openReady();
      await page.focus('#play');
      const { query } = await read(page);
      await press(page, 'ArrowRight');
      const next = (await read(page)).query;
      assert.notEqual(next, query);
      await press(page, 'ArrowLeft');
      assert.equal((await read(page)).query, query);
      for (const key of ['x', 'h']) await press(page, key);
      await waitForBlocks(page, 2);
      assert.ok(await isFocused(page, '#play'));
      await press(page, 'u');
      await page.waitForFunction(() => document.querySelector('.what-if').hidden);
      // The view of a mode is chosen with arrow keys; letters act there too.
      await page.focus('[name="mode"]:checked');
      await press(page, 'x');
      await waitForBlocks(page, 1);
      await press(page, 'u');
      assert.deepEqual(said, []);
      await page.close();
    });

    it('act in the lecture view, and not in the tour', async () => {
      const { page, said } = await openReady();
      await page.focus('#first-words');
      await press(page, 'f');
      await page.waitForFunction(() => document.querySelector('.lesson-bar p')?.textContent);
      assert.ok(await isFocused(page, '#first-words'));
      await press(page, 'x');
      await waitForBlocks(page, 1);
      await press(page, 'u');
      await page.waitForFunction(() => document.querySelector('.what-if').hidden);
      await press(page, 'f');
      await page.waitForFunction(() => !document.documentElement.classList.contains('lesson'));
      assert.ok(await isFocused(page, '#first-words'));
      assert.deepEqual(await texts(page), ['', english]);
      await page.evaluate(() => document.querySelector('#tour-start').click());
      await page.waitForSelector('.tour h2');
      for (const key of ['x', 'h', 'w']) await page.keyboard.press(key);
      await page.keyboard.press('Escape');
      await page.waitForFunction(() => document.querySelector('.tour').hidden);
      await drawn(page);
      assert.equal(await page.$eval('.what-if', (strip) => strip.hidden), true);
      assert.equal(await page.$('.sweep-room > :not([hidden])'), null);
      assert.deepEqual(said, []);
      await page.close();
    });
  });
}
