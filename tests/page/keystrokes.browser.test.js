// Effects of a key press besides the picture: font size and address. tests/bench/page_keystrokes.js measures its time.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { textOf } from '../bench/keystrokes.js';
import { open, paste, startPage } from '../support/browser/page_driver.js';

describe('key presses', { timeout: 300_000 }, () => {
  const demo = startPage('chromium');

  it('gives a shortened text the font size of a new one', async () => {
    const sizeOf = (page) => page.$eval('.sentences', (element) => element.dataset.size);
    const hashOf = (text) => `#source=ngrams&first=${encodeURIComponent(text)}`;
    const { page } = await open(demo.browser, demo.url, hashOf(textOf(40)));
    const sizes = new Set();
    let text = textOf(40);
    while (text.length > 20) {
      text = text.slice(0, -9);
      await paste(page, 'first', text);
      sizes.add(await sizeOf(page));
    }
    const fresh = await open(demo.browser, demo.url, hashOf(text));
    assert.equal(await sizeOf(page), await sizeOf(fresh.page));
    assert.ok(sizes.size > 3, [...sizes].join());
    await fresh.page.close();
    await page.close();
  });

  it('does not change the address with every key press', async () => {
    const { page } = await open(demo.browser, demo.url, '#source=ngrams');
    const count = await page.evaluate(async () => {
      let writes = 0;
      for (const how of ['pushState', 'replaceState']) {
        const write = history[how].bind(history);
        history[how] = (...what) => {
          ++writes;
          write(...what);
        };
      }
      const field = document.querySelector('#first');
      for (let letter = 0; letter < 20; ++letter) {
        field.value += 'a';
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }
      const during = writes;
      await new Promise((done) => setTimeout(done, 1000));
      return { during, after: writes };
    });
    assert.deepEqual(count, { during: 0, after: 1 });
    await page.close();
  });
});
