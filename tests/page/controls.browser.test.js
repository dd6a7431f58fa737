// Controls without effect are disabled or hidden; browser history; long texts; files dropped anywhere.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writeSafetensors } from 'attention-wasm/safetensors';
import {
  choose,
  drawn,
  dropFile,
  open,
  paste,
  read,
  readInspector,
  startPage,
} from '../support/browser/page_driver.js';

const matrix = (rows, columns, first = 0.5) => ({
  data: Float32Array.from({ length: rows * columns }, (_, at) => (at === 0 ? first : Math.sin(at))),
  dims: [rows, columns],
});
const layer = (first) => ({ W_Q: matrix(8, 4, first), W_K: matrix(8, 4), W_V: matrix(8, 4) });

describe('controls and browser history', { timeout: 180_000 }, () => {
  const demo = startPage('chromium');

  it('say why they are disabled, or are hidden', async () => {
    const { page } = await open(demo.browser, demo.url);
    const seen = async (view) => {
      await choose(page, 'view', view);
      return page.evaluate(() => ({
        stages: getComputedStyle(document.querySelector('.stages')).visibility,
        off: ['threshold', 'perRow'].filter((id) => document.getElementById(id).disabled),
        colors: document.querySelector('[name="colors"]').disabled,
        why: ['threshold', 'perRow', 'colors'].map(
          (id) => document.querySelector(`#${id}-more .off`).textContent,
        ),
      }));
    };
    const matrixHas = await seen('matrix');
    assert.deepEqual([matrixHas.stages, matrixHas.off, matrixHas.colors], ['visible', [], false]);
    const lines = await seen('lines');
    assert.deepEqual([lines.stages, lines.off, lines.colors], ['hidden', ['perRow'], true]);
    assert.match(lines.why[2], /colors of their heads/);
    const heads = await seen('heads');
    assert.deepEqual([heads.stages, heads.off, heads.colors], ['hidden', ['threshold'], false]);
    const table = await seen('table');
    assert.deepEqual(
      [table.stages, table.off, table.colors],
      ['visible', ['threshold', 'perRow'], true],
    );
    await page.close();
  });

  it('show formulas as formulas, and no name twice', async () => {
    const { page } = await open(demo.browser, demo.url, '#source=ngrams&scale=scaled');
    const scale = await page.evaluate(
      () =>
        document.querySelectorAll('.inspector .step:not([hidden])')[2].querySelector('.formula')
          .innerHTML,
    );
    assert.match(scale, /√d<sub>k<\/sub>/);
    assert.doesNotMatch(await page.$eval('.controls', (one) => one.textContent), /KindKind|d_k/);
    assert.ok((await readInspector(page)).sums.length > 3);
    await page.close();
  });

  it('support Back from a mode and a view', async () => {
    const { page } = await open(demo.browser, demo.url, '#source=ngrams&text=one+two');
    await choose(page, 'view', 'table');
    await choose(page, 'mode', 'cross');
    const where = () =>
      page.evaluate(() => [
        document.body.dataset.mode,
        document.querySelector('[name="view"]:checked').value,
        document.getElementById('first').value,
      ]);
    assert.deepEqual(await where(), ['cross', 'table', 'one two']);
    for (const expected of [
      ['self', 'table', 'one two'],
      ['self', 'matrix', 'one two'],
    ]) {
      await page.evaluate(() => history.back());
      await page.waitForFunction(
        (wanted) => {
          const view = document.querySelector('[name="view"]:checked').value;
          return document.body.dataset.mode === wanted[0] && view === wanted[1];
        },
        { timeout: 5000 },
        expected,
      );
      await drawn(page);
      assert.deepEqual(await where(), expected);
    }
    await page.evaluate(() => history.forward());
    await page.waitForFunction(
      () => document.querySelector('[name="view"]:checked').value === 'table',
    );
    await page.close();
  });

  it('keep a text of any length over a reload', async () => {
    const { page } = await open(demo.browser, demo.url);
    const long = 'stones and cups '.repeat(300);
    await paste(page, 'first', long);
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.ok((await page.evaluate('location.href')).length < 4000);
    await page.reload();
    await drawn(page);
    assert.equal(await page.$eval('#first', (field) => field.value), long);
    await page.close();
  });

  it('accept a file dropped anywhere, and refuse NaN', async () => {
    const { page } = await open(demo.browser, demo.url, '#source=ngrams&text=tea+cup&heads=2');
    const good = writeSafetensors(layer(0.5), { metadata: { heads: '4' } });
    assert.match(await dropFile(page, 'layer.safetensors', good), /W_Q, W_K 8 × 4/);
    assert.equal(await page.$eval('#source', (select) => select.value), 'files');
    const note = await page.$eval('.note', (one) => one.textContent);
    assert.match(note, /layer\.safetensors has 4 heads; the setting is ignored/);
    const before = await read(page);
    const says = await dropFile(page, 'bad.safetensors', writeSafetensors(layer(NaN)));
    assert.match(says, /number 1 of W_Q is NaN/);
    assert.deepEqual(await read(page), before);
    await page.close();
  });
});
