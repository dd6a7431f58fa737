// What attention costs: measured in the reader's demo.browser, at the length of the text and at rising ones, beside the
// worker that draws.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { problems } from '../support/browser/axe.js';
import { click, drawn, open, paste, read, startPage } from '../support/browser/page_driver.js';

const readCost = (page) =>
  page.evaluate(() => ({
    heads: Array.from(document.querySelectorAll('.cost thead th'), (one) => one.textContent),
    rows: Array.from(document.querySelectorAll('.cost tbody tr'), (row) =>
      Array.from(row.children, (one) => one.textContent),
    ),
    points: Array.from(
      document.querySelectorAll('.cost polyline'),
      (line) => line.getAttribute('points').split(' ').filter(Boolean).length,
    ),
    says: document.querySelector('.cost [role="status"]').textContent,
    how: document.querySelector('.cost .hint').textContent,
  }));

for (const name of ['chromium', 'firefox']) {
  describe(`the cost in ${name}`, { timeout: 300_000 }, () => {
    const demo = startPage(name);

    const isDone = (page) =>
      page.waitForFunction(() => document.querySelector('.cost button')?.disabled === false, {
        timeout: 120_000,
      });

    it('is measured for three kinds, with the text growing', async () => {
      const hash = '#source=ngrams&text=one+two+three+four+five';
      const { page, said } = await open(demo.browser, demo.url, hash);
      await click(page, '#settings');
      assert.equal(page.workers().length, name === 'chromium' ? 1 : page.workers().length);
      await page.evaluate(() => document.querySelector('.cost summary').click());
      // One types on while it is measured.
      await page.waitForSelector('.cost polyline');
      await paste(page, 'first', 'one two three four five six seven');
      assert.equal((await read(page)).message, '');
      await isDone(page);
      await page.waitForFunction(() =>
        /^[\d.]+$/.test(document.querySelector('.cost tbody td').textContent),
      );
      const { heads, rows, points, says, how } = await readCost(page);
      assert.equal(heads[0], 'at 7');
      assert.deepEqual(
        rows.map(([kind]) => kind),
        ['Softmax', 'Linear', 'Efficient'],
      );
      for (const [kind, here, there] of rows) {
        assert.ok(Number(here) > 0 && Number(there) > Number(here), `${kind}: ${here}, ${there}`);
      }
      // At thousands of tokens the square is what counts, whatever the machine.
      const [softmax, ...others] = rows.map(([, , there]) => Number(there));
      for (const other of others) assert.ok(softmax > 2 * other, `${softmax} and ${other}`);
      assert.equal(new Set(points).size, 1);
      assert.ok(points[0] >= 5, `${points[0]} lengths`);
      assert.match(says, /takes less time/);
      assert.match(how, /one thread.* one head of size 64, no weights kept; median of 5 rounds/);
      assert.deepEqual(await problems(page), []);
      // Another length is measured as well, once nobody types.
      await paste(page, 'first', 'one two three');
      await page.waitForFunction(
        () =>
          document.querySelector('.cost thead th').textContent === 'at 3' &&
          /^[\d.]+$/.test(document.querySelector('.cost tbody td').textContent),
        { timeout: 60_000 },
      );
      assert.deepEqual((await readCost(page)).points[0], points[0] + 1);
      await drawn(page);
      assert.deepEqual(said, []);
      await page.close();
    });
  });
}
