// The steps of the tour show numbers from the model's file, there and back.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawn, open, paste, startPage } from '../../support/browser/page_driver.js';
import {
  arrived,
  pressButton,
  readStep,
  saidBy,
  stepCount,
} from '../../support/browser/tour_driver.js';
import { heads, keyDim, table, variance } from '../../support/js/lesson.js';
import { assertShows as assertShownAs } from '../../support/js/page_numbers.js';
import {
  attention,
  french,
  head,
  ids,
  own,
  row,
  source,
  target,
  translator,
  truth,
  words,
  written,
} from '../../support/js/tour_sentence.js';

const assertShows = (written, value, what) => assertShownAs(written, value, what, 2e-6);

/** Hovers a number of a matrix; returns its text. */
async function pointAt(page, index, [line, at], [rows, columns]) {
  const box = await page.evaluate((which) => {
    const one = document.querySelectorAll('.tour .matrix')[which];
    one.scrollIntoView({ block: 'center' });
    const { left, top, width, height } = one.getBoundingClientRect();
    return { left, top, width, height };
  }, index);
  await page.mouse.click(
    box.left + ((at + 0.5) / columns) * box.width,
    box.top + ((line + 0.5) / rows) * box.height,
  );
  return readStep(page);
}

/** Last number of a spelled-out sum. */
const totalOf = (line) => / = (\S+)$/.exec(line)[1];

function assertCells(cells, rows, what) {
  assert.equal(cells.length, rows.length, what);
  rows.forEach((numbers, line) =>
    numbers.forEach((number, at) => {
      assertShows(cells[line][at], number, `${what}, row ${line}, column ${at}`);
    }),
  );
}

/** All terms of the chosen number's sum: these are listed some time after their element is opened. */
async function readTerms(page) {
  await page.waitForFunction(() => {
    document.querySelector('.ledger details').open = true;
    return document.querySelector('.ledger .terms li') !== null;
  });
  return page.$$eval('.ledger .terms li', (terms) => terms.map((one) => one.textContent));
}

/** Index of the chosen word. */
const chosenWord = async (page) =>
  words.indexOf(await page.$eval('.is-of-read [aria-pressed="true"]', (one) => one.textContent));

