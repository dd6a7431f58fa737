// The view Heads, alone and in the page: a tile for each head, one position marked in all of them; and what the heads of the
// reader's decoder do, measured on request, on every tile, and canceled.

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { formatValue } from '../../../web/lib/heatmap/number_formats.js';
import { loadModel } from 'attention-wasm/models';
import { lexicalScale } from 'attention-wasm/text';
import { scoresOf } from '../../../web/demo/worker/models/head_scores.js';
import { problems } from '../../support/browser/axe.js';
import { randomWeights } from '../../support/browser/heatmap_weights.js';
import {
  addressOf,
  choose,
  click,
  drawn,
  dropFile,
  dropModel,
  open,
  overflow,
  readTable,
  startPage,
} from '../../support/browser/page_driver.js';
import { startViews } from '../../support/browser/views_alone.js';
import { cases } from '../../support/js/models_with_tokens.js';
import { assertShows, assertTable, spell } from '../../support/js/page_numbers.js';
import { seededWeights } from '../../support/js/seeded_weights.js';
import { filesOf } from '../../support/js/own_model.js';

for (const name of ['chromium', 'firefox']) {
  describe(`the view Heads in ${name}`, { timeout: 180_000 }, () => {
    const views = startViews(name);
    let page;

    before(() => ({ page } = views));

    const { told, selection, cell: matrixCell } = views;

    it('shows the selection', async () => {
      const heads = await page.$$eval('.heads-view [aria-selected="true"]', (all) =>
        all.map((tile) => tile.getAttribute('aria-label')),
      );
      assert.equal(heads.length, 1);
      assert.match(heads[0], /^Encoder layer 1, head 1, looks at about \d\.\d words$/);
    });

    it('has all heads, one to be enlarged by Enter or click', async () => {
      const size = await page.$eval('.heads-view canvas', ({ width, height }) => [width, height]);
      assert.deepEqual(size, [5, 7]);
      await told();
      const stops = await page.$$eval('.heads-view [tabindex="0"]', (cells) => cells.length);
      assert.equal(stops, 1);
      await page.focus('.heads-view [tabindex="0"]');
      for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowDown']) {
        await page.keyboard.press(key);
      }
      assert.deepEqual(await told(), []);
      await page.keyboard.press('Enter');
      assert.deepEqual(await told(), [['select', { part: 'encoder.1', head: 2 }]]);
      const cell = await matrixCell();
      const { row, column } = await selection();
      const weight = randomWeights(7, 5, 3)[row * 5 + column];
      assert.ok(cell.endsWith(`: ${formatValue(weight)}`), `${cell} and ${weight}`);
      const other = await page.$('.heads-view [data-part="encoder.1"][data-head="0"]');
      await other.click();
      assert.deepEqual((await told()).at(-1), ['select', { part: 'encoder.1', head: 0 }]);
      const focused = await page.evaluate(
        'document.activeElement.ariaLabel ?? document.activeElement.getAttribute("aria-label")',
      );
      assert.match(focused, /^Encoder layer 2, head 1/);
    });

    it('marks one position in all heads of a layer by pointer and keys', async () => {
      await page.evaluate(() => {
        Object.assign(globalThis.page.state, { row: 1, column: 2, part: 'encoder.0', head: 0 });
        globalThis.page.show();
      });
      await page.mouse.move(0, 0);
      const lines = () =>
        page.$$eval('.heads-view .small', (all) =>
          all.map((one) => {
            const whole = one.querySelector('canvas').getBoundingClientRect();
            const [row, column] = ['.at-row', '.at-column'].map((name) => one.querySelector(name));
            if (row.hidden) return null;
            const middle = (box) => [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
            const [, y] = middle(row.getBoundingClientRect());
            const [x] = middle(column.getBoundingClientRect());
            return [
              Math.floor((7 * (y - whole.top)) / whole.height),
              Math.floor((5 * (x - whole.left)) / whole.width),
            ];
          }),
        );
      const first = [0, 0, 0].map(() => [1, 2]);
      assert.deepEqual((await lines()).slice(0, 4), [...first, null]);
      await told();
      const boxes = await page.$$('.heads-view .small');
      const { x, y, width, height } = await boxes[2].boundingBox();
      await page.mouse.move(x + (width * 4.5) / 5, y + (height * 5.5) / 7);
      assert.deepEqual(await told(), [['hover', { row: 5, column: 4, head: 2 }]]);
      assert.deepEqual((await lines())[0], [5, 4]);
      await page.mouse.down();
      await page.mouse.up();
      const chosen = { part: 'encoder.0', head: 2, row: 5, column: 4 };
      assert.deepEqual(await told(), [['select', chosen]]);
      await page.mouse.move(x, y - 40);
      await page.mouse.move(x, y - 80);
      await told();
      assert.deepEqual((await lines())[1], [5, 4]);
      const saysKeys = () => page.$eval('#heads-keys', (one) => one.checkVisibility());
      assert.equal(await saysKeys(), false);
      await page.keyboard.down('Shift');
      for (const key of ['ArrowDown', 'ArrowDown', 'ArrowLeft']) await page.keyboard.press(key);
      await page.keyboard.up('Shift');
      for (const key of ['ArrowLeft', 'ArrowRight']) await page.keyboard.press(key);
      assert.equal(await saysKeys(), true);
      const { row, column, head } = await selection();
      assert.deepEqual([row, column, head], [6, 3, 2]);
      assert.deepEqual((await lines())[0], [6, 3]);
      // Another layer has other words.
      await boxes[4].click();
      const last = (await told()).at(-1);
      assert.deepEqual(last, ['select', { part: 'encoder.1', head: 1 }]);
      await page.evaluate(() => {
        Object.assign(globalThis.page.state, { row: 1, column: 2, part: 'encoder.0', head: 0 });
        globalThis.page.show();
      });
    });

    it('is empty without a picture, and reappears with one', async () => {
      const isVisible = () =>
        page.$eval('.heads-view [role="grid"]', (one) => one.checkVisibility());
      await page.evaluate('page.show(null)');
      assert.equal(await isVisible(), false);
      await page.evaluate('page.show()');
      assert.equal(await isVisible(), true);
    });

    it('prints nothing on the console, under a strict policy', () => {
      assert.deepEqual(views.said, []);
    });
  });
}

