// Play writes the translation word by word: the words keep their places, space stops and goes on, and the picture is at the
// end as it was. A ray that is pressed is blocked.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawn, open, press, startPage } from '../support/browser/page_driver.js';
import { countHeld, holdTimers, runHeld } from '../support/browser/held_timers.js';

const pace = 450; // ms of half a word, as in player.js
const rows = 7;

/** The French line as it is seen, and all rays. */
const readLine = (page) =>
  page.evaluate(() => {
    const all = Array.from(document.querySelectorAll('#first-words [role="option"]'));
    const isSeen = (one) => one.checkVisibility({ visibilityProperty: true });
    const rays = Array.from(document.querySelectorAll('path.ray'));
    return {
      words: all
        .filter(isSeen)
        .map((one) => one.textContent)
        .join(' '),
      rays: rays.length,
      own: rays.filter((one) => one.matches('.own')).length,
      says: document.querySelector('.looking').textContent,
      button: document.querySelector('#play').textContent.trim(),
      hash: location.hash,
    };
  });

/** Boxes of all words, and of what stands around them. */
const readPlaces = (page) =>
  page.evaluate(() => {
    const parts = '.sentence [role="option"], .sheet, .stage, .looking, #how, .block-it button';
    return Array.from(document.querySelectorAll(parts), (one) => {
      const { x, y, width, height } = one.getBoundingClientRect();
      return [x, y, width, height].map(Math.round);
    });
  });

async function step(page) {
  assert.equal(await runHeld(page), 1);
  await drawn(page);
}

for (const engine of ['chromium', 'firefox']) {
  describe(`Play in ${engine}`, { timeout: 300_000 }, () => {
    const demo = startPage(engine);

    async function openReady() {
      const { page, said } = await open(demo.browser, demo.url, '#mode=cross&row=2&column=1', {
        folded: true,
      });
      await page.waitForSelector('.block-it button:not([disabled])', { timeout: 60_000 });
      await drawn(page);
      return { page, said };
    }

    it('writes each word after the ray to what it looks at; nothing moves, and it ends as it began', async () => {
      const { page, said } = await openReady();
      const [line, places] = [await readLine(page), await readPlaces(page)];
      await holdTimers(page, pace);
      await page.evaluate(() => document.querySelector('#play').click());
      await drawn(page);
      const empty = await readLine(page);
      assert.deepEqual([empty.words, empty.rays, empty.button], ['', 0, 'Pause']);
      const words = line.words.split(' ');
      assert.equal(words.length, rows);
      for (const [at, word] of words.entries()) {
        await step(page);
        const aiming = await readLine(page);
        assert.equal(aiming.words, words.slice(0, at).join(' '));
        assert.ok(aiming.own > 0, `no ray for ${word}`);
        assert.ok(aiming.says.includes(`“${word}”`), aiming.says);
        await step(page);
        assert.equal((await readLine(page)).words, words.slice(0, at + 1).join(' '));
        assert.deepEqual(await readPlaces(page), places, word);
      }
      await step(page);
      assert.deepEqual(await readLine(page), line);
      assert.deepEqual(await readPlaces(page), places);
      assert.equal(await countHeld(page), 0);
      assert.deepEqual(said, []);
      await page.close();
    });

    it('stops and goes on by space, wherever the focus is; all else that is done ends it', async () => {
      const { page, said } = await openReady();
      const line = await readLine(page);
      await holdTimers(page, pace);
      for (const focus of ['#play', '#first-words', '#how']) {
        await page.evaluate(() => document.querySelector('#play').click());
        await drawn(page);
        await step(page);
        await step(page);
        await page.focus(focus);
        await press(page, ' ');
        assert.equal(await countHeld(page), 0, focus);
        const { words, button } = await readLine(page);
        assert.deepEqual([words, button], ['La', 'Play'], focus);
        await press(page, ' ');
        assert.equal(await countHeld(page), 1, focus);
        await step(page);
        assert.equal((await readLine(page)).button, 'Pause');
        // A pointer that passes words changes nothing.
        await page.hover('#second-words-5');
        await drawn(page);
        assert.match((await readLine(page)).says, /“voiture”/);
        await page.mouse.move(1, 1);
        if (focus === '#how') await page.mouse.down();
        else await press(page, 'Escape');
        await drawn(page);
        assert.equal(await countHeld(page), 0);
        assert.deepEqual(await readLine(page), line, focus);
        if (focus === '#how') await page.mouse.up();
      }
      assert.deepEqual(said, []);
      await page.close();
    });

    // puppeteer emulates media features in Chromium only.
    if (engine === 'chromium') {
      it('steps by each press for readers who want no motion', async () => {
        const { page } = await openReady();
        await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
        const line = await readLine(page);
        await holdTimers(page, pace, 2 * pace);
        await page.focus('#play');
        const words = line.words.split(' ');
        for (const at of words.keys()) {
          await press(page, at % 2 === 0 ? 'Enter' : ' ');
          const now = await readLine(page);
          assert.deepEqual([now.words, now.button], [words.slice(0, at + 1).join(' '), 'Next']);
          assert.ok(now.own > 0);
        }
        assert.equal(await countHeld(page), 0);
        await press(page, ' ');
        assert.deepEqual(await readLine(page), line);
        await page.close();
      });
    }

    it('is begun by space in the lecture view', async () => {
      const { page } = await openReady();
      await holdTimers(page, pace);
      await page.evaluate(() => {
        Element.prototype.requestFullscreen = undefined;
      });
      await page.keyboard.press('f');
      await page.waitForFunction(() => document.querySelector('.lesson-bar p')?.textContent);
      await press(page, ' ');
      assert.deepEqual([(await readLine(page)).words, await countHeld(page)], ['', 1]);
      await step(page);
      await press(page, ' ');
      assert.equal(await countHeld(page), 0);
      await page.close();
    });

    it('goes from word to word in one text', async () => {
      const { page } = await open(demo.browser, demo.url, '#mode=self&row=0', { folded: true });
      await holdTimers(page, 2 * pace);
      const before = await readLine(page);
      await page.evaluate(() => document.querySelector('#play').click());
      await drawn(page);
      const after = await readLine(page);
      assert.deepEqual([after.words, after.button], [before.words, 'Pause']);
      assert.notEqual(after.says, before.says);
      await page.close();
    });

    it('has rays that are blocked, and allowed again, by a press', async () => {
      const { page, said } = await openReady();
      /** Clicks the middle of the ray between the selected words. */
      async function pressRay(name) {
        const at = await page.evaluate((selector) => {
          const ray = document.querySelector(selector);
          const { x, y } = ray.getPointAtLength(ray.getTotalLength() * 0.45);
          const { left, top } = document.querySelector('.sentences').getBoundingClientRect();
          return { x: left + x, y: top + y };
        }, name);
        await page.mouse.click(at.x, at.y);
        await drawn(page);
      }
      await pressRay('path.ray.own:last-of-type');
      assert.match(await page.evaluate(() => location.hash), /block=cross%3A2-1/);
      assert.equal(await page.$eval('#first-words .gone', (one) => one.dataset.text), 'rouge');
      await pressRay('path.ray.blocked');
      assert.doesNotMatch(await page.evaluate(() => location.hash), /block/);
      assert.deepEqual(said, []);
      await page.close();
    });
  });
}
