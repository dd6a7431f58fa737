// The reader's files in the page: dropped, listed, removed, refused; the page's own export opened again. What files
// contain is tested in tests/page/sources.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { npy } from '../support/js/numpy_file.js';
import { assertTable } from '../support/js/page_numbers.js';
import { problems } from '../support/browser/axe.js';
import {
  catchFiles,
  choose,
  drawn,
  dropFile,
  exported,
  open,
  read,
  readTable,
  shownView,
  startPage,
} from '../support/browser/page_driver.js';

const { attention } = await loadAttention();
const array = (dims, seed) => ({
  data: Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, (_, at) =>
    Math.fround(Math.sin(seed + at * at)),
  ),
  dims,
});
const spelled = '#source=ngrams&text=tea+for+my+uncle';
const textOf = (page, selector) => page.$eval(selector, (one) => one.textContent.trim());
const names = (page) =>
  page.$$eval('.open-files strong', (all) => all.map((one) => one.textContent));

for (const name of ['chromium', 'firefox']) {
  describe(`a dropped file in ${name}`, { timeout: 300_000 }, () => {
    const demo = startPage(name);

    it('is opened beside those that it needs', async () => {
      const { page, said } = await open(demo.browser, demo.url, spelled);
      const [q, k, v] = [array([4, 6], 1), array([4, 6], 2), array([4, 3], 3)];
      await dropFile(page, 'q.npy', npy(q));
      assert.match(await textOf(page, '.note'), /Still missing: key and value/);
      await dropFile(page, 'k.npy', npy(k));
      assert.match(await dropFile(page, 'v.npy', npy(v)), /v\.npy: value 4 × 3/);
      const words = ['tea', 'for', 'my', 'uncle'];
      const { weights } = attention(q, k, v, { weights: true });
      assertTable(await readTable(page), { rows: words, columns: words }, weights.data);
      assert.deepEqual(await names(page), ['q.npy', 'k.npy', 'v.npy']);
      assert.deepEqual(said, []);
      await page.close();
    });
  });
}

