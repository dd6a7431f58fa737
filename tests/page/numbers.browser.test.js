// Numbers on the page, in real browsers and with its content security policy: all are those that the library computes
// in Node.js.

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { lexicalScale, words } from 'attention-wasm/text';
import { assertShows, assertTable, numberOf, spell } from '../support/js/page_numbers.js';
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
  readTable,
  slide,
  startPage,
  typeInto,
} from '../support/browser/page_driver.js';

const text = 'Zuko made his uncle tea, and his uncle liked the well-made tea';
const context = 'The uncles like tea';

const { attention, scores } = await loadAttention();

const weightsOf = ({ q, k, v, scale }, options = {}) =>
  attention(q, k, v, { scale, weights: true, ...options }).weights.data;

describe('the page', { timeout: 600_000 }, () => {
  const demo = startPage('chromium');
  let page;
  let said;

  before(async () => {
    ({ page, said } = await open(demo.browser, demo.url));
  });

  it('starts with a text, its picture and the numbers behind one weight', async () => {
    const written = await page.$eval('#first', (field) => field.value);
    const truth = spell(written);
    const weights = weightsOf(truth);
    const seen = await read(page);
    const [row, column] = [truth.rows.indexOf(seen.query), truth.columns.lastIndexOf(seen.key)];
    assertShows(seen.weight, weights[row * truth.columns.length + column], 'the weight');
    assert.equal(seen.sum, '1.00000');
    assert.equal(seen.pair, `${seen.query} → ${seen.key}`);
    assertTable(await readTable(page), truth, weights);
  });

  it('computes while typing continues', async () => {
    await typeInto(page, 'first', text);
    assertTable(await readTable(page), spell(text), weightsOf(spell(text)));
    // Every key press counts, not only the end of a word.
    await page.focus('#first');
    await press(page, 'End');
    await page.keyboard.type(' s');
    await drawn(page);
    const longer = spell(`${text} s`);
    assertTable(await readTable(page), longer, weightsOf(longer));
  });

  it('follows every control; its numbers are proved in worker/settings.test.js', async () => {
    await paste(page, 'first', text);
    const truth = spell(text);
    // The address follows after a pause.
    const follows = (expected) =>
      page.waitForFunction(
        (wanted) => {
          const fields = new URLSearchParams(location.hash.slice(1));
          return Object.entries(wanted).every(([name, value]) => fields.get(name) === value);
        },
        { timeout: 5000 },
        expected,
      );
    await click(page, '#causal');
    await typeInto(page, 'softcap', '2');
    await follows({ causal: 'yes', softcap: '2' });
    const options = { scale: truth.scale, causal: true, softcap: 2 };
    const masked = scores(truth.q, truth.k, options).data;
    assertTable(await readTable(page, 'masked'), truth, masked);
    assertTable(await readTable(page, 'weights'), truth, weightsOf(truth, options));
    await click(page, '#causal');
    await typeInto(page, 'softcap', '0');
    await follows({ causal: 'no', softcap: null });

    await choose(page, 'scale', 'own');
    for (const scale of ['1.5', '0', '-2']) {
      await typeInto(page, 'ownScale', scale);
      await follows({ scale: 'own', ownScale: scale });
    }
    // An empty field keeps the current scale, and shows it again on blur.
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await page.focus('#first');
    assert.equal(await page.$eval('#ownScale', (field) => field.value), '-2');
    for (const scale of ['scaled', 'one', 'source']) {
      await choose(page, 'scale', scale);
      await follows({ scale: scale === 'source' ? null : scale });
    }
    await slide(page, 'temperature', -2);
    await follows({ temperature: '0.25' });
    await slide(page, 'temperature', 0);
    await typeInto(page, 'windowLeft', '2');
    await typeInto(page, 'windowRight', '1');
    await follows({ temperature: null, windowLeft: '2', windowRight: '1' });
    for (const id of ['windowLeft', 'windowRight']) {
      await page.focus(`#${id}`);
      await press(page, 'Backspace');
    }
    await follows({ windowLeft: null, windowRight: null });
    assertTable(await readTable(page), truth, weightsOf(truth));
  });

  it('shows the head of the list or of a tile, or their average', async () => {
    const truth = spell(text);
    await choose(page, 'heads', '4');
    const all = weightsOf(truth, { heads: 4, scale: 4 * lexicalScale });
    const size = truth.rows.length ** 2;
    await pick(page, 'head', '2');
    assertTable(await readTable(page), truth, all.subarray(2 * size, 3 * size));
    await pick(page, 'head', 'average');
    assert.equal(await page.$eval('#average', (input) => input.checked), true);
    await click(page, '#average');
    await choose(page, 'view', 'heads');
    const tiles = await page.$$('.heads-view [role="gridcell"]');
    assert.equal(tiles.length, 4);
    await tiles[3].click();
    await drawn(page);
    assertTable(await readTable(page), truth, all.subarray(3 * size));
    await choose(page, 'heads', '1');
  });

  it('hides punctuation, merges pieces and sorts columns', async () => {
    await paste(page, 'first', text);
    const truth = spell(text);
    const weights = weightsOf(truth);
    const commas = truth.columns.flatMap((word, column) => (word === ',' ? [column] : []));
    await click(page, '#hideSpecial');
    assert.deepEqual((await readTable(page)).columns.slice(-2), ['tea', 'marks']);
    const { query, sum, marks } = await read(page);
    assert.equal(sum, '1.00000');
    const row = truth.rows.indexOf(query) * truth.columns.length;
    const share = commas.reduce((total, column) => total + weights[row + column], 0);
    assertShows(marks, share, 'marks');
    await click(page, '#hideSpecial');
    assert.equal((await read(page)).marks, '');
    await click(page, '#merge');
    assert.ok((await readTable(page)).rows.includes('well-made'));
    await click(page, '#merge');
    await click(page, '#first-words-4');
    for (const sort of ['read', 'total', 'text']) {
      await choose(page, 'sort', sort);
      const { columns } = await readTable(page);
      assert.equal(columns.join() === truth.columns.join(), sort === 'text', sort);
    }
  });

  it('shows attention between two texts', async () => {
    await choose(page, 'mode', 'cross');
    await paste(page, 'first', text);
    await typeInto(page, 'second', context);
    // Two texts have no common order; the page says so beside the switch.
    assert.equal(await page.$eval('#causal', (input) => input.disabled), true);
    await click(page, '[aria-controls="causal-more"]');
    assert.match(await page.$eval('#causal-more', (one) => one.innerText), /one text/i);
    await click(page, '[aria-controls="causal-more"]');
    await click(page, '#second-words-3');
    assert.equal((await read(page)).key, 'tea');
    assert.equal((await readSentence(page, 'second-words')).looked, 3);
    await choose(page, 'mode', 'self');
    assertTable(await readTable(page), spell(text), weightsOf(spell(text)));
  });

  it('reads the text word by word: red is read, blue is what it attends to', async () => {
    await paste(page, 'first', text);
    const truth = spell(text);
    const weights = weightsOf(truth);
    await click(page, '#first-words-4');
    const { fills, numbers, ...sentence } = await readSentence(page);
    assert.equal(sentence.text, text);
    assert.deepEqual(sentence.words, truth.columns);
    assert.equal(sentence.read, 4);
    // The column selected first is the strongest, except the word itself.
    assert.equal(sentence.words[sentence.looked], 'tea');
    const [r, g, b] = fills[4].match(/\d+/g).map(Number);
    assert.ok(r > 2 * g && r > 2 * b, `the word that is read is ${fills[4]}`);
    const lightness = (color) => color.match(/\d+/g).reduce((sum, part) => sum + Number(part), 0);
    const others = truth.columns.map((_, j) => j).filter((j) => j !== 4);
    others.sort(
      (i, j) => weights[4 * truth.columns.length + i] - weights[4 * truth.columns.length + j],
    );
    const lights = others.map((j) => lightness(fills[j]));
    assert.deepEqual(
      lights,
      lights.toSorted((one, other) => other - one),
    );
    assert.ok(lights[0] - lights.at(-1) > 200, `from ${lights[0]} to ${lights.at(-1)}`);
    for (const j of others) {
      assert.ok(Math.abs(Number(numbers[j]) - weights[4 * truth.columns.length + j]) <= 0.0051);
    }
  });

  it('moves with the arrow keys in reading direction, and plays', async () => {
    for (const [value, forwards, direction] of [
      [text, 'ArrowRight', 'ltr'],
      ['خيط حرير على حيط خليل', 'ArrowLeft', 'rtl'],
    ]) {
      await paste(page, 'first', value);
      await page.focus('#first-words');
      await press(page, 'Home');
      await press(page, forwards);
      const sentence = await readSentence(page);
      assert.deepEqual([sentence.direction, sentence.read], [direction, 1]);
      await press(page, 'End');
      assert.equal((await readSentence(page)).read, words(value).length - 1);
    }
    await click(page, '#play');
    await page.waitForFunction(
      () => document.querySelector('#first-words .read')?.dataset.index === '1',
      { timeout: 30_000 },
    );
    await click(page, '#play');
    assert.equal(await page.$eval('#play', (button) => button.textContent), 'Play');
    const { read: stopped } = await readSentence(page);
    await new Promise((resolve) => setTimeout(resolve, 1200));
    assert.equal((await readSentence(page)).read, stopped);
  });

  it('shows every number behind a weight, from the products to the output', async () => {
    await paste(page, 'first', text);
    await choose(page, 'heads', '2');
    await pick(page, 'head', '1');
    await click(page, '#first-words-4');
    const truth = spell(text);
    const { q, k, v } = truth;
    const options = { heads: 2, scale: 2 * lexicalScale, weights: true, scores: 'raw' };
    const result = attention(q, k, v, options);
    const count = truth.columns.length;
    const { query, key } = await read(page);
    const [row, column] = [truth.rows.indexOf(query), truth.columns.lastIndexOf(key)];
    const at = (1 * count + row) * count + column;
    const { sums, mix, strips } = await readInspector(page);
    const scaled = result.scores.data[at];
    const raw = scaled / (2 * lexicalScale);
    const [, [score], [scale], , [soft, together], [out]] = sums;
    assertShows(/= ([^=]+)$/.exec(score)[1], raw, 'q·k');
    // The listed products are those of the vectors, largest first.
    const products = Array.from({ length: 32 }, (_, c) => {
      return q.data[row * 64 + 32 + c] * k.data[column * 64 + 32 + c];
    }).sort((a, b) => Math.abs(b) - Math.abs(a));
    const terms = score.split(' = ')[0].split(' + ').slice(0, 3);
    terms.forEach((term, index) => {
      const [a, b] = term.split(' × ').map((one) => numberOf(one).value);
      assert.ok(Math.abs(Math.abs(a * b) - Math.abs(products[index])) < 2e-3, `${term}`);
    });
    const steps = /^(\S+) × (\S+) = (\S+)$/.exec(scale);
    assertShows(steps[1], raw, 'the score');
    assertShows(steps[2], 8, 'the scale');
    assertShows(steps[3], scaled, 'the scaled score');
    assertShows(/= ([^=]+)$/.exec(soft)[1], result.weights.data[at], 'the weight');
    assert.match(together, /1\.00000$/);
    assertShows(/= ([^=]+)$/.exec(out)[1], result.output.data[row * 64 + 32], 'the output');
    const top = Math.max(...result.weights.data.subarray(at - column, at - column + count));
    assert.ok(Math.abs(Number(mix[0].split(' ')[0]) - top) < 1e-4, mix[0]);
    assert.ok(
      strips.some((label) => /^q of tea: 32 numbers/.test(label)),
      strips.join('; '),
    );
    // A click on the strip selects another component of the output.
    const strip = await page.$('.inspector .mix + .strip-line canvas');
    const { width, height } = await strip.boundingBox();
    await strip.click({ offset: { x: (width * 20.5) / 32, y: height / 2 } });
    const other = (await readInspector(page)).sums[5][0];
    assert.match(other, /^o21 = /);
    assertShows(/= ([^=]+)$/.exec(other)[1], result.output.data[row * 64 + 32 + 20], 'o21');
    // The full list of products.
    await page.evaluate(() => document.querySelector('.inspector details summary').click());
    await page.waitForSelector('.terms li');
    const listed = await page.$$eval('.terms li', (items) => items.map((item) => item.textContent));
    assert.equal(listed.length, 32);
    const sum = listed.reduce((all, line) => all + numberOf(line.split(' = ')[1]).value, 0);
    assert.ok(Math.abs(sum - raw) < 32 * 0.0006, `${sum} is not ${raw}`);
    await choose(page, 'heads', '1');
  });

  it('handles no word, one word, two thousand, and any script', async () => {
    for (const value of ['', ' \n ']) {
      await paste(page, 'first', value);
      assert.match((await read(page)).message, /Write a text/);
    }
    await paste(page, 'first', 'tea');
    const seen = await read(page);
    assert.deepEqual([seen.message, seen.query, seen.weight], ['', 'tea', '1.00000']);
    for (const value of ['a👩‍👩‍👧‍👦b e\u0301te\u0301 👍🏽 中文 שלום عربي', '\ud800 x', '<b>&amp;</b>']) {
      await paste(page, 'first', value);
      const { words: shown, text: whole } = await readSentence(page);
      assert.equal(whole.replaceAll('\ufffd', '\ud800'), value);
      const cut = words(value).map((word) => word.replaceAll('\ud800', '\ufffd'));
      assert.deepEqual(
        shown.map((word) => word.replaceAll('\ud800', '\ufffd')),
        cut,
      );
      const table = await readTable(page);
      assert.equal(table.cells.length, cut.length);
    }
    const many = Array.from({ length: 2000 }, (_, i) => `word${i}`).join(' ');
    await choose(page, 'view', 'matrix');
    await paste(page, 'first', many);
    assert.match(
      await page.$eval('.note', (note) => note.textContent),
      /only its beginning is shown/,
    );
    const truth = spell(many);
    assert.equal(truth.rows.length, 512);
    await page.focus('#first-words');
    await press(page, 'End');
    const { query, key, weight } = await read(page);
    assert.equal(query, 'word511');
    const at = 511 * 512 + truth.columns.indexOf(key);
    assertShows(weight, weightsOf(truth)[at], 'the weight');
    // A large picture shows the selected row instead of 250,000 cells.
    const table = await readTable(page);
    assert.equal(table.rows.length, 512);
    assertShows(table.cells[7][0], weightsOf(truth)[511 * 512 + 7], 'a weight of the row');
    await choose(page, 'view', 'matrix');
    await paste(page, 'first', text);
  });

  it('prints nothing on the console, under its policy', async () => {
    assert.deepEqual(said, []);
    const ran = await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'globalThis.ranInline = true';
      document.head.append(script);
      return globalThis.ranInline === true;
    });
    assert.equal(ran, false, 'a script within the page was run: the policy is not in force');
    // Proof that console messages of this page are recorded.
    await page.evaluate(() => console.debug('a word'));
    for (let wait = 0; wait < 50 && !said.includes('console debug: a word'); wait++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.ok(said.includes('console debug: a word'));
  });
});
