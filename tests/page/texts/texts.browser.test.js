// The texts word by word: red is read, shades of blue are what it looks at; words are selected and followed while others are
// edited, and are as large as fits.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { formatBriefly } from 'attention-wasm/heatmap';
import { words } from 'attention-wasm/text';
import { textOf } from '../../bench/keystrokes.js';
import { countHeld, holdTimers, runHeld } from '../../support/browser/held_timers.js';
import {
  choose,
  click,
  drawn,
  open,
  paste,
  pick,
  press,
  read,
  readBox,
  readPair,
  readSentence,
  startPage,
  typeInto,
} from '../../support/browser/page_driver.js';
import { stagesOf } from '../../support/js/kind_stages.js';
import { spell } from '../../support/js/page_numbers.js';

const text = 'Zuko made his uncle tea, and his uncle liked the well-made tea';
const context = 'The uncles like tea';
const spelled = '#source=ngrams&mode=self&merge=no&hideSpecial=no';
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

describe('the texts', { timeout: 300_000 }, () => {
  const demo = startPage('chromium');

  it('show a text word by word: red is read, blue is what it attends to', async () => {
    const { page } = await open(demo.browser, demo.url, spelled);
    await paste(page, 'first', text);
    const truth = spell(text);
    const { data: weights } = attention(truth.q, truth.k, truth.v, {
      ...{ scale: truth.scale, weights: true },
    }).weights;
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
      const percent = 100 * weights[4 * truth.columns.length + j];
      assert.ok(Math.abs(Number(numbers[j]) - percent) <= 0.51, `${numbers[j]} of ${percent}`);
    }
    await page.close();
  });

  it('show two texts, with the weights of the read word in the other one', async () => {
    const { page } = await open(demo.browser, demo.url, `${spelled}&kind=cosine`);
    await choose(page, 'mode', 'cross');
    await paste(page, 'first', text);
    await paste(page, 'second', context);
    await click(page, '#second-words-3');
    assert.equal((await read(page)).key, 'tea');
    const { looked, numbers } = await readSentence(page, 'second-words');
    assert.equal(looked, 3);
    const truth = spell(text, context);
    const { weights } = stagesOf('cosine', truth);
    const row = truth.rows.indexOf((await read(page)).query);
    const width = truth.columns.length;
    assert.deepEqual(
      numbers,
      Array.from(weights.subarray(row * width, (row + 1) * width), formatBriefly),
    );
    assert.ok(numbers.some((number) => number.startsWith('−')));
    await choose(page, 'mode', 'self');
    assert.equal((await readSentence(page)).text, text);
    await page.close();
  });

  it('move with the arrow keys in reading direction, and play', async () => {
    const { page } = await open(demo.browser, demo.url, spelled);
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
    await holdTimers(page, 900);
    await click(page, '#play');
    for (const index of [0, 1]) {
      assert.equal((await readSentence(page)).read, index);
      assert.equal(await runHeld(page), 1);
      await drawn(page);
    }
    await click(page, '#play');
    assert.equal(await page.$eval('#play', (button) => button.textContent), 'Play');
    assert.equal(await countHeld(page), 0);
    await page.close();
  });

  it('start at the strongest pair of whole words', async () => {
    const text = 'stone, a tea and stones, cups';
    const hash = `#source=ngrams&text=${encodeURIComponent(text)}`;
    const { page } = await open(demo.browser, demo.url, hash);
    const first = strongestPair(text);
    assert.deepEqual(await readPair(page), first);
    const { strips } = await readBox(page, 'vectors');
    assert.ok(strips[1].startsWith(`q of ${first[0]}:`), strips[1]);
    // Until the reader selects another.
    await typeInto(page, 'first', 'cup of tea and teas');
    assert.deepEqual(await readPair(page), strongestPair('cup of tea and teas'));
    await page.close();
  });

  it('keep the selection at its words while others are edited', async () => {
    const { page } = await open(demo.browser, demo.url, '#source=ngrams&text=my+uncle+made+tea');
    await click(page, '#first-words-1');
    const chosen = await readPair(page);
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
    assert.match((await readBox(page, 'vectors')).strips[1], /^q of uncles:/);
    // When a selected word is deleted, the strongest remaining pair is selected.
    await paste(page, 'first', 'stones for a stone');
    assert.deepEqual(await readPair(page), strongestPair('stones for a stone'));
    await page.close();
  });

  it('may be hovered while their words are being replaced', async () => {
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

  it('keep the selection from layer to layer, and from spelling to the model', async () => {
    const hash = '#source=ngrams&text=The+red+car+is+here.&row=2&column=1';
    const { page } = await open(demo.browser, demo.url, hash);
    assert.deepEqual(await readPair(page), ['car', 'red']);
    await pick(page, 'source', 'model');
    assert.deepEqual(await readPair(page), ['car', 'red']);
    await pick(page, 'part', 'encoder.1');
    assert.deepEqual(await readPair(page), ['car', 'red']);
    await press(page, 'Escape');
    await page.close();
  });

  it('isolate text direction, and show invisible characters', async () => {
    const page = await demo.browser.newPage();
    const text = 'tea \u202eis my\u00adself می\u200cخواهم cup';
    await page.goto(`${demo.url}#source=ngrams&mode=self&row=2&text=${encodeURIComponent(text)}`);
    await drawn(page);
    const shown = await page.evaluate(() => {
      const words = document.getElementById('first-words');
      const options = Array.from(words.querySelectorAll('[role="option"]'));
      return {
        text: words.textContent,
        words: options.map(({ textContent }) => textContent),
        lefts: options.slice(0, 3).map((one) => one.getBoundingClientRect().left),
        marks: Array.from(words.querySelectorAll('.invisible'), (one) => [
          one.textContent,
          getComputedStyle(one).unicodeBidi,
          getComputedStyle(one, '::before').content,
        ]),
        read: document.querySelector('.looking .is-read').textContent,
        all: document.body.innerText.replace(words.innerText, ''),
      };
    });
    // The words are the text, character for character.
    assert.equal(shown.text, text);
    assert.deepEqual(shown.words, ['tea', 'is', 'my\u00adself', 'می\u200cخواهم', 'cup']);
    assert.deepEqual(
      shown.marks,
      ['\u202e', '\u00ad'].map((one) => [one, 'isolate', '"�"']),
    );
    assert.deepEqual(
      shown.lefts,
      shown.lefts.toSorted((a, b) => a - b),
    );
    assert.equal(shown.read, 'my�self');
    assert.doesNotMatch(shown.all, /[\u202e\u00ad]/);
    await page.close();
  });

  it('give a shortened text the font size of a new one', async () => {
    const sizeOf = (page) => page.$eval('.sentences', (element) => element.dataset.size);
    const hashOf = (text) => `#source=ngrams&first=${encodeURIComponent(text)}`;
    const { page } = await open(demo.browser, demo.url, hashOf(textOf(40)));
    const sizes = new Set();
    let text = textOf(40);
    while (text.length > 20) {
      text = text.slice(0, -9);
      await paste(page, 'first', text);
      sizes.add(await sizeOf(page));
    }
    const fresh = await open(demo.browser, demo.url, hashOf(text));
    assert.equal(await sizeOf(page), await sizeOf(fresh.page));
    assert.ok(sizes.size > 3, [...sizes].join());
    await fresh.page.close();
    await page.close();
  });

  it('show whole lines of two texts on a phone', async () => {
    const elephant = 'The pink elephant tried to get into the car but it was too big.';
    const hash = `#mode=cross&row=12&text=${encodeURIComponent(elephant)}`;
    const { page } = await open(demo.browser, demo.url, hash, { folded: true });
    for (const width of [360, 390, 430]) {
      await page.setViewport({ width, height: 844 });
      await drawn(page);
      const cut = await page.$$eval('.sheet .sentence', (all) =>
        all.map(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight),
      );
      assert.deepEqual(cut, [0, 0], `${width}`);
    }
    await page.close();
  });

  it('repeat no text, and overlap no weights', async () => {
    const { page } = await open(demo.browser, demo.url, '#mode=cross');
    // Rays show what the note would say.
    assert.equal(await page.$eval('.note', (one) => one.innerText), '');
    // Numbers stand below words of texts that have no rays.
    const text = `The pink elephant tried. ${'It was too big for the small red car. '.repeat(5)}`;
    await page.goto(`${demo.url}#text=${encodeURIComponent(text)}&merge=no&hideSpecial=no`);
    await page.reload();
    await drawn(page);
    const boxes = await page.$$eval('#first-words [role="option"]', (options) =>
      options
        .filter((one) => getComputedStyle(one, '::after').visibility === 'visible')
        .map((one) => {
          const { left, width, top } = one.getBoundingClientRect();
          const wide = parseFloat(getComputedStyle(one, '::after').width);
          return { from: left + width / 2 - wide / 2, to: left + width / 2 + wide / 2, top };
        }),
    );
    assert.ok(boxes.length > 5);
    boxes.slice(1).forEach(({ from, top }, at) => {
      assert.ok(top !== boxes[at].top || from >= boxes[at].to - 1, JSON.stringify(boxes));
    });
    await page.close();
  });
});
