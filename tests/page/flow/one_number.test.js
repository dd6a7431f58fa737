// One number per pair of words: the cell, the details of the flow, CSV and JSON agree with float64. It is the sum over
// the pieces of the one word and the mean over those of the other.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadTranslator } from 'attention-wasm/translator';
import { toCSV, toJSON } from '../../../web/demo/page/exports/data_files.js';
import { textOf } from '../../support/js/components.js';
import { askWorker, flowOf } from '../../support/js/page_answer.js';
import { assertShows, wordsOf } from '../../support/js/page_numbers.js';

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

/** Text of a word from its pieces; byte tokens of one character are one piece. */
const wordIn = (tokens, some) =>
  some
    .filter((at, n) => n === 0 || tokens[at].start !== tokens[some[n - 1]].start)
    .map((at) => tokens[at].text)
    .join('');

/** Pieces in the details: the pairs in its order. */
const pairsIn = (html) =>
  Array.from(
    html.matchAll(/<tr[^>]*><th scope="row">(.*?)<\/th><td>(.*?)<\/td><td>(.*?)<\/td>/g),
  ).map(([, button, weight]) => ({
    text: textOf(button),
    weight: textOf(weight),
    isChosen: button.includes('aria-pressed="true"'),
  }));

/** The number at the end of the line that starts so. */
const lastOf = (lines, start) =>
  lines.find((line) => line.startsWith(start))?.match(/[=:] ([^=:]+)$/)[1];

describe('one number per pair of words', () => {
  for (const { mode, part, row, head, text } of cases) {
    it(`of “${row}” in ${part}, head ${head}, is the same wherever it is written`, async () => {
      const truth = attentionOf({ mode, part, text });
      const [rows, columns] = [wordsOf(truth.rows), wordsOf(truth.columns)];
      const own = rows.words.find((some) => wordIn(truth.rows, some) === row);
      assert.ok(own.length > 1, `${row} is in pieces`);
      const ask = askWorker();
      for (const others of [...columns.words.slice(0, 5), columns.marks]) {
        const { weight, score } = expected(truth, own, others, head);
        const average = head === 'average';
        const place = { row: own[0], column: others[0], head: average ? 0 : head, average };
        const answer = await ask({ source: 'model', mode, text, part, ...place });
        const { html, sums, cell, pair } = flowOf(answer);
        const name = others === columns.marks ? 'marks' : wordIn(truth.columns, others);
        assert.equal(pair, `${row} → ${name}`);
        assertShows(cell.weight, weight, `${row} → ${name}`, 2e-6);
        assertShows(cell.score, score, `score of ${row} → ${name}`, 2e-5);
        const { pieces } = sums;
        assert.equal(lastOf(pieces, 'mean of') ?? lastOf(pieces, 'weight'), cell.weight);
        assert.equal(lastOf(pieces, 'scaled score'), cell.score);
        const pairs = pairsIn(html);
        assert.equal(pairs.length, own.length * others.length);
        const chosen = pairs.find(({ isChosen }) => isChosen);
        assert.equal(/= ([^=]+)$/.exec(sums.softmax[0])[1], chosen.weight, 'the pair below');
        assert.equal(chosen.weight, pairs[0].weight, 'the strongest first');
        assertExported(answer, { row, name, weight, score });
      }
    });
  }
});

/** The number of a pair of words in CSV and JSON. */
function assertExported({ state, picture, facts, answers }, { row, name, weight, score }) {
  const head = picture.average ? 0 : state.head;
  const settings = { view: 'matrix', stage: 'weights' };
  const shown = { state, picture, facts, settings, selection: { head } };
  const [titles, ...lines] = toCSV(shown)
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
  const line = lines.find(([label]) => label === row);
  assert.ok(Math.abs(Number(line[titles.indexOf(name)]) - weight) < 2e-6, 'CSV');
  const json = JSON.parse(toJSON(shown, answers.tensors()));
  const [, height, width] = json.weights.dims;
  const at = (head * height + json.rows.indexOf(row)) * width + json.columns.indexOf(name);
  assert.ok(Math.abs(json.weights.data[at] - weight) < 2e-6, 'JSON');
  assert.ok(Math.abs(json.scores.masked.data[at] - score) < 2e-5, 'the score in JSON');
}
