// The matrix, lines and heads views alone, in real browsers: one selection by pointer and keys.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as esbuild from 'esbuild';
import { formatValue } from '../../web/lib/heatmap/number_formats.js';
import { launch, listen, serve } from '../support/js/browser.js';
import { root } from '../support/js/package.js';
import { randomWeights } from '../support/browser/heatmap_weights.js';

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:";
const scripts = 'tests/support/browser';

/** Serves the page's script as bundled, at its usual address. */
async function bundle() {
  const folder = await mkdtemp(join(tmpdir(), 'attention-views-'));
  const outfile = join(folder, scripts, 'bundle.js');
  await mkdir(dirname(outfile), { recursive: true });
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: [`${scripts}/heatmap_views_page.js`],
    bundle: true,
    format: 'esm',
    outfile,
    logLevel: 'warning',
  });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

for (const name of ['chromium', 'firefox']) {
  describe(`the pictures in ${name}`, { timeout: 180_000 }, () => {
    let bundled;
    let server;
    let browser;
    let page;
    let said;

    before(async () => {
      bundled = await bundle();
      const headers = { 'Content-Security-Policy': policy };
      server = await serve([bundled.folder, root], { headers });
      browser = await launch(name);
      page = await browser.newPage();
      said = listen(page);
      await page.setViewport({ width: 1000, height: 2200 });
      await page.goto(`${server.url}${scripts}/heatmap_views.html`);
      await page.waitForFunction('globalThis.page', { timeout: 10_000 });
    });

    after(async () => {
      await browser?.close();
      await server?.close();
      await bundled?.remove();
    });

    const told = () => page.evaluate('page.told.splice(0)');
    const selection = () => page.evaluate('({ ...page.state })');
    const option = (side, index) => page.$(`.lines-view .${side} li:nth-child(${index + 1})`);
    const ink = () =>
      page.$eval('.lines-view canvas', (canvas) => {
        const { width, height } = canvas;
        // Reads a copy, so that the page's own canvas keeps its storage.
        const copy = new OffscreenCanvas(width, height).getContext('2d', {
          willReadFrequently: true,
        });
        copy.drawImage(canvas, 0, 0);
        const { data } = copy.getImageData(0, 0, width, height);
        let sum = 0;
        for (let i = 3; i < data.length; i += 4) sum += data[i];
        return sum;
      });

    it('show one selection', async () => {
      const seen = await page.evaluate(() => {
        const map = document.querySelector('.matrix-view attention-map');
        const canvas = map.shadowRoot.querySelector('canvas');
        const cell = canvas.querySelector('[role="gridcell"]').textContent;
        const texts = (selector) =>
          Array.from(document.querySelectorAll(selector), ({ textContent }) => textContent);
        return {
          cell,
          chosen: texts('.lines-view [aria-selected="true"]'),
          words: texts('.lines-view .row li'),
          heads: Array.from(
            document.querySelectorAll('.heads-view [aria-selected="true"]'),
            (tile) => tile.getAttribute('aria-label'),
          ),
        };
      });
      assert.match(seen.cell, /^made → his: 0\.\d{5}$/);
      assert.deepEqual(seen.chosen, ['made', 'his']);
      assert.deepEqual(seen.words, ['Zuko', 'made', 'his', 'uncle', 'tea', 'שלום', '茶']);
      assert.equal(seen.heads.length, 1);
      assert.match(seen.heads[0], /^Encoder layer 1, head 1, looks at about \d\.\d words$/);
    });

    it('have a lines view for keys and pointers', async () => {
      await told();
      await page.focus('.lines-view .row ul');
      await page.keyboard.press('ArrowDown');
      assert.equal((await selection()).row, 2);
      await page.keyboard.press('End');
      assert.equal((await selection()).row, 6);
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Home');
      assert.deepEqual([(await selection()).row, (await selection()).column], [6, 0]);
      const active = await page.evaluate(() => {
        const id = document.activeElement.getAttribute('aria-activedescendant');
        return document.getElementById(id).textContent;
      });
      assert.equal(active, 'Zuko');
      const all = await ink();
      await (await option('row', 3)).hover();
      assert.deepEqual((await selection()).hovered, { row: 3 });
      // Only the links of that word remain.
      assert.ok((await ink()) < 0.5 * all && (await ink()) > 0);
      await (await option('column', 1)).click();
      assert.equal((await selection()).column, 1);
      await page.mouse.move(2, 2);
      assert.equal(await ink(), all);
      assert.deepEqual((await told()).at(-1), ['hover', null]);
    });

    it('draw links of the chosen heads', async () => {
      const all = await ink();
      const chips = await page.$$('.lines-view .heads button');
      assert.equal(chips.length, 3);
      await chips[1].click();
      await page.mouse.move(2, 2);
      assert.equal(await chips[1].evaluate((chip) => chip.getAttribute('aria-pressed')), 'false');
      const less = await ink();
      assert.ok(less < all && less > 0, `${less} of ${all}`);
      await chips[1].click();
      await page.mouse.move(2, 2);
      assert.equal(await ink(), all);
      const svg = await page.evaluate('page.views.lines.toSVG()');
      const weights = [1, 2, 3].flatMap((seed) => [...randomWeights(7, 5, seed)]);
      const visible = weights.filter((weight) => weight >= 0.004).length;
      assert.equal(svg.match(/<path /g).length, visible);
      assert.ok(svg.includes('>שלום</text>'));
      const errors = await page.evaluate((text) => {
        const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
        return parsed.querySelectorAll('parsererror').length;
      }, svg);
      assert.equal(errors, 0);
    });

    it('have all heads, one to be enlarged by Enter or click', async () => {
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
      const cell = await page.$eval('.matrix-view >>> [role="gridcell"]', (one) => one.textContent);
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

    it('mark one position in all heads of a layer by pointer and keys', async () => {
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

    it('have the average of all heads, and other stages', async () => {
      const cell = () => page.$eval('.matrix-view >>> [role="gridcell"]', (one) => one.textContent);
      // An averaged picture has one matrix.
      await page.evaluate(
        'Object.assign(page.state, { head: 0, row: 4, column: 4 }); page.show(page.averaged)',
      );
      const heads = [1, 2, 3].map((seed) => randomWeights(7, 5, seed));
      const means = heads[0].map((_, at) => (heads[0][at] + heads[1][at] + heads[2][at]) / 3);
      const mean = means[24];
      assert.ok((await cell()).endsWith(`: ${formatValue(mean)}`), `${await cell()} and ${mean}`);
      assert.equal(await page.$eval('.lines-view .heads', (chips) => chips.hidden), true);
      const svg = await page.evaluate('page.views.lines.toSVG()');
      const visible = means.filter((weight) => weight >= 0.004).length;
      assert.equal(svg.match(/<path /g).length, visible);
      await page.evaluate('page.settings.stage = "raw"; page.show()');
      assert.match(await cell(), /^tea → tea: −\d/);
      const name = await page.$eval(
        '.matrix-view >>> canvas',
        (canvas) => canvas.ariaLabel ?? canvas.getAttribute('aria-label'),
      );
      assert.equal(name, 'Attention, q · k: 7 rows, 5 columns');
      const png = await page.evaluate(
        async () => (await document.querySelector('attention-map').toPNG()).type,
      );
      assert.equal(png, 'image/png');
      await page.evaluate('page.settings.stage = "difference"; page.show()');
      assert.match(await page.evaluate('page.views.matrix.toSVG()'), />difference<\/text>/);
    });

    it('are empty without a picture, and reappear with one', async () => {
      await page.evaluate('page.show(null)');
      const visible = () =>
        page.evaluate(() =>
          ['.matrix-view attention-map', '.lines-view .columns', '.heads-view [role="grid"]'].map(
            (one) => document.querySelector(one).checkVisibility(),
          ),
        );
      assert.deepEqual(await visible(), [false, false, false]);
      await page.evaluate('page.show()');
      assert.deepEqual(await visible(), [true, true, true]);
    });

    it('print nothing on the console, under a strict policy', () => {
      assert.deepEqual(said, []);
    });
  });
}
