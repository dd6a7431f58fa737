// Scores of the heads of the reader's decoder: measured on request in the view Heads, on every tile, and canceled.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadModel } from 'attention-wasm/models';
import { writeSafetensors } from 'attention-wasm/safetensors';
import { scoresOf } from '../../web/demo/worker/sources/own_model/head_scores.js';
import { problems } from '../support/browser/axe.js';
import { drawn, dropModel, open, overflow, startPage } from '../support/browser/page_driver.js';
import { assertShows } from '../support/js/page_numbers.js';
import { cases } from '../support/js/models_with_tokens.js';
import { seededWeights } from '../support/js/seeded_weights.js';

const one = cases.gpt2;
const filesOf = (model) => ({
  'config.json': JSON.stringify(model.config),
  'model.safetensors': writeSafetensors(seededWeights(model)),
});
const names = {
  previous_token: 'previous token',
  duplicate_token: 'duplicate token',
  induction: 'induction',
};

describe('scores of heads', { timeout: 300_000 }, () => {
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
