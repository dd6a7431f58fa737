// Controls without effect are disabled or hidden; browser history; long texts.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  addressOf,
  choose,
  drawn,
  open,
  paste,
  press,
  readInspector,
  shownView,
  startPage,
} from '../support/browser/page_driver.js';

describe('controls and browser history', { timeout: 180_000 }, () => {
  const demo = startPage('chromium');

  it('say why they are disabled, or are hidden', async () => {
    const { page } = await open(demo.browser, demo.url);
    const seen = async (view) => {
      await choose(page, 'view', view);
      return page.evaluate(() => ({
        stages: document.querySelectorAll('[name="stage"]').length,
        off: ['threshold', 'perRow'].filter((id) => document.getElementById(id).disabled),
        colors: document.querySelector('[name="colors"]').disabled,
        why: ['threshold', 'perRow', 'colors'].map(
          (id) => document.querySelector(`#${id}-more .off`).textContent,
        ),
      }));
    };
    const matrixHas = await seen('matrix');
    assert.deepEqual([matrixHas.stages, matrixHas.off, matrixHas.colors], [4, [], false]);
    const lines = await seen('lines');
    assert.deepEqual([lines.stages, lines.off, lines.colors], [0, ['perRow'], true]);
    assert.match(lines.why[2], /colors of their heads/);
    const heads = await seen('heads');
    assert.deepEqual([heads.stages, heads.off, heads.colors], [0, ['threshold'], false]);
    const table = await seen('table');
    assert.deepEqual([table.stages, table.off, table.colors], [4, ['threshold', 'perRow'], true]);
    await page.close();
  });

  it('have the digits as a switch of the matrix', async () => {
    const { page } = await open(demo.browser, demo.url, '#source=ngrams&text=one+two+three', {
      folded: true,
    });
    const digits = '[name="of-view"][value="table"]';
    await page.focus(digits);
    await press(page, 'Space');
    assert.equal(await shownView(page), 'table');
    assert.match(await addressOf(page), /view=table/);
    const entry = () => page.$eval('[name="view"]:checked', ({ value }) => value);
    assert.equal(await entry(), 'matrix');
    await choose(page, 'view', 'lines');
    assert.equal(await page.$eval(digits, (box) => box.checkVisibility()), false);
    await choose(page, 'view', 'matrix');
    assert.equal(await page.$eval(digits, (box) => box.checked), false);
    assert.deepEqual([await shownView(page), await entry()], ['matrix', 'matrix']);
    await page.close();
  });

  it('are behind one button on a phone, with the menu of what can be blocked', async () => {
    const { page } = await open(demo.browser, demo.url, '', { folded: true });
    await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true });
    await drawn(page);
    const isSeen = (selector) => page.$eval(selector, (one) => one.checkVisibility());
    const inside = ['[name="of-view"]', '#part', '#head', '#play', '#what-else'];
    for (const selector of inside) assert.equal(await isSeen(selector), false, selector);
    assert.equal(await isSeen('.block-link .more'), false);
    await page.tap('#choices');
    for (const selector of inside) assert.equal(await isSeen(selector), true, selector);
    await page.tap('#what-else');
    assert.equal(await isSeen('#map-choices'), false);
    assert.ok((await page.$$('.what-if-menu [role="menuitem"]')).length > 3);
    await press(page, 'Escape');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'choices');
    await page.close();
  });

  it('show formulas as formulas, and no name twice', async () => {
    const { page } = await open(demo.browser, demo.url, '#source=ngrams&scale=scaled');
    const scale = await page.evaluate(
      () => document.querySelector('#step-scale .formula').innerHTML,
    );
    assert.match(scale, /√d<sub>k<\/sub>/);
    assert.doesNotMatch(await page.$eval('.more-panel', (one) => one.textContent), /KindKind|d_k/);
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
        document.querySelector('[data-view]:not([hidden])').dataset.view,
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
          const { view } = document.querySelector('[data-view]:not([hidden])').dataset;
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
      () => document.querySelector('[data-view]:not([hidden])').dataset.view === 'table',
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
});
