// The row of the map: layer, head and average, in full at every width and behind one button on a phone.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadTranslator } from 'attention-wasm/translator';
import {
  click,
  drawn,
  open,
  pick,
  press,
  readTable,
  startPage,
} from '../support/browser/page_driver.js';
import { assertTable } from '../support/js/page_numbers.js';

const translator = await loadTranslator();

describe('the choices of the map', { timeout: 180_000 }, () => {
  const demo = startPage('chromium');

  it('show the layer and head that are picked, or the average of its heads', async () => {
    const english = 'My uncle made tea.';
    const link = new URLSearchParams({ text: english, merge: 'no', hideSpecial: 'no' });
    const { page, said } = await open(demo.browser, demo.url, `#mode=self&${link}`);
    const { source, attention } = translator.encode(english);
    const words = source.tokens.map(({ text }) => text);
    const labels = { rows: words, columns: words };
    const { data, dims } = attention.encoder[2];
    const size = words.length ** 2;
    await pick(page, 'part', 'encoder.2');
    await pick(page, 'head', '3');
    assertTable(await readTable(page), labels, data.subarray(3 * size, 4 * size));
    await pick(page, 'head', 'average');
    const mean = Array.from({ length: size }, (_, at) => {
      const heads = Array.from({ length: dims[0] }, (_head, head) => data[head * size + at]);
      return heads.reduce((sum, weight) => sum + weight, 0) / dims[0];
    });
    assertTable(await readTable(page), labels, mean);
    assert.equal(await page.$eval('#average', (input) => input.checked), true);
    await pick(page, 'head', '0');
    assert.equal(await page.$eval('#average', (input) => input.checked), false);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('show the head’s number in full, without layout shifts', async () => {
    const { page } = await open(demo.browser, demo.url, '#mode=self');
    for (const width of [320, 390, 640, 768, 960, 1152, 1280, 1408, 1600]) {
      await page.setViewport({ width, height: 800 });
      const isPhone = width <= 640;
      const isOpen = await page.$eval('#choices', (one) => one.ariaExpanded === 'true');
      if (isPhone && !isOpen) await click(page, '#choices');
      const seen = [];
      for (const head of ['0', '3', 'average']) {
        await pick(page, 'head', head);
        seen.push(
          await page.evaluate(() => {
            const [chooser, name] = ['#head', '.head-name'].map((one) =>
              document.querySelector(one),
            );
            const fill = (one) => getComputedStyle(one).webkitTextFillColor;
            const boxOf = (one) => one.getBoundingClientRect();
            const [outer, inner] = [chooser, name].map(boxOf);
            const isInside = inner.left >= outer.left && inner.right <= outer.right - 16;
            return {
              name: name.textContent,
              isWhole: isInside && inner.width > 30 && name.scrollWidth <= name.clientWidth,
              fills: [chooser, chooser.options[0]].map((one) => fill(one) === 'rgba(0, 0, 0, 0)'),
              list: chooser.selectedOptions[0].text,
              places: ['.toolbar', '#head', '.stage'].map((selector) => {
                const { left, top, width: wide } = boxOf(document.querySelector(selector));
                return [left, top - outer.top, wide].map(Math.round);
              }),
            };
          }),
        );
      }
      for (const { name: one, isWhole, fills, list, places } of seen) {
        assert.ok(isWhole, `${width}: ${one}`);
        assert.deepEqual(fills, [true, false]); // the list names roles, the closed control the number
        assert.ok(list.startsWith(one), list);
        assert.deepEqual(places, seen[0].places, `${width}`);
      }
      assert.deepEqual(
        seen.map((one) => one.name),
        ['Head 1', 'Head 4', 'All, averaged'],
      );
    }
    await page.close();
  });

  it('are behind one button on a phone', async () => {
    const { page } = await open(demo.browser, demo.url, '', { folded: true });
    await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true });
    await drawn(page);
    const isSeen = (selector) => page.$eval(selector, (one) => one.checkVisibility());
    const inside = ['#part', '#head', '#map-choices [value="compare"] + span'];
    for (const selector of inside) assert.equal(await isSeen(selector), false, selector);
    await page.tap('#choices');
    for (const selector of inside) assert.equal(await isSeen(selector), true, selector);
    assert.equal(await isSeen('#play'), true);
    // Compare stands there until it is shown.
    await page.tap('#map-choices [value="compare"] + span');
    await drawn(page);
    assert.equal(await isSeen('.views [value="compare"] + span'), true);
    assert.equal(await page.$('#map-choices [value="compare"]'), null);
    await page.focus('#head');
    await press(page, 'Escape');
    assert.equal(await isSeen('#map-choices'), false);
    assert.equal(await page.evaluate(() => document.activeElement.id), 'choices');
    await page.close();
  });
});
