// Layout of the whole page: text, picture and read-out on the first screen with few controls; no shifts; room on a phone.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  choose,
  click,
  drawn,
  open,
  overflow,
  paste,
  pick,
  slide,
  startPage,
  unfold,
} from '../support/browser/page_driver.js';

const screens = [
  [1440, 900],
  [1280, 720],
  [390, 844],
];

/** Names of everything in the window that can be focused or clicked. */
const controlsInSight = (page) =>
  page.evaluate(() => {
    const kinds =
      'a[href], button, input:not([type=hidden]), select, textarea, summary, [contenteditable=""], [contenteditable=true], ' +
      '[role=button], [role=tab], [role=radio], [role=switch], [role=slider], [role=textbox], [tabindex]:not([tabindex="-1"])';
    const names = [];
    const visit = (root) => {
      for (const one of root.querySelectorAll('*')) {
        if (one.shadowRoot) visit(one.shadowRoot);
        if (
          !one.matches(kinds) ||
          one.disabled ||
          !one.checkVisibility({ visibilityProperty: true })
        )
          continue;
        const { top, bottom, left, right, width, height } = one.getBoundingClientRect();
        const isIn = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
        if (!isIn || width === 0 || height === 0) continue;
        names.push(one.getAttribute('aria-label') ?? one.id ?? one.textContent);
      }
    };
    visit(document);
    return names;
  });

describe('the layout of the page', { timeout: 300_000 }, () => {
  const demo = startPage('chromium');

  it('has text, picture and read-out in the first screen', async () => {
    const states = ['', '#mode=self', '#mode=cross&view=lines', '#source=ngrams&heads=4'];
    for (const hash of states) {
      const { page } = await open(demo.browser, demo.url, hash, { folded: true });
      for (const [width, height] of screens) {
        await page.setViewport({ width, height });
        await drawn(page);
        const places = await page.evaluate(() =>
          ['.modes', '.sentences', '.views', '.stage', '.looking'].map((selector) => {
            const {
              top,
              bottom,
              height: own,
            } = document.querySelector(selector).getBoundingClientRect();
            return { selector, top: top + scrollY, bottom: bottom + scrollY, own };
          }),
        );
        for (const { selector, top, bottom, own } of places) {
          const where = `${selector} of ${hash} at ${width} × ${height}: ${top} to ${bottom}`;
          assert.ok(top >= 0 && bottom <= height && own > 15, where);
        }
      }
      await page.close();
    }
  });

  it('has few controls at first sight, and nothing between the texts and the row of the map', async () => {
    for (const [width, height, most] of [
      [1440, 900, 23],
      [390, 844, 19],
    ]) {
      const page = await demo.browser.newPage();
      const isPhone = width < 500;
      await page.setViewport({ width, height, isMobile: isPhone, hasTouch: isPhone });
      await page.goto(demo.url);
      await drawn(page);
      const found = await controlsInSight(page);
      assert.ok(found.length <= most, `${width} × ${height}: ${found.length}, ${found.join('; ')}`);
      const [texts, row, map] = await page.evaluate(() =>
        ['.sentences', '.toolbar', '.stage'].map((selector) => {
          const { top, bottom } = document.querySelector(selector).getBoundingClientRect();
          return [top, bottom];
        }),
      );
      assert.ok(row[0] - texts[1] < 16 && map[0] - row[1] < 16, `${texts}, ${row}, ${map}`);
      await page.close();
    }
  });

  it('has no layout shifts', async () => {
    const { page } = await open(demo.browser, demo.url);
    const places = () =>
      page.evaluate(() =>
        ['.texts', '.reading', '.stage', '.looking', '.flow'].map((selector) => {
          const { x, y } = document.querySelector(selector).getBoundingClientRect();
          return `${selector} ${x.toFixed(1)} ${(y + scrollY).toFixed(1)}`;
        }),
      );
    const start = await places();
    for (const value of ['tea', '', 'one two three '.repeat(60)]) {
      await paste(page, 'first', value);
      assert.deepEqual(await places(), start, `“${value.slice(0, 10)}”`);
    }
    for (const view of ['lines', 'heads', 'table', 'matrix']) {
      await choose(page, 'view', view);
      assert.deepEqual(await places(), start, view);
    }
    await click(page, '#causal');
    await choose(page, 'heads', '4');
    await pick(page, 'kind', 'elu');
    await pick(page, 'kind', 'softmax');
    await slide(page, 'temperature', 2);
    assert.deepEqual(await places(), start);
    await page.close();
  });

  it('has room for a translation on the smallest phone', async () => {
    const { page } = await open(demo.browser, demo.url, '#mode=cross', { folded: true });
    await page.setViewport({ width: 320, height: 640 });
    const check = async (what) => {
      for (const view of ['lines', 'heads', 'table', 'matrix']) {
        await choose(page, 'view', view);
        const over = await overflow(page);
        assert.ok(over <= 0, `${what}, ${view}: ${over} px`);
      }
    };
    await check('folded');
    await unfold(page);
    await check('unfolded');
    await page.close();
  });

  it('is no wider than a phone, in every mode and view', async () => {
    const { page } = await open(demo.browser, demo.url);
    for (const width of [320, 360, 768]) {
      await page.setViewport({ width, height: 740 });
      for (const mode of ['cross', 'self']) {
        await choose(page, 'mode', mode);
        for (const value of [
          'A word',
          'Donaudampfschifffahrt'.repeat(5),
          'wörd 中文 '.repeat(40),
        ]) {
          await paste(page, 'first', value);
          for (const view of ['lines', 'heads', 'table', 'matrix']) {
            await choose(page, 'view', view);
            const over = await overflow(page);
            assert.ok(over <= 0, `${mode}, ${view}, “${value.slice(0, 9)}”: ${over} px`);
          }
        }
      }
    }
    // Min target size (WCAG 2.2, 2.5.8).
    const small = await page.evaluate(() =>
      Array.from(document.querySelectorAll('button, select, input[type="checkbox"], summary'))
        .filter((one) => one.checkVisibility())
        .map((one) => [one.outerHTML.slice(0, 60), one.getBoundingClientRect()])
        .filter(([, { width, height }]) => width < 24 || height < 18)
        .map(([html]) => html),
    );
    assert.deepEqual(small, []);
    await page.close();
  });

  it('has room for the reader’s own files on the smallest phone', async () => {
    for (const source of ['files', 'own']) {
      const { page } = await open(demo.browser, demo.url, `#source=${source}`, { folded: true });
      await page.setViewport({ width: 320, height: 640 });
      await drawn(page);
      const over = await page.evaluate(() =>
        Array.from(document.querySelectorAll('main *'))
          .filter((one) => one.checkVisibility() && !one.closest('.examples, .unseen'))
          .filter((one) => one.getBoundingClientRect().right > innerWidth)
          .map((one) => one.className || one.tagName),
      );
      assert.deepEqual(over, [], source);
      // Without a picture the text uses the largest font that fits.
      const [tall, room] = await page.$eval('#first', (one) => [
        one.scrollHeight,
        one.clientHeight,
      ]);
      assert.ok(tall <= room, `${source}: ${tall} of ${room}`);
      await page.close();
    }
  });
});