const text = 'Zuko made his uncle tea, and his uncle liked the well-made tea';
const { attention } = await loadAttention();

describe('the view Heads of the page', { timeout: 300_000 }, () => {
  const demo = startPage('chromium');

  it('shows the head of a tile in the other views', async () => {
    const truth = spell(text);
    const { q, k, v } = truth;
    const options = { heads: 4, scale: 4 * lexicalScale, weights: true };
    const { data } = attention(q, k, v, options).weights;
    const link = new URLSearchParams({ text, heads: 4, view: 'heads', merge: 'no' });
    const { page } = await open(demo.browser, demo.url, `#source=ngrams&hideSpecial=no&${link}`);
    const tiles = await page.$$('.heads-view [role="gridcell"]');
    assert.equal(tiles.length, 4);
    await tiles[3].click();
    await drawn(page);
    assertTable(await readTable(page), truth, data.subarray(3 * truth.rows.length ** 2));
    await page.close();
  });

  it('frames heads by a score, names the strongest, and leads there', async () => {
    const [layers, heads, words] = [12, 12, 9];
    const planted = [7, 4]; // layer and head that look at the word before
    const weights = Array.from({ length: layers }, (_, layer) =>
      Array.from({ length: heads }, (__, head) => {
        const isPlanted = layer === planted[0] && head === planted[1];
        return Array.from({ length: words }, (___, row) =>
          Array.from({ length: words }, (____, column) =>
            isPlanted ? Number(column === Math.max(0, row - 1)) : 1 / words,
          ),
        );
      }),
    );
    const { page, said } = await open(demo.browser, demo.url, '#source=files&view=heads');
    await dropFile(page, 'planted.json', JSON.stringify({ weights }));
    await page.waitForFunction(
      (count) => document.querySelectorAll('.heads-view [role="gridcell"] canvas').length === count,
      {},
      layers * heads,
    );
    const sizes = await page.$$eval('.heads-view [role="gridcell"]', (all) =>
      all.map((one) => one.getBoundingClientRect()).map(({ width, height }) => [width, height]),
    );
    assert.ok(Math.min(...sizes.flat()) >= 40, `${Math.min(...sizes.flat())} px`);
    assert.equal((await page.$$('.heads-view .framed')).length, 0);
    await page.select('.head-colors select', 'previous');
    await drawn(page);
    const colors = await page.$$eval('.heads-view [role="gridcell"]', (all) =>
      all.map((one) => [getComputedStyle(one).backgroundColor, one.getAttribute('aria-label')]),
    );
    const at = planted[0] * heads + planted[1];
    assert.equal(new Set(colors.map(([color]) => color)).size, 2);
    assert.equal(colors.filter(([color]) => color === colors[at][0]).length, 1);
    assert.match(colors[at][1], /^Layer 8, head 5, previous token 1\.00, /);
    assert.match(colors[0][1], /previous token 0\.11, /);
    const [strongest] = await page.$$eval('.head-colors li button', (all) =>
      all.map(({ textContent }) => textContent),
    );
    assert.match(strongest, /Layer 8, head 5 \(1\.00\)$/);
    await click(page, '.head-colors li button');
    const selected = await page.$eval('[role="gridcell"][aria-selected="true"]', ({ dataset }) =>
      Number(dataset.head),
    );
    assert.equal(selected, planted[1]);
    assert.match(await addressOf(page), /colorBy=previous/);
    assert.deepEqual(await problems(page), []);
    await page.setViewport({ width: 390, height: 844 });
    await drawn(page);
    assert.equal(await overflow(page), 0);
    const small = await page.$$eval('.heads-view [role="gridcell"]', (all) =>
      all.map((one) => one.getBoundingClientRect()).map(({ width, height }) => [width, height]),
    );
    assert.equal(small.length, layers * heads);
    assert.ok(Math.min(...small.flat()) >= 40, `${Math.min(...small.flat())} px`);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('gives an average its colors where weights are negative too', async () => {
    const hash = '#source=ngrams&mode=self&kind=cosine&heads=4&view=heads&text=My+uncle+made+tea';
    const { page, said } = await open(demo.browser, demo.url, hash);
    await click(page, '#average');
    await choose(page, 'view', 'matrix');
    assert.deepEqual(said, []);
    await page.close();
  });
});

const one = cases.gpt2;
const names = {
  previous_token: 'previous token',
  duplicate_token: 'duplicate token',
  induction: 'induction',
};

describe('scores of heads, of the reader’s decoder', { timeout: 300_000 }, () => {
  const demo = startPage('chromium');
  const hash = '#mode=self&view=heads&text=1+2+3+4';

  it('are measured on request, shown on each tile, and lead to the strongest head', async () => {
    const { page, said } = await open(demo.browser, demo.url, hash);
    assert.equal(await page.$eval('.head-scores', ({ hidden }) => hidden), true);
    await dropModel(page, filesOf(one));
    await page.waitForSelector('.head-scores:not([hidden]) button');
    await page.focus('.head-scores button');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.head-scores li', { visible: true, timeout: 60_000 });
    await drawn(page);
    const model = await loadModel({ config: one.config, weights: seededWeights(one) });
    const means = {};
    for (let sequence = 0; sequence < 4; ++sequence) {
      const { scores } = await scoresOf({ model }, sequence);
      for (const [name, { data }] of Object.entries(scores)) {
        means[name] ??= Array.from(data, () => 0);
        data.forEach((score, at) => (means[name][at] += score / 4));
      }
    }
    const labels = await page.$$eval('.heads-view [role="gridcell"]', (all) =>
      all.map((cell) => cell.getAttribute('aria-label')),
    );
    assert.equal(labels.length, model.layers * model.heads);
    for (const [name, says] of Object.entries(names)) {
      labels.forEach((label, at) => {
        assertShows(RegExp(`${says} ([\\d.]+)`).exec(label)[1], means[name][at], label, 1e-5);
      });
    }
    model.delete();
    const [strongest] = await page.$$eval('.head-scores li button', (all) =>
      all.map(({ textContent }) => textContent),
    );
    const at = means.previous_token.indexOf(Math.max(...means.previous_token));
    const [layer, head] = [Math.floor(at / 2), at % 2];
    assert.ok(strongest.startsWith(`layer ${layer + 1}, head ${head + 1} (`), strongest);
    await page.click('.head-scores li button');
    await drawn(page);
    const selected = await page.$eval('[role="gridcell"][aria-selected="true"]', ({ dataset }) => [
      dataset.part,
      dataset.head,
    ]);
    assert.deepEqual(selected, [`self.${layer}`, String(head)]);
    assert.deepEqual(await problems(page), []);
    await page.setViewport({ width: 320, height: 700 });
    await drawn(page);
    assert.equal(await overflow(page), 0);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('can be canceled, and are absent for an encoder', async () => {
    const { page, said } = await open(demo.browser, demo.url, hash);
    await dropModel(page, filesOf(one));
    await page.waitForSelector('.head-scores:not([hidden]) button');
    // Before the first answer of the worker.
    const during = await page.evaluate(() => {
      const button = document.querySelector('.head-scores button');
      button.click();
      const says = [button.textContent, document.querySelector('.head-scores span').textContent];
      button.click();
      return [...says, button.textContent];
    });
    assert.deepEqual(during, ['Cancel', 'Sequence 1 of 4', 'Measure what its heads do']);
    await drawn(page);
    assert.equal(await page.$('.head-scores li'), null);
    await dropModel(page, filesOf(cases['bert, masked words']));
    assert.equal(await page.$eval('.head-scores', ({ hidden }) => hidden), true);
    assert.deepEqual(said, []);
    await page.close();
  });
});
