// The numbers of the picture as a table: a switch of the matrix, with the same selection by mouse, finger and keys.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import {
  addressOf,
  choose,
  chooseStage,
  click,
  drawn,
  open,
  paste,
  pick,
  press,
  readPair,
  readSentence,
  readTable,
  shownView,
  startPage,
} from '../../support/browser/page_driver.js';
import { stagesOf } from '../../support/js/kind_stages.js';
import { assertTable, spell } from '../../support/js/page_numbers.js';

const { attention, scores } = await loadAttention();

describe('the table', { timeout: 300_000 }, () => {
  const demo = startPage('chromium');

  it('has the numbers of every stage', async () => {
    const [first, second] = ['My uncle made tea', 'made my tea'];
    const link = new URLSearchParams({ mode: 'cross', kind: 'cosine', first, second });
    const { page, said } = await open(demo.browser, demo.url, `#source=ngrams&${link}`);
    const truth = spell(first, second);
    const stages = stagesOf('cosine', truth);
    for (const stage of ['raw', 'difference', 'weights']) {
      assertTable(await readTable(page, stage), truth, stages[stage]);
    }
    // Hidden cells have the score −∞ and the weight 0.
    await chooseStage(page, 'weights');
    await choose(page, 'mode', 'self');
    await pick(page, 'kind', 'softmax');
    await click(page, '#causal');
    const { rows, columns, q, k, v, scale } = spell(first);
    const options = { scale, causal: true };
    const masked = scores(q, k, options).data;
    const { weights } = attention(q, k, v, { ...options, weights: true });
    assertTable(await readTable(page, 'masked'), { rows, columns }, masked);
    assertTable(await readTable(page, 'weights'), { rows, columns }, weights.data);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('is a switch of the matrix, in More', async () => {
    const { page } = await open(demo.browser, demo.url, '#source=ngrams&text=one+two+three', {
      folded: true,
    });
    const digits = '#more-panel [name="of-view"][value="table"]';
    assert.equal(await page.$eval(digits, (box) => box.checkVisibility()), false);
    await click(page, '#more');
    await page.focus(digits);
    await press(page, 'Space');
    assert.equal(await shownView(page), 'table');
    assert.match(await addressOf(page), /view=table/);
    const entry = () => page.$eval('[name="view"]:checked', ({ value }) => value);
    assert.equal(await entry(), 'matrix');
    await choose(page, 'view', 'lines');
    assert.equal(await page.$eval(digits, (box) => box.checked), false);
    await page.focus(digits);
    await press(page, 'Space');
    assert.equal(await shownView(page), 'table');
    await press(page, 'Space');
    assert.deepEqual([await shownView(page), await entry()], ['matrix', 'matrix']);
    await page.close();
  });

  it('has a selection by mouse, finger and keys', async () => {
    const hash = '#source=ngrams&view=table&row=0&column=1&text=one+stone+and+two+stones';
    const { page, said } = await open(demo.browser, demo.url, hash);
    const cell = (row, column) =>
      page.$(`.view.table tbody tr:nth-child(${row + 1}) > :nth-child(${column + 2})`);
    const marks = () =>
      page.evaluate(() => {
        const textOf = (selector) => document.querySelector(`.view.table ${selector}`)?.textContent;
        return [
          ...['th.read', 'th.looked', 'td.here', 'td[aria-current]'].map(textOf),
          document.querySelector('.cell-numbers .weight').textContent,
        ];
      });
    const number = async (row, column) =>
      (await cell(row, column)).evaluate((one) => one.textContent);
    const at = await number(0, 1);
    assert.deepEqual((await marks()).slice(0, 4), ['one', 'stone', at, at]);
    // Hovering is read out, and the selection stays.
    await (await cell(4, 1)).hover();
    await drawn(page);
    const pointed = await number(4, 1);
    const [read1, looked1, here, chosen, said1] = await marks();
    assert.deepEqual([read1, looked1, here, chosen], ['stones', 'stone', pointed, at]);
    assert.equal(said1, at); // the flow stays at the selected pair
    assert.equal((await readSentence(page)).read, 4);
    // Outside the table nothing is hovered.
    await page.hover('h1');
    await drawn(page);
    assert.deepEqual((await marks()).slice(0, 3), ['one', 'stone', at]);
    await (await cell(4, 1)).click();
    await drawn(page);
    assert.deepEqual(await readPair(page), ['stones', 'stone']);
    // The header of a column selects it only; that of a row also the column that it attends to most.
    await (await page.$('.view.table thead th:nth-child(4)')).click();
    await drawn(page);
    assert.deepEqual(await readPair(page), ['stones', 'and']);
    await (await page.$('.view.table tbody tr:nth-child(2) th')).click();
    await drawn(page);
    assert.deepEqual(await readPair(page), ['stone', 'stones']);
    await page.focus('.view.table');
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowLeft', 'Home']) {
      await press(page, key);
    }
    assert.deepEqual(await readPair(page), ['two', 'one']);
    await page.waitForFunction(() =>
      document.querySelector('#announcement').textContent.match(/“two” .*“one”/),
    );
    assert.deepEqual(said, []);
    await page.close();
  });

  it('reaches cells beyond its frame', async () => {
    const words = Array.from({ length: 40 }, (_, at) => `word${at}`).join('+');
    const { page } = await open(
      demo.browser,
      demo.url,
      `#source=ngrams&view=table&row=0&column=0&text=${words}`,
    );
    await page.focus('.view.table');
    for (const key of ['PageDown', 'PageDown', 'PageDown', 'End', 'ArrowDown']) {
      await press(page, key);
    }
    assert.deepEqual(await readPair(page), ['word31', 'word39']);
    const isThere = await page.evaluate(() => {
      const room = document.querySelector('.view.table').getBoundingClientRect();
      const one = document.querySelector('td[aria-current]').getBoundingClientRect();
      const over = document.elementFromPoint(one.left + 5, one.top + 5);
      return (
        one.right <= room.right + 1 &&
        one.bottom <= room.bottom + 1 &&
        over === document.querySelector('td[aria-current]')
      );
    });
    assert.ok(isThere);
    // A large picture shows the selected row.
    const many = Array.from({ length: 60 }, (_, at) => `word${at}`).join(' ');
    await paste(page, 'first', many);
    await (await page.$('.view.table tbody tr:nth-child(3) td')).click();
    await drawn(page);
    assert.deepEqual(await readPair(page), ['word31', 'word2']);
    await press(page, 'ArrowDown');
    await press(page, 'ArrowRight');
    assert.deepEqual(await readPair(page), ['word32', 'word3']);
    await page.close();
  });

  it('scrolls to a cell that is selected elsewhere', async () => {
    const words = Array.from({ length: 20 }, (_, at) => `word${at}`).join('+');
    const hash = `#source=ngrams&view=table&text=${words}`;
    const { page } = await open(demo.browser, demo.url, hash, { folded: true });
    await page.setViewport({ width: 390, height: 844 });
    await drawn(page);
    const isInSight = () =>
      page.evaluate(() => {
        const [room, cell] = ['.view.table', 'td.chosen'].map((one) =>
          document.querySelector(one).getBoundingClientRect(),
        );
        return (
          cell.left >= room.left - 1 &&
          cell.right <= room.right + 1 &&
          cell.bottom <= room.bottom + 1
        );
      });
    await page.focus('#first-words');
    await press(page, 'End');
    assert.equal(await isInSight(), true, 'the last');
    await press(page, 'Home');
    assert.equal(await isInSight(), true, 'the first');
    await page.close();
  });
});
