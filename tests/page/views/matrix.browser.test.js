// The matrix, alone and in the page: its cells, its legend and what it says have the numbers of every stage. The numbers of
// all kinds are tested in worker/kinds.test.js.

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { formatBriefly } from 'attention-wasm/heatmap';
import { formatValue } from '../../../web/lib/heatmap/number_formats.js';
import { randomWeights } from '../../support/browser/heatmap_weights.js';
import {
  choose,
  chooseStage,
  open,
  pick,
  read,
  startPage,
} from '../../support/browser/page_driver.js';
import { startViews } from '../../support/browser/views_alone.js';
import { stagesOf } from '../../support/js/kind_stages.js';
import { assertShows, spell } from '../../support/js/page_numbers.js';

for (const name of ['chromium', 'firefox']) {
  describe(`the matrix in ${name}`, { timeout: 180_000 }, () => {
    const views = startViews(name);
    let page;

    before(() => ({ page } = views));

    const { cell } = views;

    it('shows the selection', async () => {
      assert.match(await cell(), /^made → his: 0\.\d{5}$/);
    });

    it('has the average of all heads, and other stages', async () => {
      // An averaged picture has one matrix.
      await page.evaluate(
        'Object.assign(page.state, { head: 0, row: 4, column: 4 }); page.show(page.averaged)',
      );
      const means = [1, 2, 3].map((seed) => randomWeights(7, 5, seed)[24] / 3);
      const mean = means.reduce((sum, one) => sum + one, 0);
      assert.ok((await cell()).endsWith(`: ${formatValue(mean)}`), `${await cell()} and ${mean}`);
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

    it('is empty without a picture, and reappears with one', async () => {
      const isVisible = () =>
        page.$eval('.matrix-view attention-map', (one) => one.checkVisibility());
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

const [first, second] = ['My uncle made tea', 'made my tea'];

/** The matrix as drawn: numbers in cells and ends of the legend. */
const readMatrix = (page) =>
  page.evaluate(() => {
    const svg = document.querySelector('attention-map').toSVG({ selected: false });
    const texts = new DOMParser().parseFromString(svg, 'text/html').querySelectorAll('svg text');
    const shown = document.querySelector('attention-map').shadowRoot;
    return {
      texts: Array.from(texts, (one) => one.textContent),
      spoken: shown.querySelector('[role="gridcell"]').textContent,
    };
  });

describe('the matrix of the page', { timeout: 300_000 }, () => {
  const demo = startPage('chromium');
  let page;
  let said;

  before(async () => {
    const texts = new URLSearchParams({ first, second });
    ({ page, said } = await open(
      demo.browser,
      demo.url,
      `#source=ngrams&numbers=decimals&row=1&column=2&${texts}`,
    ));
  });

  for (const [mode, kind] of Object.entries({ self: 'softmax', cross: 'cosine' })) {
    it(`draws ${kind} in the mode ${mode}`, async () => {
      await choose(page, 'mode', mode);
      await pick(page, 'kind', kind);
      const truth = spell(first, mode === 'cross' ? second : first);
      const stages = stagesOf(kind, truth);
      // Only softmax scales and masks scores.
      const offered = kind === 'softmax' ? Object.keys(stages) : ['raw', 'weights', 'difference'];
      const { query, key } = await read(page);
      const at = truth.rows.indexOf(query) * truth.columns.length + truth.columns.indexOf(key);
      for (const [stage, values] of Object.entries(stages)) {
        if (!offered.includes(stage)) continue;
        await chooseStage(page, stage);
        const { texts, spoken } = await readMatrix(page);
        const cells = Array.from(values, formatBriefly);
        assert.deepEqual(
          texts.slice(0, cells.length),
          cells,
          `the matrix of ${stage} has ${texts}`,
        );
        assertShows(/: (.+)$/.exec(spoken)[1], values[at], `the ${stage} that is spoken`);
      }
      await chooseStage(page, 'weights');
      // The legend spans the drawn values.
      const { weights } = stages;
      const [low, high] = [Math.min(...weights), Math.max(...weights)];
      const { texts } = await readMatrix(page);
      const ends = texts
        .map((text) => Number(text.replace('−', '-')))
        .slice(weights.length)
        .filter((end) => !Number.isNaN(end));
      const [from, to] = [Math.min(...ends), Math.max(...ends)];
      assert.ok(from <= low + 0.01 && to >= high - 0.01, `${from} to ${to}: ${low} to ${high}`);
      assert.deepEqual(said, []);
    });
  }

  it('has percent for weights of the built-in model, and decimals for other values and files', async () => {
    const { page: own } = await open(demo.browser, demo.url, '#mode=cross&row=2');
    const shown = async () => {
      const { texts, spoken } = await readMatrix(own);
      const share = await own.$eval('.looking strong', ({ textContent }) => textContent);
      return [texts, spoken, share].map((one) => String(one).replaceAll('\u00a0', ' '));
    };
    const [texts, spoken, share] = await shown();
    assert.match(texts, /^83,1,1,·,/);
    assert.match(texts, /,weight,0,100 %$|,100 %,/);
    assert.match(spoken, /^rouge → red: 99\.674 %$/);
    assert.equal(share, '99.7 %');
    await choose(own, 'numbers', 'decimals');
    const [decimals, said5, share3] = await shown();
    assert.match(decimals, /^\.83,\.01,\.01,0,/);
    assert.match(said5, /^rouge → red: 0\.99674$/);
    assert.equal(share3, '0.997');
    await choose(own, 'numbers', 'percent');
    await chooseStage(own, 'raw');
    assert.match((await shown())[1], /^rouge → red: 63\.3281$/);
    await own.close();
  });

  it('is in the middle of its card, which is the same in every view', async () => {
    const { page: own } = await open(demo.browser, demo.url, '#mode=cross&row=2', { folded: true });
    await own.setViewport({ width: 1440, height: 900 });
    const cardOf = async (view) => {
      await choose(own, 'view', view);
      return own.evaluate(() => {
        const boxOf = (one) => {
          const { left, right } = one.getBoundingClientRect();
          return [left, right].map(Math.round);
        };
        const map = document.querySelector('.matrix-view attention-map');
        const room = document.querySelector('main').getBoundingClientRect();
        return {
          card: boxOf(document.querySelector('.stage')),
          main: [room.left, room.right].map(Math.round),
          map: boxOf(map.shadowRoot.querySelector('canvas')),
        };
      });
    };
    const { card, main, map } = await cardOf('matrix');
    assert.deepEqual(card, main, 'the card is as wide as all above it');
    const middle = ([left, right]) => (left + right) / 2;
    assert.ok(Math.abs(middle(map) - middle(card)) <= 1, `${map} in ${card}`);
    for (const view of ['heads', 'compare', 'table']) {
      assert.deepEqual((await cardOf(view)).card, card, view);
    }
    await own.close();
  });

  it('selects another stage when the current one disappears', async () => {
    await choose(page, 'mode', 'self');
    await choose(page, 'view', 'matrix');
    await pick(page, 'kind', 'elu');
    await chooseStage(page, 'difference');
    await pick(page, 'kind', 'softmax');
    assert.equal(await page.$('.whole-matrix'), null);
    assert.equal(await page.$('.drawn-stage button'), null);
  });
});
