// One number per pair of words: read-out, matrix, table, inspector, CSV, JSON and screen reader text agree. It is the
// sum over the pieces of the one word and the mean over those of the other.

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { loadTranslator } from 'attention-wasm/translator';
import { assertShows, numberOf, wordsOf } from '../support/js/page_numbers.js';
import {
  catchFiles,
  choose,
  drawn,
  exported,
  open,
  read,
  readTable,
  startPage,
} from '../support/browser/page_driver.js';

const translator = await loadTranslator();

/** Float64 attention of one or two texts: { rows, columns, heads, weightAt, scoreAt } of tokens. */
function attentionOf({ mode, part, text }) {
  const [stack, n] = part.split('.');
  const { source, target, vectors } =
    mode === 'self'
      ? { ...translator.encode(text, { vectors: true }), target: null }
      : translator.translate(text, { vectors: true });
  const { query, key } = vectors[stack][n];
  const [, heads, , keyDim] = query.dims;
  const labels = { self: [source, source], cross: [target, source] }[mode];
  const [rows, columns] = labels.map(({ tokens }) => tokens);
  const vectorAt = ({ data, dims }, head, at) =>
    data.subarray((head * dims[2] + at) * keyDim, (head * dims[2] + at + 1) * keyDim);
  const scoreAt = (head, i, j) => {
    const [q, k] = [vectorAt(query, head, i), vectorAt(key, head, j)];
    return q.reduce((sum, number, c) => sum + number * k[c], 0) / Math.sqrt(keyDim);
  };
  const weightAt = (head, i, j) => {
    const scores = columns.map((_, column) => scoreAt(head, i, column));
    const total = scores.reduce((sum, score) => sum + Math.exp(score - scores[j]), 0);
    return 1 / total;
  };
  return { rows, columns, heads, weightAt, scoreAt };
}

const mean = (numbers) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);

/** Weight and score of two words, in one head or averaged. */
function expected({ weightAt, scoreAt, heads }, some, others, head) {
  const list = head === 'average' ? Array.from({ length: heads }, (_, at) => at) : [head];
  const weight = mean(
    list.map((h) => mean(some.map((i) => sum(others.map((j) => weightAt(h, i, j)))))),
  );
  const score = mean(list.flatMap((h) => some.flatMap((i) => others.map((j) => scoreAt(h, i, j)))));
  return { weight, score };
}

const cases = [
  {
    ...{ mode: 'cross', part: 'cross.1', row: 'éléphant', head: 0 },
    text: 'The pink elephant tried to get into the car but it was too big.',
  },
  {
    ...{ mode: 'cross', part: 'cross.1', row: 'éléphant', head: 'average' },
    text: 'The pink elephant tried to get into the car but it was too big.',
  },
  {
    mode: 'self',
    part: 'encoder.1',
    row: 'Zuko',
    head: 2,
    text: 'Zuko made his uncle jasmine tea.',
  },
];