/** Expected numbers of each step, from the model's file. */
const checks = [
  async function lookup(page) {
    const { lines } = await readStep(page);
    assert.match(lines[0], /^“tea” has the score/);
    assert.match(lines.at(-1), / = 5\.946 €$/);
    // A row is chosen by being in it.
    await page.focus('[aria-label="Price 3"]');
    assert.match((await readStep(page)).lines[0], /^“coffee” has the score/);
    await page.focus('[aria-label="Key 1"]');
  },

  async function embedding(page) {
    const { says, tables } = await readStep(page);
    const id = ids[await chosenWord(page)];
    assert.ok(says.includes(` is ${id.toLocaleString('en')}.`), says);
    const hot = tables[0].map(([cell]) => cell);
    assert.deepEqual(
      hot,
      hot.map((_, at) => (at === 4 ? '1' : '0')),
    );
    for (const at of [0, 7, 191]) {
      const { matrices, lines } = await pointAt(page, 1, [0, at], [1, 192]);
      assertShows(saidBy(matrices[1]), table[id][at], `e ${at}`);
      assertShows(totalOf(lines[1]), table[id][at], `e ${at}`);
    }
    const { matrices } = await pointAt(page, 0, [2, 100], [9, 192]);
    assertShows(saidBy(matrices[0]), table[id - 2][100], 'E beside the row');
  },

  async function place(page) {
    for (const [line, at] of [
      [row, 3],
      [4, 150],
    ]) {
      for (const [index, rows] of [truth.e, truth.p, truth.x].entries()) {
        const { matrices } = await pointAt(page, index, [line, at], [words.length, 192]);
        assertShows(saidBy(matrices[index]), rows[line][at], `${index}: ${line}, ${at}`);
      }
      const { lines } = await readStep(page);
      assertShows(totalOf(lines[1]), truth.x[line][at], 'x');
    }
  },

  async function projection(page) {
    for (const [kind, which] of [
      ['query', own.query],
      ['key', own.key],
      ['value', own.value],
    ]) {
      await page.evaluate((name) => {
        const all = document.querySelectorAll('.tour .choice button');
        Array.from(all)
          .find((one) => one.textContent === name)
          .click();
      }, kind);
      const at = 17;
      const { matrices, lines } = await pointAt(page, 2, [0, at], [1, keyDim]);
      const [, shown] = /of (.+), number/.exec(matrices[2]);
      const line = words.indexOf(shown);
      assertShows(saidBy(matrices[2]), which.rows[line][at], kind);
      assertShows(totalOf(lines[1]), which.rows[line][at], kind);
      const again = await pointAt(page, 1, [100, 5], [192, keyDim]);
      assertShows(saidBy(again.matrices[1]), which.weights[5][100], `a weight of the ${kind}`);
      const terms = await readTerms(page);
      assert.equal(terms.length, 192);
      const [a, b] = terms[100].split(/ [×=] /);
      assertShows(a, truth.x[line][100], 'x in a product');
      assertShows(b, which.weights[5][100], 'W in a product');
    }
  },

  async function score(page) {
    const { tables } = await readStep(page);
    const asks = words.indexOf(await page.$eval('.labels .is-read', (one) => one.textContent));
    assertCells(tables[0], own.raw, 'scores');
    const { matrices, lines } = await pointAt(page, 0, [30, 4], [keyDim, words.length]);
    assertShows(saidBy(matrices[0]), own.key.rows[4][30], 'K');
    assertShows(totalOf(lines[1]), own.raw[asks][4], 'a score');
    const again = await pointAt(page, 1, [3, 40], [words.length, keyDim]);
    assertShows(saidBy(again.matrices[1]), own.query.rows[3][40], 'Q');
    assertShows(totalOf(again.lines[1]), own.raw[3][4], 'a score');
    assert.equal((await readTerms(page)).length, keyDim);
  },

  async function scale(page) {
    const { tables, says, more } = await readStep(page);
    assertCells(tables[0], own.raw, 'before');
    assertCells(tables[1], own.scaled, 'after');
    assertShows(more[0].split(' ')[1], variance(own.raw.flat()), 'the variance before');
    assertShows(more[1].split(' ')[1], variance(own.scaled.flat()), 'the variance after');
    const products = own.query.rows.flatMap((q) =>
      own.key.rows.flatMap((k) => q.map((number, c) => number * k[c])),
    );
    const [, one, many] = /variance of (\S+) here; .* times that, ([\d.]+)\. /.exec(says);
    assertShows(one, variance(products), 'the variance of a product');
    assertShows(many, keyDim * variance(products), 'that of as many');
    const top = (rows) => rows.reduce((sum, line) => sum + Math.max(...line) / rows.length, 0);
    const [, without, with_] = /would be ([\d.]+) on average.*it is ([\d.]+)\./.exec(says);
    assertShows(without, top(own.unscaled), 'the largest weight without it');
    assertShows(with_, top(own.weights), 'the largest weight with it');
  },

  async function softmax(page) {
    const { tables, lines } = await readStep(page);
    assertCells(tables[0], own.scaled, 'before');
    assertCells(tables[1], own.weights, 'after');
    const [, which] = /for “(.+)”/.exec(lines[0]);
    const read_ = await page.$eval('.number-table.after th.is-read', (one) => one.textContent);
    assertShows(
      totalOf(lines.at(-1)),
      own.weights[words.indexOf(read_)][words.indexOf(which)],
      'a weight',
    );
  },

  async function mix(page) {
    const line = await chosenWord(page);
    const { tables } = await readStep(page);
    assertCells(
      tables[0],
      own.weights[line].map((weight) => [weight]),
      'the weights',
    );
    // As the step before writes them: as a whole number the largest one would be 1.
    assert.deepEqual(
      tables[0].flat(),
      own.weights[line].map((weight) => weight.toFixed(2)),
    );
    const title = await page.$eval('.number-table.few thead th', (one) => one.textContent);
    assert.equal(title, 'α');
    const { matrices, lines } = await pointAt(page, 1, [0, 11], [1, keyDim]);
    assertShows(saidBy(matrices[1]), own.output[line][11], 'o');
    assertShows(totalOf(lines[1]), own.output[line][11], 'o');
    const again = await pointAt(page, 0, [2, 11], [words.length, keyDim]);
    assertShows(saidBy(again.matrices[0]), own.value.rows[2][11], 'V');
    assert.equal((await readTerms(page)).length, words.length);
  },

  async function several(page) {
    const line = await chosenWord(page);
    const { tables } = await readStep(page);
    assertCells(
      tables[0],
      truth.ofHead.map(({ weights }) => weights[line]),
      'what the heads look at',
    );
    const { matrices, lines } = await pointAt(page, 2, [0, 60], [1, 192]);
    assertShows(saidBy(matrices[2]), truth.result[line][60], 'y');
    assertShows(totalOf(lines[1]), truth.result[line][60], 'y');
    const brought = lines[2].split(', ').map((text) => text.split(' ').at(-1));
    assert.equal(brought.length, heads);
    const terms = await readTerms(page);
    const [a, b] = terms[130].split(/ [×=] /);
    assertShows(a, truth.joined[line][130], 'the heads end to end');
    assertShows(b, truth.outWeights[60][130], 'W_O');
    // The head stays the one of the previous steps; the selection goes back with the reader.
    const at = head * keyDim + 22;
    const again = await pointAt(page, 1, [at, 60], [192, 192]);
    assertShows(saidBy(again.matrices[1]), truth.outWeights[60][at], 'W_O');
  },

  async function backwards(page) {
    const { tables, more } = await readStep(page);
    const { data, dims } = attention.decoder[0];
    const rows = written.map((_, line) =>
      Array.from(data.subarray(line * dims[2], (line + 1) * dims[2])),
    );
    assertCells(tables[1], rows, 'only backwards');
    tables[1].forEach((cells, line) =>
      cells.forEach((cell, at) => assert.equal(cell === '0', at > line, `${line}, ${at}: ${cell}`)),
    );
    for (const cells of tables[0]) {
      const sum = cells.reduce((total, cell) => total + Number(cell), 0);
      assert.ok(Math.abs(sum - 1) < 0.04, `${sum}`);
    }
    assert.match(more[1], /sum 1\.000/);
  },

  async function cross(page) {
    const { tables, says, lines } = await readStep(page);
    const shown = await page.$eval('.tour .choice [aria-pressed="true"]', (one) => one.textContent);
    const { data, dims } = attention.cross.at(-1);
    const first = (Number(shown) - 1) * dims[1] * dims[2];
    const rows = french.map((_, line) =>
      Array.from(data.subarray(first + line * dims[2], first + (line + 1) * dims[2])),
    );
    assertCells(tables[1], rows, 'the French reads the English');
    const reads = french.indexOf('rouge');
    assertShows(totalOf(lines.at(-1)), rows[reads][words.indexOf('red')], 'rouge → red');
    assert.match(says, /“rouge” looks at “red”/);
    assert.match(says, /not explanations/);
    const drawnLines = await page.$$eval('.alignment line', (list) => list.length);
    assert.equal(drawnLines, rows.flat().filter((weight) => weight >= 0.02).length);
  },

  async function whatIf(page) {
    const layer = attention.cross.length - 1;
    const shown = await page.$eval('.tour .choice [aria-pressed="true"]', (one) => one.textContent);
    const which = Number(shown) - 1;
    const link = { query: french.indexOf('rouge'), key: words.indexOf('red') };
    const edit = { at: 'scores', stack: 'cross', ...link, to: 'blocked' };
    await assertLink(page, { which, edits: [] });
    assert.match((await readStep(page)).says, /“rouge” looks at “red” with weight/);
    await page.click('.tour .block');
    const layers = attention.cross.map((_, at) => at);
    const changed = await assertLink(page, { which, edits: [{ ...edit, layer: layers }] });
    assert.equal(changed, 'Now it writes: La voiture (no longer: rouge) est rapide.');
    assert.equal(await page.$eval('.tour .result del', (one) => one.textContent), 'rouge');
    const { lines } = await readStep(page);
    assert.match(lines[0], /exp\(−∞\)/);
    // The hatched cell is the blocked link, and the only one.
    const hatched = await page.$$eval('.number-table.after td.blocked', (list) =>
      list.map((one) => [one.parentElement.rowIndex - 1, one.cellIndex - 1, one.textContent]),
    );
    assert.deepEqual(hatched, [[link.query, link.key, '0']]);
    await chooseScope(page, 'this head only');
    const oneHead = await assertLink(page, { which, edits: [{ ...edit, layer, head: which }] });
    assert.equal(oneHead, 'It still writes: La voiture rouge est rapide.');
    // Another link is open until it is blocked, too.
    await page.click('.number-table.before tbody tr:first-of-type td');
    await assertLink(page, { which, edits: [], at: 0 });
    await page.click(
      `.number-table.before tbody tr:nth-of-type(${link.query + 1}) td:nth-of-type(${link.key + 1})`,
    );
    await assertLink(page, { which, edits: [] });
    await chooseScope(page, 'all layers and heads');
  },

  // Two products of 64 numbers for each pair of words, or for each word and each number of its vector.
  async function cost(page) {
    await page.waitForFunction(() =>
      /^Measured/.test(document.querySelector('.costs + p').textContent),
    );
    const { tables, lines } = await readStep(page);
    const times = tables[0].map((cells) => cells.map(Number));
    assert.equal(times.length, 4);
    for (const time of times.flat()) assert.ok(time > 0, `${time}`);
    assert.ok(times[3][0] > 4 * times[1][0], `${times[1]}, ${times[3]}`);
    const [softmax, linear] = times[3];
    assert.ok(linear < softmax, `${linear} ms, softmax ${softmax}`);
    assert.match(lines[0], /1024 words: 2 × 1024 × 1024 × 64 = 134,217,728 products in/);
    assert.ok(lines[0].endsWith(` ${tables[0][3][0]} ms`), lines[0]);
    const ratio = Number(/, ([\d.]+) times the time$/.exec(lines[1])[1]);
    assert.ok(Math.abs(ratio / (softmax / times[2][0]) - 1) < 0.15, lines[1]);
    const shapes = await page.$$eval('.tour .curve polyline', (list) =>
      list.map((one) => one.getAttribute('points').split(' ').length),
    );
    assert.deepEqual(shapes, [4, 4]);
    await page.click('.costs tbody tr:nth-of-type(2) td:nth-of-type(2)');
    assert.match((await readStep(page)).lines[0], /linear, 64 words: 2 × 64 × 64 × 64 = 524,288/);
    await page.click('.costs tbody tr:last-of-type td:first-of-type');
  },
];

