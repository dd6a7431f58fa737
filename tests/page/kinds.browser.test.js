// A kind of attention shows one number in every view and stage, without console messages; one kind with positive and one
// with negative weights. The numbers of all kinds are tested in worker/kinds.test.js.

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { formatBriefly } from 'attention-wasm/heatmap';
import { stagesOf } from '../support/js/kind_stages.js';
import { assertShows, assertTable, spell } from '../support/js/page_numbers.js';
import {
  choose,
  click,
  open,
  pick,
  read,
  readInspector,
  readSentence,
  readTable,
  startPage,
} from '../support/browser/page_driver.js';

const first = 'My uncle made tea';
const second = 'made my tea';

const shown = { self: 'softmax', cross: 'cosine' };

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

describe('the kinds of attention', { timeout: 300_000 }, () => {
  const demo = startPage('chromium');
  let page;
  let said;

  before(async () => {
    const texts = new URLSearchParams({ first, second });
    ({ page, said } = await open(demo.browser, demo.url, `#source=ngrams&row=1&column=2&${texts}`));
  });

  for (const [mode, kind] of Object.entries(shown)) {
    it(`draw ${kind} in the mode ${mode}`, async () => {
      await choose(page, 'mode', mode);
      await pick(page, 'kind', kind);
      const truth = spell(first, mode === 'cross' ? second : first);
      const stages = stagesOf(kind, truth);
      const width = truth.columns.length;
      const { query, key } = await read(page);
      const row = truth.rows.indexOf(query);
      const at = row * width + truth.columns.indexOf(key);
      for (const [stage, values] of Object.entries(stages)) {
        assertTable(await readTable(page, stage), truth, values);
        await choose(page, 'view', 'matrix');
        const { texts, spoken } = await readMatrix(page);
        const cells = Array.from(values, formatBriefly);
        assert.deepEqual(
          texts.slice(0, cells.length),
          cells,
          `the matrix of ${stage} has ${texts}`,
        );
        assertShows(/: (.+)$/.exec(spoken)[1], values[at], `the ${stage} that is spoken`);
      }
      await choose(page, 'stage', 'weights');
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
      // Read-out, inspector and text show the same number.
      const seen = await read(page);
      assertShows(seen.weight, weights[at], 'the weight');
      const { sums } = await readInspector(page);
      assertShows(/= ([^=]+)$/.exec(sums[4][0])[1], weights[at], 'the weight behind');
      const { numbers } = await readSentence(
        page,
        mode === 'self' ? 'first-words' : 'second-words',
      );
      assert.deepEqual(
        numbers,
        Array.from(weights.subarray(row * width, (row + 1) * width), formatBriefly),
      );
      for (const view of ['lines', 'heads']) await choose(page, 'view', view);
      await choose(page, 'view', 'lines');
      const svg = await page.evaluate(() => {
        const { promise, resolve } = Promise.withResolvers();
        const own = URL.createObjectURL;
        URL.createObjectURL = (blob) => {
          resolve(blob.text());
          URL.createObjectURL = own;
          return 'data:,';
        };
        HTMLAnchorElement.prototype.click = () => {};
        document.querySelector('[data-export="svg"]').click();
        return promise;
      });
      const links = svg.match(/<path [^>]*stroke-opacity/g)?.length ?? 0;
      assert.equal(links, weights.filter((weight) => Math.abs(weight) >= 0.004).length);
      assert.deepEqual(said, []);
    });
  }

  it('select another stage when the current one disappears', async () => {
    await choose(page, 'mode', 'self');
    await choose(page, 'view', 'matrix');
    await pick(page, 'kind', 'elu');
    await choose(page, 'stage', 'difference');
    await pick(page, 'kind', 'softmax');
    const chosen = await page.evaluate(
      () => document.querySelector('[name="stage"]:checked')?.value,
    );
    assert.equal(chosen, 'weights');
  });

  it('give an average its colors where weights are negative too', async () => {
    await pick(page, 'kind', 'cosine');
    await choose(page, 'heads', '4');
    await choose(page, 'view', 'heads');
    await click(page, '#average');
    await choose(page, 'view', 'matrix');
    assert.deepEqual(said, []);
    await click(page, '#average');
    await choose(page, 'heads', '1');
    await pick(page, 'kind', 'softmax');
  });
});
