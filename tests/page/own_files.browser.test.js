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
  paste,
  pick,
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
      assert.match((await read(page)).message, /Open: q\.npy\. Still missing: key and value\./);
      assert.equal(await page.$('.view.matrix canvas'), null, 'nothing stands in');
      await dropFile(page, 'k.npy', npy(k));
      assert.match(await dropFile(page, 'v.npy', npy(v)), /v\.npy: value 4 × 3/);
      const words = ['1', '2', '3', '4'];
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
    assert.equal(await page.$('.box:is(.of-vectors, .of-score, .of-scale, .of-value)'), null);
    assert.equal(await textOf(page, '.in-force'), 'given weights');
    assert.deepEqual(await problems(page), []);
    for (const view of ['lines', 'heads', 'matrix']) await choose(page, 'view', view);
    assert.equal((await read(page)).score, '');
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
      '#mode=cross&text=The+red+car+is+in+front+of+the+house.&merge=yes&view=lines&head=1&row=3&column=4&numbers=decimals';
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
    const restored = await page.$eval('#first', (one) => one.value);
    assert.equal(restored, 'other words');
    assert.match((await read(page)).message, /^Give weights/);
    assert.equal(await page.$eval('[name="mode"]:checked', (one) => one.value), 'self');
    await page.close();
  });

  it('with an array of ten are drawn and exported whole, with numbers as names', async () => {
    // The page opens with a text of as many tokens, the last of which is punctuation.
    const { page, said } = await start('');
    await catchFiles(page);
    const ten = Array.from({ length: 10 }, (_, at) => `${at + 1}`);
    const weights = array([10, 10], 4).data.map((one) => one * one);
    for (let row = 0; row < 10; ++row) {
      const own = weights.subarray(10 * row, 10 * row + 10);
      const sum = own.reduce((all, one) => all + one, 0);
      own.forEach((one, at) => (own[at] = one / sum));
    }
    await dropFile(page, 'weights.npy', npy({ data: weights, dims: [10, 10] }));
    assertTable(await readTable(page), { rows: ten, columns: ten }, weights);
    assert.equal(await textOf(page, '#first-words'), ten.join(' '));
    const sentence = await textOf(page, '.looking');
    assert.match(sentence, /^From “\d+” to “\d+”: weight /);
    assert.doesNotMatch(await page.$eval('main', (one) => one.innerText), /marks/);
    const csv = (await exported(page, 'csv')).text.trim().split('\r\n');
    const [head, ...lines] = csv.map((line) => line.split(','));
    assert.deepEqual(head, ['weights.npy', ...ten]);
    assert.deepEqual(
      lines.map(([name]) => name),
      ten,
    );
    assert.deepEqual(
      lines.flatMap(([, ...all]) => all.map(Number)),
      Array.from(weights),
    );
    await choose(page, 'view', 'matrix');
    const { text: svg } = await exported(page, 'svg');
    const { text: html } = await exported(page, 'page');
    for (const name of ten) {
      assert.ok(svg.split(`>${name}<`).length > 2, `row and column ${name} of the picture`);
    }
    const data = JSON.parse(/id="picture">(.*?)<\/script>/s.exec(html)[1]);
    assert.deepEqual([data.dims.slice(-2), data.weights.length], [[10, 10], 100]);
    const { text: json } = await exported(page, 'json');
    assert.deepEqual(JSON.parse(json).rows, ten);
    // Names that are typed then, with punctuation as one of them.
    await paste(page, 'first', '[CLS] the un ##kind cat - is here . [SEP]');
    const typed = '[CLS] the un ##kind cat - is here . [SEP]'.split(' ');
    assertTable(await readTable(page), { rows: typed, columns: typed }, weights);
    const { text: again } = await exported(page, 'json');
    await takeAway(page, 'weights.npy');
    await dropFile(page, 'attention.json', again);
    assertTable(await readTable(page), { rows: typed, columns: typed }, weights);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('leave an empty stage after a reload, and the view of the address when given again', async () => {
    const { page, said } = await start('#source=files&text=tea+cup');
    assert.match((await read(page)).message, /^Give weights, or queries, keys and values/);
    const isEmpty = () =>
      page.evaluate(() => {
        const isSeen = (one) => document.querySelector(one)?.checkVisibility() ?? false;
        return (
          !isSeen('.stage canvas') && !isSeen('.stage attention-map') && !isSeen('.looking strong')
        );
      });
    assert.ok(await isEmpty());
    const weights = array([3, 2, 4, 4], 2).data.map(Math.abs);
    const named = 'labels_weights.npy';
    await dropFile(page, named, npy({ data: weights, dims: [3, 2, 4, 4] }));
    await paste(page, 'first', 'le chat dort .');
    await pick(page, 'part', 'own.2');
    await pick(page, 'head', '1');
    await page.evaluate(() => document.querySelector('#first-words-3').click());
    await drawn(page);
    const table = await readTable(page);
    await page.waitForFunction(
      () => /row=3/.test(location.hash) && /view=table/.test(location.hash),
    );
    const address = await page.evaluate(() => location.hash);
    await page.reload();
    await drawn(page);
    assert.match((await read(page)).message, /^Give labels_weights\.npy again: /);
    assert.ok(await isEmpty());
    await dropFile(page, named, npy({ data: weights, dims: [3, 2, 4, 4] }));
    assert.deepEqual(await readTable(page), table);
    assert.equal(await page.evaluate(() => location.hash), address);
    assert.deepEqual(said, []);
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
    assert.match((await read(page)).message, /^Give weights, or queries, keys and values/);
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
    await dropFile(page, 'weights.json', '[[0.5, 0.5], [1, 0]]');
    const before = await readTable(page);
    for (const [fileName, content, pattern] of [
      ['q.npy', npy(array([8], 1)), /q\.npy” cannot be read as \.npy: query has dims 8/],
      ['weights.csv', '0.5,0.5\n', /weights\.csv” cannot be read: .*\.csv; JSON/],
      [
        'labels.json',
        '{ "weights": [[1, 0], [0, 1]], "rows": ["a", "b", "c"] }',
        /labels\.json” cannot be read as JSON: rows has 3 names for 2 rows\.$/,
      ],
    ]) {
      assert.match(await dropFile(page, fileName, content), pattern);
      assert.ok(await page.$eval('.files-say', (one) => one.clientHeight > 10), 'can be seen');
    }
    assert.deepEqual(await names(page), ['weights.json']);
    assert.deepEqual(await readTable(page), before);
    assert.deepEqual(said, []);
    await page.close();
  });
});
