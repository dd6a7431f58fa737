// Measured cost of attention, at the length of the text and greater ones, by a worker of its own.

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

describe('the cost', { timeout: 300_000 }, () => {
  const demo = startPage('chromium');

  const isDone = (page) =>
    page.waitForFunction(() => document.querySelector('.cost button')?.disabled === false, {
      timeout: 120_000,
    });

  it('is measured for three kinds, with the text growing', async () => {
    const hash = '#source=ngrams&text=one+two+three+four+five';
    const { page, said } = await open(demo.browser, demo.url, hash);
    await click(page, '#settings');
    assert.equal(page.workers().length, 1);
    await page.evaluate(() => document.querySelector('.cost summary').click());
    // Typing continues during the measurement.
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
      // With a clock of 0.1 ms a few words may take 0.0 ms.
      assert.ok(Number(here) >= 0 && Number(there) > 0, `${kind}: ${here}, ${there}`);
    }
    assert.equal(new Set(points).size, 1);
    assert.ok(points[0] >= 5, `${points[0]} lengths`);
    assert.match(says, /is faster from \d+ tokens on/);
    assert.match(how, /one thread.* one head of size 64, no weights kept; median of 5 rounds/);
    assert.deepEqual(await problems(page), []);
    // A changed length is measured after a pause in typing.
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