const chooseScope = (page, name) =>
  page.evaluate((wanted) => {
    const all = document.querySelectorAll('.tour .choice button');
    Array.from(all)
      .find((one) => one.textContent === wanted)
      .click();
  }, name);

/** Checks tables, words and the sentence of the blocked link; returns the sentence. */
async function assertLink(page, { which, edits, at = french.indexOf('rouge') }) {
  const options = { target: target.text, edits };
  const wanted = translator.nextWords(source.text, { ...options, word: target.tokens[at].word });
  await page.waitForFunction(
    (word) => document.querySelectorAll('.tour .likely')[1].textContent.startsWith(`${word} `),
    { timeout: 120_000 },
    wanted[0].text,
  );
  const written = edits.length > 0;
  await page.waitForFunction(
    (is) => /writes: /.test(document.querySelector('.tour .result').textContent) === is,
    { timeout: 120_000 },
    written,
  );
  const lists = await page.$$eval('.tour .likely', (all) =>
    all.map((one) => Array.from(one.children, (item) => item.textContent.split(' '))),
  );
  const plain = translator.nextWords(source.text, {
    ...options,
    word: target.tokens[at].word,
    edits: [],
  });
  for (const [list, all] of [
    [lists[0], plain],
    [lists[1], wanted],
  ]) {
    assert.equal(list.length, 4);
    const now = all.find(({ text }) => text === list[0][0]);
    assertShownAs(list[0][1], now.probability, list[0][0], 2e-6);
  }
  const { tables } = await readStep(page);
  [[], edits].forEach((given, side) => {
    const { attention: weights } = translator.translate(source.text, {
      target: target.text,
      edits: given,
    });
    const { data, dims } = weights.cross.at(-1);
    const first = which * dims[1] * dims[2];
    const rows = french.map((_, line) =>
      Array.from(data.subarray(first + line * dims[2], first + (line + 1) * dims[2])),
    );
    assertCells(tables[side], rows, side === 0 ? 'open' : 'blocked');
  });
  const now = translator.translate(source.text, { edits }).text;
  const says = await page.$eval('.tour .result .written', (one) => one.textContent);
  if (written) {
    const kept = await page.evaluate(() => {
      const copy = document.querySelector('.tour .result .written').cloneNode(true);
      for (const gone of copy.querySelectorAll('del, .unseen')) gone.remove();
      return copy.textContent;
    });
    assert.equal(kept.replace(/^.*writes: /, '').replaceAll(/ +/g, ' '), now);
  } else assert.match(says, /^Nothing is blocked yet/);
  // Before anything is blocked there is no second matrix of the same numbers.
  const isSeen = (selector) => page.$eval(selector, (one) => one.checkVisibility());
  assert.deepEqual(
    [await isSeen('.number-table.after'), await isSeen('.alignment')],
    [written, !written],
  );
  return says;
}

describe('the steps of the tour', { timeout: 600_000 }, () => {
  const demo = startPage('chromium');

  it('shows at every step, there and back, the numbers of the model’s file', async () => {
    const { page, said } = await open(demo.browser, demo.url);
    await paste(page, 'first', 'my own text');
    await page.evaluate(() => document.querySelector('#tour-start').click());
    for (let step = 0; step < stepCount; ++step) {
      await arrived(page, step);
      await checks[step](page);
      const { focus, next } = await page.evaluate(() => ({
        focus: document.activeElement.closest('.tour') !== null,
        next: document.querySelector('.tour .next').textContent,
      }));
      assert.ok(focus, 'the focus is in the tour');
      assert.equal(next, step === stepCount - 1 ? 'Try my own text' : 'Next');
      if (step < stepCount - 1) await pressButton(page, 'Next');
    }
    for (let step = stepCount - 1; step >= 0; --step) {
      await arrived(page, step);
      await checks[step](page);
      if (step > 0) await pressButton(page, 'Back');
    }
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.querySelector('.tour').hidden);
    await drawn(page);
    assert.equal(await page.$eval('#first', (field) => field.value), 'my own text');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'tour-start');
    assert.deepEqual(said, []);
    await page.close();
  });
});
