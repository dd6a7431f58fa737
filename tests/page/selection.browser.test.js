// Texts and selection: each mode keeps its own texts, and the selection stays with its words while others are edited.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { spell } from '../support/js/page_numbers.js';
import {
  choose,
  click,
  drawn,
  open,
  paste,
  pick,
  press,
  read,
  readInspector,
  readSentence,
  startPage,
  typeInto,
} from '../support/browser/page_driver.js';

const { attention } = await loadAttention();

/** The pair of different words with the largest weight, without words in `marks`. */
function strongestPair(text, marks = [',']) {
  const { rows, q, k, v, scale } = spell(text);
  const { data } = attention(q, k, v, { scale, weights: true }).weights;
  let best = -1;
  data.forEach((weight, at) => {
    const [row, column] = [Math.floor(at / rows.length), at % rows.length];
    const counts = row !== column && ![row, column].some((one) => marks.includes(rows[one]));
    if (counts && (best < 0 || weight > data[best])) best = at;
  });
  return [rows[Math.floor(best / rows.length)], rows[best % rows.length]];
}

describe('texts and selection', { timeout: 300_000 }, () => {
  const demo = startPage('chromium');

  const fields = (page) =>
    page.evaluate(() => ['first', 'second'].map((id) => document.getElementById(id).value));
  const pair = async (page) => {
    const { query, key } = await read(page);
    return [query, key];
  };

  it('have one English text for Self and Cross, and a French one beside it', async () => {
    const { page, said } = await open(demo.browser, demo.url, '#mode=self');
    await paste(page, 'first', 'I like tea.');
    await choose(page, 'mode', 'cross');
    assert.deepEqual(await fields(page), ['', 'I like tea.']);
    await paste(page, 'first', 'J’aime le thé.');
    await paste(page, 'second', 'I like my tea.');
    await choose(page, 'mode', 'self');
    assert.equal((await fields(page))[0], 'I like my tea.');
    await choose(page, 'mode', 'learn');
    await choose(page, 'mode', 'cross');
    assert.deepEqual(await fields(page), ['J’aime le thé.', 'I like my tea.']);
    await choose(page, 'mode', 'self');
    assert.equal((await fields(page))[0], 'I like my tea.');
    // A change of mode keeps an example as it keeps any text.
    await click(page, '.examples button:nth-child(2)');
    const [example] = await fields(page);
    await choose(page, 'mode', 'cross');
    assert.deepEqual(await fields(page), ['J’aime le thé.', example]);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('leave the texts of spelling as they were, too', async () => {
    const { page } = await open(demo.browser, demo.url, '#source=ngrams&text=one+two');
    await choose(page, 'mode', 'cross');
    await paste(page, 'second', 'two three');
    await choose(page, 'mode', 'self');
    await choose(page, 'mode', 'cross');
    assert.deepEqual(await fields(page), ['one two', 'two three']);
    await page.close();
  });

  it('start at the strongest pair of whole words', async () => {
    const text = 'stone, a tea and stones, cups';
    const hash = `#source=ngrams&text=${encodeURIComponent(text)}`;
    const { page } = await open(demo.browser, demo.url, hash);
    const first = strongestPair(text);
    assert.deepEqual(await pair(page), first);
    const { strips } = await readInspector(page);
    assert.ok(strips[1].startsWith(`q of ${first[0]}:`), strips[1]);
    // Until the reader selects another.
    await typeInto(page, 'first', 'cup of tea and teas');
    assert.deepEqual(await pair(page), strongestPair('cup of tea and teas'));
    await page.close();
  });

  it('keep the selection at its words while others are edited', async () => {
    const { page } = await open(demo.browser, demo.url, '#source=ngrams&text=my+uncle+made+tea');
    await click(page, '#first-words-1');
    const chosen = await pair(page);
    assert.equal(chosen[0], 'uncle');
    // Edits before, after and within the words.
    await page.focus('#first');
    await page.evaluate(() => document.getElementById('first').setSelectionRange(0, 0));
    for (const letter of 'so ') await page.keyboard.type(letter);
    await drawn(page);
    assert.equal((await read(page)).query, 'uncle');
    await page.evaluate(() => document.getElementById('first').setSelectionRange(99, 99));
    await page.keyboard.type(' for us, uncle');
    await drawn(page);
    assert.equal((await read(page)).query, 'uncle');
    assert.equal(await page.$eval('#first-words .read', (word) => word.dataset.index), '2');
    await page.evaluate(() => document.getElementById('first').setSelectionRange(11, 11));
    await page.keyboard.type('s');
    await drawn(page);
    assert.equal((await read(page)).query, 'uncles');
    assert.match((await readInspector(page)).strips[1], /^q of uncles:/);
    // When a selected word is deleted, the strongest remaining pair is selected.
    await paste(page, 'first', 'stones for a stone');
    assert.deepEqual(await pair(page), strongestPair('stones for a stone'));
    await page.close();
  });

  it('can be hovered and selected in the table, by mouse, finger and keys', async () => {
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
    assert.equal(said1, pointed);
    assert.equal((await readSentence(page)).read, 4);
    // Outside the table nothing is hovered.
    await page.hover('h1');
    await drawn(page);
    assert.deepEqual((await marks()).slice(0, 3), ['one', 'stone', at]);
    await (await cell(4, 1)).click();
    await drawn(page);
    assert.deepEqual(await pair(page), ['stones', 'stone']);
    // The header of a column selects it only; that of a row also the column that it attends to most.
    await (await page.$('.view.table thead th:nth-child(4)')).click();
    await drawn(page);
    assert.deepEqual(await pair(page), ['stones', 'and']);
    await (await page.$('.view.table tbody tr:nth-child(2) th')).click();
    await drawn(page);
    assert.deepEqual(await pair(page), ['stone', 'stones']);
    await page.focus('.view.table');
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowLeft', 'Home']) {
      await press(page, key);
    }
    assert.deepEqual(await pair(page), ['two', 'one']);
    await page.waitForFunction(() =>
      document.querySelector('#announcement').textContent.match(/“two” .*“one”/),
    );
    assert.deepEqual(said, []);
    await page.close();
  });

  it('are reachable in a table larger than its frame', async () => {
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
    assert.deepEqual(await pair(page), ['word31', 'word39']);
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
    assert.deepEqual(await pair(page), ['word31', 'word2']);
    await press(page, 'ArrowDown');
    await press(page, 'ArrowRight');
    assert.deepEqual(await pair(page), ['word32', 'word3']);
    await page.close();
  });

  it('may be hovered while they are being replaced', async () => {
    const words = Array.from({ length: 20 }, (_, at) => `word${at}`).join('+');
    const { page, said } = await open(demo.browser, demo.url, `#source=ngrams&text=${words}`);
    await page.evaluate(() => {
      const field = document.querySelector('#first');
      field.value = 'tea cup';
      field.dispatchEvent(new Event('input', { bubbles: true }));
      const last = Array.from(document.querySelectorAll('#first-words [role="option"]')).at(-1);
      last.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, pointerType: 'mouse' }));
    });
    await drawn(page);
    assert.deepEqual((await readSentence(page)).words, ['tea', 'cup']);
    assert.match((await read(page)).query, /tea|cup/);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('are scrolled into view in the table when selected elsewhere', async () => {
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

  it('keep it from layer to layer, and from spelling to the model', async () => {
    const hash = '#source=ngrams&text=The+red+car+is+here.&row=2&column=1';
    const { page } = await open(demo.browser, demo.url, hash);
    assert.deepEqual(await pair(page), ['car', 'red']);
    await pick(page, 'source', 'model');
    assert.deepEqual(await pair(page), ['car', 'red']);
    await pick(page, 'part', 'encoder.1');
    assert.deepEqual(await pair(page), ['car', 'red']);
    await press(page, 'Escape');
    await page.close();
  });
});
