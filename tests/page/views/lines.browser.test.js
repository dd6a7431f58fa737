// The view Lines, alone and in the page: one selection by pointer and keys, a link for each visible weight.

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { randomWeights } from '../../support/browser/heatmap_weights.js';
import { catchFiles, exported, open, startPage } from '../../support/browser/page_driver.js';
import { startViews } from '../../support/browser/views_alone.js';
import { stagesOf } from '../../support/js/kind_stages.js';
import { spell } from '../../support/js/page_numbers.js';

for (const name of ['chromium', 'firefox']) {
  describe(`the view Lines in ${name}`, { timeout: 180_000 }, () => {
    const views = startViews(name);
    let page;

    before(() => ({ page } = views));

    const told = () => views.told();
    const selection = () => views.selection();
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

    it('shows the selection', async () => {
      const texts = (selector) =>
        page.$$eval(selector, (all) => all.map(({ textContent }) => textContent));
      assert.deepEqual(await texts('.lines-view [aria-selected="true"]'), ['made', 'his']);
      const words = ['Zuko', 'made', 'his', 'uncle', 'tea', 'שלום', '茶'];
      assert.deepEqual(await texts('.lines-view .row li'), words);
    });

    it('follows keys and pointers', async () => {
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

    it('draws links of the chosen heads', async () => {
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

    it('draws links of the average of all heads', async () => {
      await page.evaluate('page.state.head = 0; page.show(page.averaged)');
      const heads = [1, 2, 3].map((seed) => randomWeights(7, 5, seed));
      const means = heads[0].map((_, at) => (heads[0][at] + heads[1][at] + heads[2][at]) / 3);
      assert.equal(await page.$eval('.lines-view .heads', (chips) => chips.hidden), true);
      const svg = await page.evaluate('page.views.lines.toSVG()');
      const visible = means.filter((weight) => weight >= 0.004).length;
      assert.equal(svg.match(/<path /g).length, visible);
      await page.evaluate('page.show()');
    });

    it('is empty without a picture, and reappears with one', async () => {
      const isVisible = () => page.$eval('.lines-view .columns', (one) => one.checkVisibility());
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

describe('the view Lines of the page', { timeout: 180_000 }, () => {
  const demo = startPage('chromium');

  it('has a link for each weight, positive or negative', async () => {
    const [first, second] = ['My uncle made tea', 'made my tea'];
    const { weights } = stagesOf('cosine', spell(first, second));
    assert.ok(Math.min(...weights) < -0.01 && Math.max(...weights) > 0.01, `${weights}`);
    const link = new URLSearchParams({ mode: 'cross', kind: 'cosine', first, second });
    const { page, said } = await open(demo.browser, demo.url, `#source=ngrams&view=lines&${link}`);
    await catchFiles(page);
    const { text: svg } = await exported(page, 'svg');
    const links = svg.match(/<path [^>]*stroke-opacity/g)?.length ?? 0;
    assert.equal(links, weights.filter((weight) => Math.abs(weight) >= 0.004).length);
    assert.deepEqual(said, []);
    await page.close();
  });
});
