// The texts and the selection: each mode has its own texts and finds them again, and the selection stays with its
// words while others are written around them.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { launch } from '../support/js/browser.js';
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
  servePage,
  typeInto,
} from './page_driver.js';

const { attention } = await loadAttention();

/** The pair of different words that has the largest weight; words of `marks` do not count. */
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

for (const name of ['chromium', 'firefox']) {
  describe(`texts and selection in ${name}`, { timeout: 300_000 }, () => {
    let server;
    let browser;

    before(async () => {
      server = await servePage();
      browser = await launch(name);
    });

    after(async () => {
      await browser?.close();
      await server?.close();
    });

    const fields = (page) =>
      page.evaluate(() => ['first', 'second'].map((id) => document.getElementById(id).value));
    const pair = async (page) => {
      const { query, key } = await read(page);
      return [query, key];
    };

    it('have one English text for Self and Cross, and a French one beside it', async () => {
      const { page, said } = await open(browser, server.url, '#mode=self');
      await paste(page, 'first', 'I like tea.');
      await choose(page, 'mode', 'cross');
      assert.deepEqual(await fields(page), ['', 'I like tea.']);
      await paste(page, 'first', 'J’aime le thé.');
      await paste(page, 'second', 'I like my tea.');
      await choose(page, 'mode', 'self');
      assert.equal((await fields(page))[0], 'I like my tea.');
      await choose(page, 'mode', 'lookup');
      await choose(page, 'mode', 'cross');
      assert.deepEqual(await fields(page), ['J’aime le thé.', 'I like my tea.']);
      await choose(page, 'mode', 'self');
      assert.equal((await fields(page))[0], 'I like my tea.');
      // An example is a text like any other: a change of mode does not exchange it.
      await click(page, '.examples button:nth-child(2)');
      const [example] = await fields(page);
      await choose(page, 'mode', 'cross');
      assert.deepEqual(await fields(page), ['J’aime le thé.', example]);
      assert.deepEqual(said, []);
      await page.close();
    });

    it('leave the texts of spelling as they were, too', async () => {
      const { page } = await open(browser, server.url, '#source=ngrams&text=one+two');
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
      const { page } = await open(browser, server.url, hash);
      const first = strongestPair(text);
      assert.deepEqual(await pair(page), first);
      const { strips } = await readInspector(page);
      assert.ok(strips[1].startsWith(`q of ${first[0]}:`), strips[1]);
      // As long as nobody has chosen another.
      await typeInto(page, 'first', 'cup of tea and teas');
      assert.deepEqual(await pair(page), strongestPair('cup of tea and teas'));
      await page.close();
    });

    it('keep the selection at its words while others are written', async () => {
      const { page } = await open(browser, server.url, '#source=ngrams&text=my+uncle+made+tea');
      await click(page, '#first-words-1');
      const chosen = await pair(page);
      assert.equal(chosen[0], 'uncle');
      // Before them, after them, within them.
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
      // A word that is taken away leaves the strongest pair of those that stay.
      await paste(page, 'first', 'stones for a stone');
      assert.deepEqual(await pair(page), strongestPair('stones for a stone'));
      await page.close();
    });

    it('keep it from layer to layer, and from spelling to the model', async () => {
      const hash = '#source=ngrams&text=The+red+car+is+here.&row=2&column=1';
      const { page } = await open(browser, server.url, hash);
      assert.deepEqual(await pair(page), ['car', 'red']);
      await pick(page, 'source', 'model');
      assert.deepEqual(await pair(page), ['car', 'red']);
      await pick(page, 'part', 'encoder.1');
      assert.deepEqual(await pair(page), ['car', 'red']);
      await press(page, 'Escape');
      await page.close();
    });
  });
}
