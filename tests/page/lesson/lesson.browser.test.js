// The lecture view: large type for the tour and for the picture, keys, and browsers that refuse.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { darkProblems, problems } from '../../support/browser/axe.js';
import {
  choose,
  drawn,
  open,
  overflow,
  read,
  spelling,
  startPage,
} from '../../support/browser/page_driver.js';
import { arrived, stepCount } from '../../support/browser/tour_driver.js';

const isLesson = (page) =>
  page.evaluate(() => document.documentElement.classList.contains('lesson'));
const isFull = (page) => page.evaluate(() => document.fullscreenElement !== null);

/** Waits until the view is open, and returns its message. */
async function opened(page) {
  await page.waitForFunction(() => document.querySelector('.lesson-bar p')?.textContent, {
    timeout: 120_000,
  });
  return page.$eval('.lesson-bar p', (one) => one.textContent);
}

const left = (page) =>
  page.waitForFunction(() => !document.documentElement.classList.contains('lesson'));

/** The smallest size of visible text in CSS pixels, as drawn; indices of formulas are left out. */
const smallest = (page) =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    let found = { size: Infinity };
    while (walker.nextNode()) {
      const { parentElement: one, textContent } = walker.currentNode;
      if (!textContent.trim() || one.closest('.unseen, option, textarea, sub, sup')) continue;
      const range = document.createRange();
      range.selectNodeContents(walker.currentNode);
      const { width } = range.getBoundingClientRect();
      const isClipped = getComputedStyle(one).clipPath !== 'none';
      if (!one.checkVisibility({ visibilityProperty: true }) || width < 3 || isClipped) continue;
      const size = parseFloat(getComputedStyle(one).fontSize);
      if (size < found.size) found = { size, text: textContent.trim(), in: one.className };
    }
    return found;
  });

/** The cell at the middle of the map, and a point of whole pixels as far from its edges as can be. */
const middleCell = (page) =>
  page.evaluate(() => {
    const map = document.querySelector('.matrix-view attention-map');
    const { left, top, width, height } = map.getBoundingClientRect();
    const cellAt = (x, y) =>
      map.cellAt(new PointerEvent('pointermove', { clientX: x, clientY: y }));
    const [x, y] = [Math.round(left + width / 2), Math.round(top + height / 2)];
    const cell = cellAt(x, y);
    /** Pixels of the cell in one direction, from the point on. */
    const within = (dx, dy) => {
      let steps = 0;
      const isSame = (other) => other?.row === cell?.row && other?.column === cell?.column;
      while (steps < 500 && isSame(cellAt(x + (steps + 1) * dx, y + (steps + 1) * dy))) ++steps;
      return steps;
    };
    const middle = {
      x: x + Math.round((within(1, 0) - within(-1, 0)) / 2),
      y: y + Math.round((within(0, 1) - within(0, -1)) / 2),
    };
    return { cell, middle };
  });

