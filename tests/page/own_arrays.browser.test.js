// The reader's queries, keys and values, or weights: from NumPy, CSV, JSON and the page's own exports; and removing
// files.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { npy } from '../support/js/numpy_file.js';
import { assertTable } from '../support/js/page_numbers.js';
import { problems } from '../support/browser/axe.js';
import {
  catchFiles,
  choose,
  click,
  drawn,
  dropFile,
  exported,
  open,
  paste,
  pick,
  read,
  readTable,
  startPage,
} from '../support/browser/page_driver.js';

const { attention } = await loadAttention();
const array = (dims, seed) => ({
  data: Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, (_, at) =>
    Math.fround(Math.sin(seed + at * at)),
  ),
  dims,
});
const numbered = (count) => Array.from({ length: count }, (_, at) => `${at + 1}`);

describe('own arrays in the page', { timeout: 600_000 }, () => {
  const demo = startPage('chromium');

  const start = (hash = '#source=ngrams&text=tea+for+my+uncle') =>
    open(demo.browser, demo.url, hash);
  const textOf = (page, selector) => page.$eval(selector, (one) => one.textContent.trim());
  const names = (page) =>
    page.$$eval('.open-files strong', (list) => list.map((one) => one.textContent));
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

  it('opens q, k and v from NumPy, labeled by the text if it has as many words', async () => {
    const { page, said } = await start();
    const [q, k, v] = [array([4, 6], 1), array([4, 6], 2), array([4, 3], 3)];
    await dropFile(page, 'q.npy', npy(q, { descr: '<f8', fortran: true }));
    assert.match(await textOf(page, '.note'), /Still missing: key and value/);
    await dropFile(page, 'k.npy', npy(k, { version: 2 }));
    assert.match(await textOf(page, '.note'), /Still missing: value/);
    assert.match(await dropFile(page, 'v.npy', npy(v)), /v\.npy: value 4 × 3/);
    const words = ['tea', 'for', 'my', 'uncle'];
    const { weights } = attention(q, k, v, { weights: true });
    assertTable(await readTable(page), { rows: words, columns: words }, weights.data);
    // The text has another number of words: rows are numbered.
    await paste(page, 'first', 'tea for two');
    const four = { rows: numbered(4), columns: numbered(4) };
    assertTable(await readTable(page), four, weights.data);
    // Two heads for an array without heads.
    await dropFile(page, 'v.npy', npy(array([4, 4], 3)));
    await choose(page, 'heads', '2');
    await pick(page, 'head', '1');
    const two = attention(q, k, array([4, 4], 3), { heads: 2, weights: true }).weights.data;
    assertTable(await readTable(page), four, two.subarray(16));
    assert.deepEqual(await names(page), ['q.npy', 'k.npy', 'v.npy']);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('accepts layers and heads, and names them as the file’s', async () => {
    const { page } = await start('#source=ngrams&mode=cross&text=a+b&context=a+b+c&heads=4');
    const weights = array([3, 2, 2, 3], 5);
    weights.data.forEach((value, at) => (weights.data[at] = Math.abs(value)));
    await dropFile(page, 'attentions.npy', npy(weights, { descr: '<f4' }));
    assert.match(await textOf(page, '.note'), /attentions\.npy has 2 heads/);
    assert.match(await textOf(page, '.note'), /rows sum to/);
    const labels = { rows: ['a', 'b'], columns: ['a', 'b', 'c'] };
    assertTable(await readTable(page), labels, weights.data.subarray(0, 6));
    await pick(page, 'part', 'own.2');
    await pick(page, 'head', '1');
    assertTable(await readTable(page), labels, weights.data.subarray(30));
    const why = await page.evaluate(() =>
      Array.from(document.querySelectorAll('.control.not-now .off'), (one) => one.textContent),
    );
    const fixed = why.filter((one) => one === 'The weights are those of attentions.npy.');
    assert.equal(fixed.length, 8, why.join(' '));
    await page.close();
  });

  it('accepts weights as CSV, and draws them in every view', async () => {
    const { page, said } = await start();
    const csv = ',Zuko,made,tea\r\nZuko,0.5,0.25,0.25\r\nmade,0,1,0\r\ntea,0.125,0.125,0.75\r\n';
    await dropFile(page, 'weights.csv', csv);
    const words = ['Zuko', 'made', 'tea'];
    const truth = [0.5, 0.25, 0.25, 0, 1, 0, 0.125, 0.125, 0.75];
    assertTable(await readTable(page), { rows: words, columns: words }, truth);
    assert.equal(await textOf(page, '#first-words'), 'Zuko made tea');
    assert.equal(await page.$eval('#first', (one) => one.value), 'Zuko made tea');
    assert.match(await textOf(page, '.note'), /words come from weights\.csv/);
    assert.ok(await page.$eval('.inspector', (one) => one.hidden));
    assert.equal(await textOf(page, '.in-force'), 'given weights');
    assert.deepEqual(await problems(page), []);
    for (const view of ['lines', 'heads', 'matrix']) await choose(page, 'view', view);
    assert.equal((await read(page)).score, '–');
    assert.ok(
      await page.$eval('.stages', (one) => !one.checkVisibility({ visibilityProperty: true })),
    );
    await catchFiles(page);
    const { says } = await exported(page, 'javascript');
    assert.match(says, /weights are those of weights\.csv/);
    const svg = await exported(page, 'svg');
    assert.match(svg.text, /as they were given/);
    // The page's own CSV gives the same weights.
    const again = await exported(page, 'csv');
    await dropFile(page, again.name, again.text);
    assertTable(await readTable(page), { rows: words, columns: words }, truth);
    assert.deepEqual(await names(page), ['attention.csv']);
    assert.deepEqual(said, []);
    await page.close();
  });

  const pictures = {
    'spelling, masked and sorted':
      '#source=ngrams&text=how+much+wood%3F+would+a+wood-chuck&heads=2&head=1&causal=yes' +
      '&merge=yes&hideSpecial=yes&sort=total&row=1&column=0&temperature=2',
    'two texts by a kernel':
      '#source=ngrams&mode=cross&text=tea+for+uncle&context=my+uncle+made+tea&kind=laplacian&stage=difference&row=2&column=1',
    'the model’s translation':
      '#mode=cross&text=The+red+car+is+in+front+of+the+house.&merge=yes&head=1&row=3&column=4',
    'the decoder of the model':
      '#mode=cross&text=The+red+car.&part=decoder.1&average=yes&view=lines&row=2&column=1',
  };
  for (const [what, hash] of Object.entries(pictures)) {
    it(`opens its own JSON export: ${what}`, async () => {
      const { page, said } = await start(hash);
      await catchFiles(page);
      const { text: json } = await exported(page, 'json');
      const view = await page.$eval('[name="view"]:checked', (one) => one.value);
      const before = { ...(await read(page)), ...(await readTable(page)) };
      await page.close();
      const { page: other } = await start('#source=ngrams&text=other+words&kind=cosine');
      await dropFile(other, 'attention.json', json);
      assert.equal(await other.$eval('[name="view"]:checked', (one) => one.value), view);
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
  }

  it('restores the text that the labels of a file replaced', async () => {
    const { page } = await start('#source=files&text=other+words');
    const json = { attention: [[1, 0, 0]], left_text: ['thé'], right_text: ['tea', 'for', 'me'] };
    await dropFile(page, 'attention.json', JSON.stringify(json));
    const { rows, columns } = await readTable(page);
    assert.deepEqual([rows, columns], [['thé'], ['tea', 'for', 'me']]);
    const fields = await page.$$eval('#first, #second', (all) => all.map((one) => one.value));
    assert.deepEqual(fields, ['thé', 'tea for me']);
    await takeAway(page, 'attention.json');
    assert.deepEqual((await readTable(page)).rows, ['other', 'words']);
    assert.equal(await page.$eval('[name="mode"]:checked', (one) => one.value), 'self');
    await page.close();
  });

  it('removes files one by one', async () => {
    const { page } = await start('#source=files&text=tea+cup');
    const [glove, longer] = ['tea 1 0\ncup 0 1\n', 'tea 1 0\ncup 1 2\nfor 1 1\n'];
    await dropFile(page, 'glove.txt', glove);
    await dropFile(page, 'q.npy', npy(array([2, 2], 1)));
    // Arrays replace word vectors; word vectors replace arrays and word vectors.
    assert.deepEqual(await names(page), ['q.npy']);
    await dropFile(page, 'glove.txt', glove);
    await dropFile(page, 'longer.txt', longer);
    assert.deepEqual(await names(page), ['longer.txt']);
    await dropFile(page, 'config.json', '{"num_attention_heads": 2}');
    assert.deepEqual(await names(page), ['longer.txt', 'config.json']);
    assert.match(await textOf(page, '.note'), /config\.json has 2 heads; the setting is ignored/);
    assert.equal(await page.$eval('#head', (one) => one.options.length), 3);
    await page.focus('[aria-label="Remove config.json"]');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelectorAll('.open-files li').length === 1);
    await drawn(page);
    // Keyboard focus stays at its place in the list.
    const focused = () => page.evaluate(() => document.activeElement.getAttribute('aria-label'));
    assert.equal(await focused(), 'Remove longer.txt');
    assert.ok(await page.$eval('#head', (one) => one.disabled));
    const x = { data: Float32Array.of(1, 0, 1, 2), dims: [2, 2] };
    const words = { rows: ['tea', 'cup'], columns: ['tea', 'cup'] };
    const { weights } = attention(x, x, x, { weights: true });
    assertTable(await readTable(page), words, weights.data);
    await takeAway(page, 'longer.txt');
    assert.match(await textOf(page, '.note'), /No file yet/);
    assert.deepEqual(await names(page), []);
    // A file dropped in the Lookup mode changes the mode.
    await choose(page, 'mode', 'lookup');
    await dropFile(page, 'glove.txt', glove);
    assert.ok(await page.$eval('.open-files', (one) => one.checkVisibility()));
    await takeAway(page, 'glove.txt');
    assert.equal(await page.$eval('[name="mode"]:checked', (one) => one.value), 'lookup');
    await page.close();
  });

  it('shows a message for an invalid array, and keeps the picture', async () => {
    const { page, said } = await start('#source=files&text=tea+cup');
    const before = await readTable(page);
    const hole = array([2, 3, 4], 1);
    hole.data[17] = NaN;
    const tall = array([2, 2, 2], 1);
    for (const [fileName, content, pattern] of [
      [
        'q.npy',
        npy(array([2, 4], 1)).subarray(0, 140),
        /q\.npy” cannot be read as \.npy: .*cut off/,
      ],
      ['q.npy', npy(array([2, 4], 1), { descr: '|O' }), /Python objects/],
      ['q.npy', npy(hole), /head 2, row 2, column 2 of query is NaN/],
      ['q.npy', npy(array([8], 1)), /query has dims 8, and should have 2/],
      ['q.npy', npy(array([0, 4], 1)), /query is 0 × 4: it has no numbers/],
      ['q.npy', npy(array([600, 2], 1)), /600 rows; the page draws 512 at most/],
      ['q.npy', '<!doctype html><html><body>Not found', /it is a web page/],
      ['thing.npy', npy(array([2, 4], 1)), /does not say what it is: call it q, k, v or weights/],
      ['weights.csv', '0.5,0.5\n0.5,inf\n', /row 2, column 2 of weights is Infinity/],
      ['weights.csv', '0.5,0.5\n0.5\n', /line 2 has 1 numbers/],
      ['weights.json', '{"weights": [[1, NaN]]}', /line 1 has NaN/],
      ['odd.json', '{"name": "tea"}', /no query, key and value and no weights; it has name/],
      ['attention-masked.csv', '1,2\n', /its name says scores/],
    ]) {
      const says = await dropFile(page, fileName, content);
      assert.match(says, pattern, fileName);
      assert.ok(says.includes(fileName), says);
      assert.ok(await page.$eval('.files-say', (one) => one.clientHeight > 10), 'can be seen');
    }
    assert.deepEqual(await names(page), []);
    assert.deepEqual(await readTable(page), before);
    // Arrays of different sizes.
    await dropFile(page, 'k.npy', npy(array([5, 4], 1)));
    for (const [fileName, content, pattern] of [
      ['q.npy', npy(array([2, 3], 1)), /query is 2 × 3 and the key is 5 × 4: .*d_k, must be equal/],
      ['v.npy', npy(array([4, 3], 1)), /key is 5 × 4 and the value is 4 × 3: the numbers of rows/],
      ['q.npy', npy(tall), /must be equal/],
    ]) {
      assert.match(await dropFile(page, fileName, content), pattern);
    }
    assert.deepEqual(await names(page), ['k.npy']);
    await click(page, '.open-files button');
    assert.deepEqual(said, []);
    await page.close();
  });
});
