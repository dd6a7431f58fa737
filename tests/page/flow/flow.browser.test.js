// The flow in the page: its boxes, every number of a strip by pointer, touch and keys, pairs of pieces, and when it opens.
// Its numbers are proved in flow.test.js and one_number.test.js.

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { loadTranslator } from 'attention-wasm/translator';
import {
  catchFiles,
  choose,
  click,
  drawn,
  exported,
  open,
  openBox,
  overflow,
  paste,
  pick,
  press,
  read,
  readBox,
  readTable,
  startPage,
} from '../../support/browser/page_driver.js';
import { problems } from '../../support/browser/axe.js';
import { assertShows, numberOf } from '../../support/js/page_numbers.js';

const english = 'The red car is fast.';
const translator = await loadTranslator();
const valueOf = (text) => /: (\S+)$/.exec(text)[1];

/** Pieces in the details: the pairs in its order, and their two totals. */
const readPieces = (page) =>
  page.evaluate(() => {
    const pairs = Array.from(document.querySelectorAll('.pieces tbody tr'), (row) => ({
      text: row.querySelector('button').textContent,
      weight: row.children[1].textContent,
      isChosen: row.querySelector('button').getAttribute('aria-pressed') === 'true',
    }));
    const step = document.querySelector('.pieces').closest('.step');
    const lines = Array.from(step.querySelectorAll('.sum:not([hidden])'), (one) => one.textContent);
    const last = (start) =>
      lines.find((line) => line.startsWith(start))?.match(/[=:] ([^=:]+)$/)[1];
    return {
      pairs,
      chosen: pairs.find(({ isChosen }) => isChosen),
      weight: last('mean of') ?? last('weight'),
      score: last('scaled score'),
    };
  });