describe('the lecture view', { timeout: 300_000 }, () => {
  const demo = startPage('chromium');

  it('fills the screen with texts and picture in large type; arrow keys go from word to word', async () => {
    const { page, said } = await open(demo.browser, demo.url, '#mode=cross&row=2', {
      folded: true,
    });
    for (const [width, height, least, hover, hint] of [
      [1280, 720, 16, 'hover', /^Arrow keys/],
      [1920, 1080, 24, 'none', /^Tap a word/],
    ]) {
      await page.setViewport({ width, height });
      await page.evaluate((has) => {
        globalThis.matchMedia = (query) => ({ matches: query === `(hover: ${has})` });
      }, hover);
      await page.focus('#more');
      await page.keyboard.press('f');
      assert.match(await opened(page), hint);
      assert.equal(await isFull(page), true);
      await drawn(page);
      const { size, ...where } = await smallest(page);
      assert.ok(size >= least, `${width}: ${size} ${JSON.stringify(where)}`);
      // Texts, map and sentence are on one screen, and nothing else.
      assert.equal(
        await page.evaluate(() => document.documentElement.scrollHeight > innerHeight),
        false,
      );
      const others = await page.evaluate(() => {
        const parts = '.unseen, h1, .lesson-bar, .sentence, textarea, .looking, .rays-room';
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        const found = [];
        while (walker.nextNode()) {
          const { parentElement: one, textContent } = walker.currentNode;
          const isVisible = one.checkVisibility({ visibilityProperty: true });
          const isClipped = (/** @type {Element | null} */ element) =>
            element !== null &&
            (getComputedStyle(element).clipPath !== 'none' || isClipped(element.parentElement));
          const isSeen = textContent.trim() && isVisible && !isClipped(one);
          if (isSeen && !one.closest(parts)) found.push(textContent.trim());
        }
        return found.filter((text) => text !== 'Skip to the picture');
      });
      assert.deepEqual(others, [], `${width}`);
      assert.equal(
        await page.$eval('.lesson-bar button', (one) => one.textContent),
        'Leave lecture view',
      );
      // The heat map is enlarged, and as sharp as before.
      const canvas = await page.evaluate(() => {
        const one = document
          .querySelector('.matrix-view attention-map')
          .shadowRoot.querySelector('canvas');
        return {
          pixels: one.width,
          drawn: one.getBoundingClientRect().width,
          own: one.offsetWidth,
          frame: document.querySelector('.matrix-view').clientWidth,
        };
      });
      assert.ok(canvas.drawn > 1.3 * canvas.own, JSON.stringify(canvas));
      assert.ok(canvas.drawn <= canvas.frame, JSON.stringify(canvas));
      assert.ok(Math.abs(canvas.pixels - canvas.drawn) <= 2, JSON.stringify(canvas));
      assert.equal((await read(page)).query, 'rouge');
      await page.keyboard.press('ArrowRight');
      await drawn(page);
      assert.equal((await read(page)).query, 'est');
      await page.keyboard.press('ArrowLeft');
      await drawn(page);
      assert.equal((await read(page)).query, 'rouge');
      // A click still hits the cell below the pointer: in its middle, which no font moves to its neighbor.
      const { cell, middle } = await middleCell(page);
      assert.ok(cell?.row !== undefined && cell.column !== undefined, JSON.stringify(cell));
      await page.mouse.click(middle.x, middle.y);
      await drawn(page);
      const chosen = await page.$eval('.matrix-view attention-map', ({ selected }) => selected);
      assert.deepEqual([chosen.row, chosen.column], [cell.row, cell.column]);
      await page.keyboard.press('Escape');
      await left(page);
      assert.equal(await isFull(page), false);
      assert.equal(await page.evaluate(() => document.activeElement.id), 'more');
      assert.equal(await page.evaluate(() => document.documentElement.style.length), 0);
      await page.click('#first-words-2');
      await page.mouse.move(1, 1); // the pointer would be on another word in the larger type
      await drawn(page);
    }
    assert.deepEqual(said, []);
    await page.close();
  });

  it('has a map that fills 70 % of the width or of the height, whatever the sentence', async () => {
    for (const text of [
      'The red car is in front of the house.',
      'My uncle made green tea for his friends.',
      'The pink elephant tried to get into the car but it was too big.',
    ]) {
      const { page } = await open(demo.browser, demo.url, `#mode=cross&text=${text}`, {
        folded: true,
      });
      await page.setViewport({ width: 1280, height: 720 });
      await page.keyboard.press('f');
      await opened(page);
      await drawn(page);
      const shares = await page.evaluate(() => {
        const map = document.querySelector('.matrix-view attention-map');
        const canvas = map.shadowRoot.querySelector('canvas');
        const { width, height } = canvas;
        const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
        // Columns of the canvas in which something is drawn.
        const drawnAt = Array.from({ length: width }, (_, x) => x).filter((x) => {
          for (let y = 0; y < height; ++y) if (data[4 * (y * width + x) + 3] > 0) return true;
          return false;
        });
        const ratio = map.getBoundingClientRect().width / width;
        const across = ratio * (drawnAt.at(-1) - drawnAt[0]);
        const { height: down } = document.querySelector('.stage').getBoundingClientRect();
        return [across / innerWidth, down / innerHeight];
      });
      assert.ok(Math.max(...shares) >= 0.7, `${text}: ${shares}`);
      await page.close();
    }
  });

  it('keeps map and texts large while a link is blocked, with the answer in sight', async () => {
    const { page } = await open(demo.browser, demo.url, '#mode=cross&row=2&column=1', {
      folded: true,
    });
    for (const [width, height] of [
      [1280, 900],
      [1440, 900],
    ]) {
      await page.setViewport({ width, height });
      await page.waitForSelector('.block-it button:not([disabled])');
      await page.focus('.matrix-view attention-map');
      await page.keyboard.press('x');
      await page.waitForFunction(() => document.querySelector('.what-if .now')?.textContent);
      await page.waitForSelector('.what-if .before-after');
      await page.keyboard.press('f');
      await opened(page);
      await drawn(page);
      const found = await page.evaluate(() => {
        const box = (selector) => document.querySelector(selector).getBoundingClientRect();
        const font = (selector) =>
          parseFloat(getComputedStyle(document.querySelector(selector)).fontSize);
        const { right, bottom } = box('.undo-beside button');
        return {
          map: box('.matrix-view attention-map').width / innerWidth,
          isUndoIn: right <= innerWidth && bottom <= box('.stage').top,
          isAnswered: document.querySelector('#first-words .gone').dataset.text === 'rouge',
          type: Math.min(...['.looking', '#second-words', '#first-words'].map(font)),
        };
      });
      const where = `${width} × ${height}: ${JSON.stringify(found)}`;
      assert.ok(found.map > 0.8 && found.isUndoIn && found.isAnswered && found.type >= 18, where);
      await page.keyboard.press('Escape');
      await left(page);
      await page.focus('.matrix-view attention-map');
      await page.keyboard.press('u');
      await drawn(page);
    }
    await page.close();
  });

  it('shows the tour, and goes through it by arrow keys', async () => {
    const { page, said } = await open(demo.browser, demo.url, '#tour=0', { folded: true });
    await arrived(page, 0);
    await page.setViewport({ width: 1280, height: 720 });
    await page.click('.tour .present');
    await opened(page);
    assert.equal(await page.evaluate(() => document.activeElement.localName), 'h2');
    for (let step = 0; step < stepCount; ++step) {
      await arrived(page, step);
      const { size, ...where } = await smallest(page);
      assert.ok(size >= 16, `step ${step + 1}: ${size} ${JSON.stringify(where)}`);
      assert.equal(await overflow(page), 0, `step ${step + 1}`);
      const covered = await page.evaluate(() =>
        ['h2', '.next', '.says p'].filter((one) => {
          const element = document.querySelector(`.tour ${one}`);
          const { left: x, top: y, width, height } = element.getBoundingClientRect();
          const top = document.elementFromPoint(x + Math.min(width / 2, 40), y + height / 2);
          return !element.contains(top);
        }),
      );
      assert.deepEqual(covered, [], `step ${step + 1}`);
      if (step < stepCount - 1) await page.keyboard.press('ArrowRight');
    }
    await page.keyboard.press('ArrowLeft');
    await arrived(page, stepCount - 2);
    // Escape leaves the view, not the tour.
    await page.keyboard.press('Escape');
    await left(page);
    assert.equal(await page.$eval('.tour', (one) => one.hidden), false);
    assert.equal(await page.evaluate(() => document.activeElement.className), 'quiet present');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.querySelector('.tour').hidden);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('fills the window where the browser refuses full screen, and says so', async () => {
    for (const refusal of ['rejects', 'is missing']) {
      const { page, said } = await open(demo.browser, demo.url, '#mode=cross', { folded: true });
      await page.evaluate((how) => {
        Element.prototype.requestFullscreen =
          how === 'rejects' ? () => Promise.reject(new TypeError('not allowed')) : undefined;
      }, refusal);
      await page.$eval('#present', (one) => one.click());
      assert.match(await opened(page), /^This browser refuses full screen: the view fills the/);
      assert.equal(await isFull(page), false);
      assert.equal(await isLesson(page), true);
      assert.equal(await page.$eval('.flow', (one) => one.checkVisibility()), false);
      await page.keyboard.press('Escape');
      await left(page);
      await page.keyboard.press('F');
      await page.waitForFunction(() => document.documentElement.classList.contains('lesson'));
      await page.click('.lesson-bar button');
      await left(page);
      assert.deepEqual(said, []);
      await page.close();
    }
  });

  it('leaves the letter f to texts, and Escape to menus', async () => {
    const { page } = await open(demo.browser, demo.url, spelling, { folded: true });
    await page.focus('#first');
    await page.keyboard.type('f');
    await drawn(page);
    assert.equal(await isLesson(page), false);
    assert.match(await page.$eval('#first', (one) => one.value), /f/);
    await page.goto(`${demo.url}?menu#mode=cross&row=2`);
    await drawn(page);
    await page.waitForSelector('.block-it button:not([disabled])');
    await page.$eval('#present', (one) => one.click());
    await opened(page);
    await (await page.$('#second-words-2')).click({ button: 'right' });
    await page.keyboard.press('ArrowDown');
    await page.evaluate(() =>
      document.activeElement.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }),
      ),
    );
    assert.equal(await page.$eval('.what-if-menu', (one) => one.hidden), true);
    assert.equal(await isLesson(page), true);
    await page.close();
  });

  it('has no axe-core violations, no animation, and is no wider than a phone', async () => {
    for (const hash of [
      '#mode=cross&row=2&block=cross:2-1',
      '#tour=11',
      `${spelling}&view=heads`,
    ]) {
      const { page } = await open(demo.browser, demo.url, hash, { folded: true });
      await page.evaluate(() => {
        Element.prototype.requestFullscreen = undefined;
      });
      await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
      await page.evaluate(() =>
        document
          .querySelector(location.hash.includes('tour') ? '.tour .present' : '#present')
          .click(),
      );
      await opened(page);
      await drawn(page);
      assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
      assert.deepEqual(await problems(page), [], hash);
      assert.deepEqual(await darkProblems(page), [], `${hash}, dark`);
      for (const width of [320, 390, 768]) {
        await page.setViewport({ width, height: 740 });
        await drawn(page);
        assert.equal(await overflow(page), 0, `${hash} at ${width}`);
      }
      if (!hash.includes('tour')) {
        for (const view of ['lines', 'table', 'compare', 'matrix']) {
          await choose(page, 'view', view);
          assert.equal(await overflow(page), 0, `${hash}, ${view}`);
        }
      }
      await page.close();
    }
  });
});