describe('one number per pair of words', { timeout: 300_000 }, () => {
  const demo = startPage('chromium');
  let page;
  let said;

  before(async () => {
    ({ page, said } = await open(demo.browser, demo.url, '', { folded: true }));
    await catchFiles(page);
  });

  for (const { mode, part, row, head, text } of cases) {
    it(`of “${row}” in ${part}, head ${head}, is the same wherever it is shown`, async () => {
      const truth = attentionOf({ mode, part, text });
      const [rows, columns] = [wordsOf(truth.rows), wordsOf(truth.columns)];
      const own = rows.words.find((some) => textOf(truth.rows, some) === row);
      assert.ok(own.length > 1, `${row} is in pieces`);
      const groups = [...columns.words.slice(0, 5), columns.marks];
      for (const others of groups) {
        const { weight, score } = expected(truth, own, others, head);
        await go({ mode, part, text, row: own[0], column: others[0], head });
        const shown = await read(page);
        const name = others !== columns.marks ? textOf(truth.columns, others) : 'marks';
        assert.deepEqual([shown.query, shown.key, shown.pair], [row, name, `${row} → ${name}`]);
        assertShows(shown.weight, weight, `${row} → ${name}`, 2e-6);
        assertShows(shown.score, score, `score of ${row} → ${name}`, 2e-5);
        const inspected = await readPieces(page);
        assert.equal(inspected.weight, shown.weight, 'the inspector');
        assert.equal(inspected.score, shown.score, 'the score in the inspector');
        assert.equal(inspected.pairs.length, own.length * others.length);
        const spelled = await page.evaluate(() =>
          Array.from(
            document.querySelectorAll('.inspector .step:not([hidden]) .sum'),
            (one) => one.textContent,
          ).find((one) => /^(exp\(|hidden)/.test(one)),
        );
        assert.equal(/= ([^=]+)$/.exec(spelled)[1], inspected.chosen.weight, 'the pair below');
        assert.equal(inspected.chosen.weight, inspected.pairs[0].weight, 'the strongest first');
      }
    });

    it(`of “${row}” in ${part}, head ${head}, is exported as displayed`, async () => {
      const shown = await read(page);
      const cell = await page.evaluate(() => {
        const map = document.querySelector('.view[data-view="matrix"] attention-map');
        return map.shadowRoot.querySelector('[role="gridcell"]').textContent;
      });
      assertShows(
        /: (\S+( × \S+)?)$/.exec(cell)[1],
        numberOf(shown.weight).value,
        'the cell',
        1e-5,
      );
      await page.waitForFunction(
        () =>
          document.querySelector('#announcement').textContent ===
          document.querySelector('.looking').textContent,
        { timeout: 10_000 },
      );
      const csv = (await exported(page, 'csv')).text
        .trim()
        .split('\r\n')
        .map((line) => line.split(','));
      const line = csv.find(([label]) => label === shown.query);
      assertShows(shown.weight, Number(line[csv[0].indexOf(shown.key)]), 'CSV');
      const { text: written } = await exported(page, 'json');
      const json = JSON.parse(written);
      const [, height, width] = json.weights.dims;
      const h = json.average ? 0 : head;
      const at =
        (h * height + json.rows.indexOf(shown.query)) * width + json.columns.indexOf(shown.key);
      assertShows(shown.weight, json.weights.data[at], 'JSON');
      assertShows(shown.score, json.scores.masked.data[at], 'the score in JSON');
      const table = await readTable(page);
      const inTable =
        table.cells[table.rows.indexOf(shown.query)][table.columns.indexOf(shown.key)];
      assert.equal(inTable, shown.weight, 'the table');
      await choose(page, 'view', 'matrix');
    });
  }

  it('spells out the pair of pieces that is chosen', async () => {
    const { mode, part, text } = cases[0];
    await go({ mode, part, text, row: 2, column: 2, head: 0 });
    const { pairs } = await readPieces(page);
    for (const at of [pairs.length - 1, 1]) {
      await page.evaluate((index) => {
        document.querySelectorAll('.pieces tbody button')[index].click();
      }, at);
      await drawn(page);
      const { chosen } = await readPieces(page);
      assert.equal(chosen.text, pairs[at].text);
      const words = await page.$$eval('.inspector .strip-line .word', (list) =>
        [1, 3].map((index) => list[index].textContent),
      );
      assert.equal(words.join(' → '), chosen.text, 'q and k are those of the pair');
    }
    assert.deepEqual(said, []);
  });

  /** Selects a pair of words by the address, without reloading. */
  async function go({ mode, part, text, row, column, head }) {
    const link = new URLSearchParams({ mode, text, part, row, column, inspector: 'yes' });
    link.set(head === 'average' ? 'average' : 'head', head === 'average' ? 'yes' : head);
    await page.evaluate((hash) => {
      location.hash = hash;
    }, `#${link}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await drawn(page);
  }
});

/** Text of a word from its pieces; byte tokens of one character are one piece. */
const textOf = (tokens, some) =>
  some
    .filter((at, n) => n === 0 || tokens[at].start !== tokens[some[n - 1]].start)
    .map((at) => tokens[at].text)
    .join('');

/** Pieces in the inspector: the pairs in its order, and their two totals. */
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
      score: last('score'),
    };
  });