describe('the flow', { timeout: 300_000 }, () => {
  const demo = startPage('chromium');

  let page;
  let said;

  before(async () => {
    const link = new URLSearchParams({ mode: 'self', text: english, row: 1, column: 2, head: 1 });
    ({ page, said } = await open(demo.browser, demo.url, `#${link}`));
  });

  /** Presses a key many times with a strip (counted from the end) in focus. */
  async function pressOn(strip, key, times = 1) {
    await page.evaluate((at) => {
      Array.from(document.querySelectorAll('.flow canvas.strip')).at(at).focus();
    }, strip);
    for (let count = 0; count < times; ++count) await page.keyboard.press(key);
    await drawn(page);
  }

  it('keeps the name and the numbers of the chosen pair while the pointer is elsewhere', async () => {
    await choose(page, 'view', 'matrix');
    const before = await read(page);
    assert.equal(before.pair, 'red → car');
    for (const word of [0, 3, 4]) {
      await page.hover(`#first-words-${word}`);
      // The sentence follows the pointer.
      await page.waitForFunction(
        (key) => document.querySelector('.looking .is-seen').textContent !== key,
        {},
        before.key,
      );
      await drawn(page);
      const { pair, weight, score, sum, marks } = await read(page);
      const { pair: name, weight: own, score: scaled, sum: all, marks: rest } = before;
      assert.deepEqual([pair, weight, score, sum, marks], [name, own, scaled, all, rest]);
    }
    await page.mouse.move(2, 2);
    // Name and weight are those of one cell.
    const { rows, columns, cells } = await readTable(page);
    const [query, key] = before.pair.split(' → ');
    assert.equal(cells[rows.indexOf(query)][columns.indexOf(key)], before.weight);
    await choose(page, 'view', 'matrix');
  });

  it('spells out the number of the heads and of their result that keys select', async () => {
    const { vectors } = translator.translate(english, { vectors: true });
    const width = vectors.encoder[0].value.dims.at(-1);
    await openBox(page, 'value');
    await pressOn(-1, 'Home');
    await pressOn(-1, 'ArrowRight', 7);
    await pressOn(-2, 'End');
    await pressOn(-2, 'ArrowLeft', 3);
    const { strips, sums } = await page.$eval('#step-heads', (step) => ({
      strips: Array.from(step.querySelectorAll('canvas'), (one) =>
        one.getAttribute('aria-valuetext'),
      ),
      sums: Array.from(step.querySelectorAll('.sum'), (one) => one.textContent),
    }));
    const { heads } = translator;
    assert.match(strips[0], RegExp(`^number ${heads * width - 3} of ${heads * width}: `));
    assert.match(sums[0], RegExp(`^Number ${heads * width - 3} comes from head ${heads} and`));
    assert.equal(/contributes (\S+) ×/.exec(sums[0])[1], valueOf(strips[0]));
    assert.match(strips[1], RegExp(`^number 8 of ${heads * width}: `));
    assert.match(sums[1], /^y8 = /);
    assertShows(/ = (\S+)$/.exec(sums[1])[1], numberOf(valueOf(strips[1])).value, 'y', 1e-3);
  });

  it('shows the selected pair after quick changes', async () => {
    const row = () => page.$eval('.flow .pair-title .is-read', (one) => one.textContent);
    const pressAll = (keys) =>
      page.evaluate((list) => {
        const words = document.querySelector('#first-words');
        for (const key of list) {
          words.dispatchEvent(
            new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
          );
        }
      }, keys);
    await choose(page, 'mode', 'cross');
    await paste(page, 'first', '');
    await paste(page, 'second', english);
    await pick(page, 'part', 'decoder.0');
    await pressAll(['Home', 'ArrowRight', 'ArrowRight']);
    await drawn(page);
    const before = await row();
    // Back before any answer can have come.
    await pressAll(['ArrowLeft', 'ArrowRight']);
    await drawn(page);
    assert.equal(await row(), before);
  });

  it('gives keyboard and touch access to every number of a strip', async () => {
    const seen = () =>
      page.evaluate(() => {
        const strip = document.querySelectorAll('.flow canvas.strip')[1];
        const { min, max } = { min: strip.ariaValueMin, max: strip.ariaValueMax };
        const shown = strip.parentElement.querySelector('.strip-number');
        return {
          ...{ min, max, now: strip.ariaValueNow, text: strip.ariaValueText },
          shown: shown.hidden ? '' : shown.textContent,
        };
      });
    const heard = [];
    await openBox(page, 'vectors');
    await pressOn(1, 'Home');
    const { max, min } = await seen();
    assert.deepEqual([min, max], ['1', '48']);
    for (let at = 0; at < 48; ++at) {
      const { now, text, shown } = await seen();
      assert.equal(now, String(at + 1));
      assert.equal(shown, text, 'what is said is written, too');
      heard.push(valueOf(text));
      await page.keyboard.press('ArrowRight');
    }
    const { vectors } = translator.translate(english, { vectors: true });
    const { data, dims } = vectors.decoder[0].query;
    const head = await page.$eval('#head', (select) => Math.max(0, select.selectedIndex));
    const first = (head * dims[2] + 2) * dims[3];
    heard.forEach((number, c) => assertShows(number, data[first + c], `number ${c + 1}`));
    await page.keyboard.press('Tab');
    assert.equal((await seen()).shown, '');
    // Touch: down on one number, then along to another.
    const box = await page.evaluate(() => {
      const strip = document.querySelectorAll('.flow canvas.strip')[1];
      strip.scrollIntoView({ block: 'center' });
      const { left, top, width, height } = strip.getBoundingClientRect();
      return { left, top, width, height };
    });
    const x = (at) => box.left + ((at + 0.5) / 48) * box.width;
    const y = box.top + box.height / 2;
    // The browser may confirm a touch before the page has handled it.
    const standsAt = (number) =>
      page.waitForFunction(
        (wanted) => document.querySelectorAll('.flow canvas.strip')[1].ariaValueNow === wanted,
        {},
        number,
      );
    await page.touchscreen.touchStart(x(10), y);
    await standsAt('11');
    await page.touchscreen.touchMove(x(30), y);
    await standsAt('31');
    await page.touchscreen.touchEnd();
    assertShows(valueOf((await seen()).text), data[first + 30], 'under the finger');
    assert.deepEqual(said, []);
  });

  it('has no product with W_O where there is none', async () => {
    // The switch shows Self for the decoder's self-attention within a translation.
    await choose(page, 'mode', 'cross');
    await choose(page, 'mode', 'self');
    await openBox(page, 'value');
    await pick(page, 'source', 'ngrams');
    // The flow shows one inspection until it has the next one.
    await page.waitForFunction(() => !document.querySelector('#step-heads'));
    await pick(page, 'source', 'model');
    await page.waitForSelector('#step-heads');
    assert.deepEqual(said, []);
  });

  it('lists all products on request, and spells out the component of the output that is clicked', async () => {
    const link = new URLSearchParams({
      text: 'Zuko made his uncle tea',
      heads: 2,
      head: 1,
      row: 4,
    });
    const { page: own } = await open(demo.browser, demo.url, `#source=ngrams&mode=self&${link}`);
    const { strips } = await readBox(own, 'vectors');
    const { mix } = await readBox(own, 'value');
    assert.ok(
      strips.some((label) => /^q of tea: 32 numbers/.test(label)),
      strips.join('; '),
    );
    // The values are listed by their weights, the largest first.
    const shares = mix.map((line) => Number(line.split(' ')[0]));
    assert.ok(
      shares.length > 1 && shares.every((share, at) => at === 0 || share <= shares[at - 1]),
    );
    const strip = await own.$('.flow .mix + .strip-line canvas');
    const { width, height } = await strip.boundingBox();
    await strip.click({ offset: { x: (width * 20.5) / 32, y: height / 2 } });
    const [other] = (await readBox(own, 'value')).sums.moved;
    assert.match(other, /^o21 = /);
    const says = await strip.evaluate((canvas) => canvas.getAttribute('aria-valuetext'));
    assertShows(/= ([^=]+)$/.exec(other)[1], numberOf(valueOf(says)).value, 'o21', 1e-3);
    const { sums } = await readBox(own, 'score');
    await own.evaluate(() => document.querySelector('#flow-score details summary').click());
    await own.waitForSelector('.terms li');
    const listed = await own.$$eval('.terms li', (items) => items.map((item) => item.textContent));
    assert.equal(listed.length, 32);
    const sum = listed.reduce((all, line) => all + numberOf(line.split(' = ')[1]).value, 0);
    const raw = numberOf(/= ([^=]+)$/.exec(sums.score[0])[1]).value;
    assert.ok(Math.abs(sum - raw) < 32 * 0.0006, `${sum} is not ${raw}`);
    // Formulas are written as formulas.
    await choose(own, 'scale', 'scaled');
    await openBox(own, 'scale');
    const scale = await own.$eval('#step-scale .formula', (formula) => formula.innerHTML);
    assert.match(scale, /√d<sub>k<\/sub>/);
    await own.close();
  });

  it('has the number of a word in pieces wherever it is shown, and spells out the pair of pieces that is clicked', async () => {
    const text = 'The pink elephant tried to get into the car but it was too big.';
    const place = { part: 'cross.1', row: 2, column: 2 };
    const hash = `#${new URLSearchParams({ mode: 'cross', numbers: 'decimals', text, ...place })}`;
    const { page: own, said: saidNow } = await open(demo.browser, demo.url, hash);
    await catchFiles(own);
    const shown = await read(own);
    assert.deepEqual([shown.query, shown.pair], ['éléphant', `éléphant → ${shown.key}`]);
    const { pairs, weight, score } = await readPieces(own);
    assert.ok(pairs.length > 2);
    assert.deepEqual([weight, score], [shown.weight, shown.score]);
    const cell = await own.$eval(
      '.view[data-view="matrix"] attention-map',
      (map) => map.shadowRoot.querySelector('[role="gridcell"]').textContent,
    );
    assertShows(/: (\S+( × \S+)?)$/.exec(cell)[1], numberOf(shown.weight).value, 'the cell', 1e-5);
    await own.waitForFunction(
      () =>
        document.querySelector('#announcement').textContent ===
        document.querySelector('.looking').textContent,
      { timeout: 120_000 },
    );
    const [titles, ...lines] = (await exported(own, 'csv')).text
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
    const line = lines.find(([label]) => label === shown.query);
    assertShows(shown.weight, Number(line[titles.indexOf(shown.key)]), 'CSV');
    const table = await readTable(own);
    const inTable = table.cells[table.rows.indexOf(shown.query)][table.columns.indexOf(shown.key)];
    assert.equal(inTable, shown.weight, 'the table');
    for (const at of [pairs.length - 1, 1]) {
      await own.evaluate((index) => {
        document.querySelectorAll('.pieces tbody button')[index].click();
      }, at);
      await drawn(own);
      const { chosen } = await readPieces(own);
      assert.equal(chosen.text, pairs[at].text);
      const words = await own.$$eval('.box.of-vectors bdi', (list) =>
        list.map((one) => one.textContent),
      );
      assert.deepEqual(
        words,
        chosen.text.split(' → ').toReversed(),
        'k and q are those of the pair',
      );
    }
    assert.deepEqual(saidNow, []);
    await own.close();
  });

  it('is a list of boxes from left to right, each a button with a heading, which opens its details below', async () => {
    const { page: own, said: saidNow } = await open(demo.browser, demo.url, '#mode=cross&row=2', {
      folded: true,
    });
    await own.setViewport({ width: 1440, height: 900 });
    await click(own, '#how');
    await own.waitForSelector('.of-scale .number');
    const boxes = () =>
      own.$$eval('.flow .boxes > li > h3 > button', (all) =>
        all.map((one) => {
          const { left, right, top, bottom } = one.getBoundingClientRect();
          const name = one.querySelector('.name').textContent;
          return { name, left, right, top, bottom, isOpen: one.ariaExpanded === 'true' };
        }),
      );
    const all = await boxes();
    assert.deepEqual(
      all.map(({ name }) => name),
      ['Vectors', 'Score', 'Scale and mask', 'Softmax', 'Weight', 'Next word'],
    );
    all.slice(1).forEach(({ left, top }, at) => {
      assert.ok(left > all[at].right && top === all[at].top, `box ${at + 1}`);
    });
    const numbers = await own.$$eval('.box .number', (list) => list.map((one) => one.textContent));
    assert.equal(numbers.length, 3);
    for (const number of numbers) assert.ok(number.replace(/\D/g, '').length <= 4, number);
    assert.equal(numbers[2], await own.$eval('.looking strong', (one) => one.textContent));
    // Keys reach each box, and open one at a time, which moves neither boxes nor cells.
    const cells = () =>
      own.$eval('.matrix-view attention-map', (map) => {
        const { left, top, width, height } = map.getBoundingClientRect();
        return [left, top + scrollY, width, height];
      });
    const before = await cells();
    await own.focus('.flow .box button');
    await own.keyboard.down('Shift');
    await own.keyboard.press('Tab');
    await own.keyboard.up('Shift');
    const steps = ['vectors', 'score', 'scale', 'row', 'weight', 'value'];
    for (const id of steps) {
      await own.keyboard.press('Tab');
      // Past what the details before have.
      while (!(await own.evaluate((one) => document.activeElement.closest(`.of-${one}`), id))) {
        await own.keyboard.press('Tab');
      }
      await press(own, 'Enter');
      const { bottom, height } = await own.$eval(`#flow-${id}`, (one) => ({
        bottom: one.getBoundingClientRect().top,
        height: one.offsetHeight,
      }));
      const now = await boxes();
      assert.ok(height > 40 && bottom >= now[0].bottom, id);
      assert.deepEqual(
        now.map(({ isOpen }) => isOpen),
        steps.map((step) => step === id),
      );
      assert.deepEqual(
        now.map(({ left, right }) => [left, right]),
        all.map(({ left, right }) => [left, right]),
      );
      assert.deepEqual(await cells(), before);
      assert.deepEqual(await problems(own), [], id);
    }
    await own.waitForFunction(() => location.hash.includes('box=value'));
    const titles = await own.$$eval('.flow h4', (list) => list.map((one) => one.textContent));
    assert.deepEqual(titles, [
      ...['Value moved', 'All heads', 'Whole block', 'Logit lens', 'Rollout'],
      'Which head or word matters?',
    ]);
    assert.deepEqual(saidNow, []);
    await own.close();
  });

  it('goes from top to bottom on a phone, and is no wider', async () => {
    for (const width of [390, 320]) {
      const own = await demo.browser.newPage();
      await own.setViewport({ width, height: 800, isMobile: true, hasTouch: true });
      await own.goto(`${demo.url}#mode=cross&row=2&flow=yes&box=row`);
      await drawn(own);
      await own.waitForSelector('#flow-row');
      const tops = await own.$$eval('.box, #flow-row', (all) =>
        all.map((one) => one.getBoundingClientRect().top),
      );
      assert.equal(tops.length, 7);
      assert.deepEqual(
        tops,
        tops.toSorted((a, b) => a - b),
      );
      assert.equal(await overflow(own), 0);
      assert.deepEqual(await problems(own), []);
      await own.close();
    }
  });

  it('opens on demand, moves no cell, and stays open for who opened it', async () => {
    const context = await demo.browser.createBrowserContext();
    const fresh = await context.newPage();
    await fresh.setViewport({ width: 1440, height: 900 });
    await fresh.goto(demo.url);
    await drawn(fresh);
    const isOpen = () => fresh.$eval('.flow', (one) => !one.hidden);
    const cell = () =>
      fresh.evaluate(() => {
        const map = document.querySelector('.matrix-view attention-map');
        const { left, top } = map.getBoundingClientRect();
        const at = map.cellAt({ clientX: left + 600, clientY: top + 190 });
        const { left: x, top: y } = document.querySelector('#how').getBoundingClientRect();
        return { ...at, left, top, x, y, scroll: scrollY };
      });
    assert.equal(await isOpen(), false);
    const before = await cell();
    assert.ok(before.row >= 0 && before.column >= 0, JSON.stringify(before));
    await click(fresh, '#how');
    assert.equal(await isOpen(), true);
    assert.deepEqual(await cell(), before);
    await fresh.goto('about:blank');
    await fresh.goto(demo.url);
    await drawn(fresh);
    assert.equal(await isOpen(), true);
    await click(fresh, '#how');
    assert.equal(await isOpen(), false);
    // Addresses from before it could be closed.
    for (const [hash, selector] of [
      ['#mode=cross&inspector=yes', '.box'],
      ['#mode=cross&inside=yes', '.further .block-lines'],
      ['#mode=cross&inspector=yes&lens=yes', '.further .lens-layers'],
      ['#mode=cross&stage=raw', '#flow-score [value="raw"]:checked'],
      ['#mode=cross&stage=masked', '#flow-scale [value="masked"]:checked'],
      ['#mode=cross&stage=moved', '#flow-value [value="moved"]:checked'],
    ]) {
      await fresh.goto('about:blank');
      await fresh.goto(demo.url + hash);
      await fresh.waitForSelector(selector, { timeout: 120_000 });
    }
    await fresh.goto('about:blank');
    await fresh.goto(demo.url);
    await drawn(fresh);
    assert.equal(await isOpen(), false);
    await context.close();
  });
});
