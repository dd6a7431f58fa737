// The rollout in the page: an entry of the list of layers, drawn in every view, without blocks, and in exports. Its numbers
// are proved in sources/rollout.test.js.

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { rollout } from 'attention-wasm/models';
import { loadTranslator } from 'attention-wasm/translator';
import { assertTable } from '../../support/js/page_numbers.js';
import { problems } from '../../support/browser/axe.js';
import {
  addressOf,
  catchFiles,
  choose,
  drawn,
  exported,
  open,
  openBox,
  pick,
  read,
  readTable,
  startPage,
} from '../../support/browser/page_driver.js';

const english = 'The red car is fast.';
const translator = await loadTranslator();

describe('the rollout', { timeout: 300_000 }, () => {
  const demo = startPage('chromium');
  let page;
  let said;

  before(async () => {
    const link = new URLSearchParams({ text: english, merge: 'no', hideSpecial: 'no', row: 2 });
    ({ page, said } = await open(demo.browser, demo.url, `#mode=cross&${link}`));
  });

  const texts = (selector) =>
    page.$$eval(selector, (all) => all.map(({ textContent }) => textContent));

  it('is one entry for each stack, with the numbers of rollout(), and says what it ignores', async () => {
    const names = await texts('#part option');
    assert.deepEqual(
      names.filter((name) => name.includes('rollout')),
      ['Decoder, rollout', 'Encoder, rollout'],
    );
    const { attention, target, inputs, source } = translator.translate(english);
    const labelsOf = ({ tokens }) => tokens.map(({ text }) => text);
    for (const [stack, rows, columns, ignored] of [
      ['encoder', source, source, 'values, W_O and feed-forward'],
      ['decoder', target, inputs, 'values, W_O, cross-attention and feed-forward'],
    ]) {
      await pick(page, 'part', `${stack}.rollout`);
      const labels = { rows: labelsOf(rows), columns: labelsOf(columns) };
      assertTable(await readTable(page), labels, rollout(attention[stack]).data);
      const note = await page.$eval('.note', ({ textContent }) => textContent);
      assert.ok(note.includes(`It ignores ${ignored},`), note);
    }
  });

  it('is drawn in every view, and blocks nothing', async () => {
    for (const view of ['lines', 'heads', 'compare', 'matrix']) {
      await choose(page, 'view', view);
      const { query, weight } = await read(page);
      assert.ok(query !== '' && /^[01]\.\d{5}$/.test(weight), view);
      assert.deepEqual(await problems(page), [], view);
    }
    const hidden = (selector) => page.$eval(selector, (one) => one.hidden);
    assert.equal(await page.$('#step-score'), null, 'it has no computation of its own');
    await openBox(page, 'weight');
    assert.equal(
      await page.$eval('.rollouts [aria-pressed="true"]', (one) => one.textContent),
      'Show in the map: Decoder, rollout',
    );
    await page.focus('attention-map');
    await page.keyboard.press('x');
    await drawn(page);
    assert.doesNotMatch(await addressOf(page), /block=/);
    await pick(page, 'part', 'decoder.1');
    await page.waitForSelector('.block-it button:not([disabled])');
    await pick(page, 'part', 'decoder.rollout');
    assert.equal(await hidden('.block-it'), true);
  });

  it('is compared with a layer, exported, and part of the link', async () => {
    await choose(page, 'view', 'compare');
    await pick(page, 'beside', 'part:decoder.1');
    const titles = await texts('.compare-view figcaption');
    assert.deepEqual(titles.slice(0, 2), ['Decoder, rollout', 'Decoder layer 2']);
    await choose(page, 'view', 'matrix');
    await catchFiles(page);
    const { text } = await exported(page, 'json');
    const { part, weights, scores } = JSON.parse(text);
    assert.equal(part, 'Decoder, rollout');
    const { attention } = translator.translate(english);
    const expected = rollout(attention.decoder).data;
    assert.ok(weights.data.every((weight, at) => Math.abs(weight - expected[at]) < 1e-6));
    assert.equal(scores.raw, undefined);
    const svg = await exported(page, 'page');
    assert.match(svg.text, /rollout of the weights/);
    await page.waitForFunction(() => location.hash.includes('part=decoder.rollout'));
    const again = await open(demo.browser, await addressOf(page), '');
    const shown = await again.page.$eval('#part', ({ value }) => value);
    assert.equal(shown, 'decoder.rollout');
    await again.page.close();
    assert.deepEqual([...said, ...again.said], []);
  });
});