describe('files in the page', { timeout: 600_000 }, () => {
  const demo = startPage('chromium');

  const start = (hash = spelled) => open(demo.browser, demo.url, hash);
  const takeAway = async (page, file) => {
    await page.evaluate(
      (label) => document.querySelector(`[aria-label="Remove ${label}"]`).click(),
      file,
    );
    await page.waitForFunction(
      (label) => !document.querySelector(`[aria-label="Remove ${label}"]`),
      {},
      file,
    );
    await drawn(page);
  };

  it('with weights are drawn in every view and exported', async () => {
    const { page, said } = await start();
    const words = ['Zuko', 'made', 'tea'];
    const weights = [
      [0.5, 0.25, 0.25],
      [0, 1, 0],
      [0.125, 0.125, 0.75],
    ];
    await dropFile(page, 'weights.json', JSON.stringify({ weights, tokens: words }));
    const truth = weights.flat();
    assertTable(await readTable(page), { rows: words, columns: words }, truth);
    assert.equal(await textOf(page, '#first-words'), 'Zuko made tea');
    assert.equal(await page.$eval('#first', (one) => one.value), 'Zuko made tea');
    assert.match(await textOf(page, '.note'), /words come from weights\.json/);
    assert.equal(await page.$('.inspector .step'), null);
    assert.equal(await textOf(page, '.in-force'), 'given weights');
    assert.deepEqual(await problems(page), []);
    for (const view of ['lines', 'heads', 'matrix']) await choose(page, 'view', view);
    assert.equal((await read(page)).score, '–');
    assert.equal(await page.$('[name="stage"]'), null);
    await catchFiles(page);
    const { says } = await exported(page, 'javascript');
    assert.match(says, /weights are those of weights\.json/);
    const svg = await exported(page, 'svg');
    assert.match(svg.text, /as they were given/);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('open the page’s own JSON export, whose pictures are compared in exports/reopened.test.js', async () => {
    const hash =
      '#mode=cross&text=The+red+car+is+in+front+of+the+house.&merge=yes&view=lines&head=1&row=3&column=4';
    const { page, said } = await start(hash);
    await catchFiles(page);
    const { text: json } = await exported(page, 'json');
    const view = await shownView(page);
    const before = { ...(await read(page)), ...(await readTable(page)) };
    await page.close();
    const { page: other } = await start('#source=ngrams&text=other+words&kind=cosine');
    await dropFile(other, 'attention.json', json);
    assert.equal(await shownView(other), view);
    const after = { ...(await read(other)), ...(await readTable(other)) };
    assert.deepEqual(after, before);
    assert.deepEqual(await names(other), ['attention.json']);
    assert.match(await textOf(other, '.note'), /words come from attention\.json/);
    // Removing the file restores the state before.
    await takeAway(other, 'attention.json');
    const { rows } = await readTable(other);
    assert.deepEqual(rows, ['other', 'words']);
    assert.equal(await other.$eval('#kind', (one) => one.value), 'cosine');
    assert.equal(await other.$eval('#source', (one) => one.value), 'ngrams');
    assert.deepEqual(said, []);
    await other.close();
  });

  it('restores the text that the labels of a file replaced', async () => {
    const { page } = await start('#source=files&text=other+words');
    const json = { attention: [[1, 0, 0]], left_text: ['thé'], right_text: ['tea', 'for', 'me'] };
    await dropFile(page, 'attention.json', JSON.stringify(json));
    const { rows, columns } = await readTable(page);
    assert.deepEqual([rows, columns], [['thé'], ['tea', 'for', 'me']]);
    const fields = await page.evaluate(() =>
      ['first', 'second'].map((id) => document.getElementById(id).value),
    );
    assert.deepEqual(fields, ['thé', 'tea for me']);
    await takeAway(page, 'attention.json');
    assert.deepEqual((await readTable(page)).rows, ['other', 'words']);
    assert.equal(await page.$eval('[name="mode"]:checked', (one) => one.value), 'self');
    await page.close();
  });

  it('are removed by the keyboard, whose focus stays in the list', async () => {
    const { page } = await start('#source=files&text=tea+cup');
    await dropFile(page, 'q.npy', npy(array([2, 2], 1)));
    await dropFile(page, 'k.npy', npy(array([2, 2], 2)));
    await page.focus('[aria-label="Remove q.npy"]');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelectorAll('.open-files li').length === 1);
    await drawn(page);
    const focused = await page.evaluate(() => document.activeElement.getAttribute('aria-label'));
    assert.equal(focused, 'Remove k.npy');
    await takeAway(page, 'k.npy');
    assert.match(await textOf(page, '.note'), /No file yet/);
    // A file dropped in the mode Learn changes the mode, and gives it back.
    await choose(page, 'mode', 'learn');
    await dropFile(page, 'q.npy', npy(array([2, 2], 1)));
    assert.ok(await page.$eval('.open-files', (one) => one.checkVisibility()));
    await takeAway(page, 'q.npy');
    assert.equal(await page.$eval('[name="mode"]:checked', (one) => one.value), 'learn');
    await page.close();
  });

  it('that are refused leave the picture, and are named in a visible message', async () => {
    const { page, said } = await start('#source=files&text=tea+cup');
    const before = await readTable(page);
    for (const [fileName, content, pattern] of [
      ['q.npy', npy(array([8], 1)), /q\.npy” cannot be read as \.npy: query has dims 8/],
      ['weights.csv', '0.5,0.5\n', /weights\.csv” cannot be read: .*\.csv; JSON/],
    ]) {
      assert.match(await dropFile(page, fileName, content), pattern);
      assert.ok(await page.$eval('.files-say', (one) => one.clientHeight > 10), 'can be seen');
    }
    assert.deepEqual(await names(page), []);
    assert.deepEqual(await readTable(page), before);
    assert.deepEqual(said, []);
    await page.close();
  });
});
