// The sentence below the map, announced to screen readers.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { open, press, read, startPage } from '../../support/browser/page_driver.js';

describe('the sentence', { timeout: 180_000 }, () => {
  const demo = startPage('chromium');

  it('is announced when a setting changes', async () => {
    const { page } = await open(demo.browser, demo.url);
    await page.focus('#causal');
    await press(page, ' ');
    const { query, key } = await read(page);
    await page.waitForFunction(
      (...words) => {
        const said = document.querySelector('#announcement[role="status"]').textContent;
        const shown = document.querySelector('.looking').textContent;
        return said === shown && words.every((word) => said.includes(word));
      },
      { timeout: 120_000 },
      query,
      key,
    );
    await page.close();
  });

  it('is announced for each word that is read', async () => {
    const { page } = await open(demo.browser, demo.url);
    await page.focus('#first-words');
    await press(page, 'Home');
    await press(page, 'ArrowRight');
    assert.equal((await read(page)).query, 'much');
    const expected = await page.$eval('.looking', (one) => one.textContent);
    await page.waitForFunction(
      (says) => document.querySelector('#announcement').textContent === says,
      { timeout: 120_000 },
      expected,
    );
    await page.close();
  });

  it('is announced for what the map’s keys select, and says that a link is blocked', async () => {
    const { page } = await open(demo.browser, demo.url, '#mode=cross&row=2&column=1');
    await page.waitForSelector('.block-it button:not([disabled])', { timeout: 60_000 });
    const announced = (says) =>
      page.waitForFunction(
        (wanted) => document.querySelector('#announcement').textContent.includes(wanted),
        { timeout: 120_000 },
        says,
      );
    await page.focus('.matrix-view attention-map');
    await press(page, 'ArrowRight');
    await announced('“car”');
    await press(page, 'x');
    await announced('you blocked it');
    // The words are options with their weight, and the empty field says what the model writes.
    const [option, field] = await page.evaluate(() => [
      document.querySelector('#second-words [role="option"][data-weight]:not([data-weight=""])')
        .ariaLabel,
      document.querySelector('#first').getAttribute('aria-description'),
    ]);
    assert.match(option, /^\S+, weight [\d.]+\u00a0%$/);
    assert.match(field, /^The model writes: La voiture/);
    await page.close();
  });
});
