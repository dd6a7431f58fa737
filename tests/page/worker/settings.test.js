// Numbers of every setting in the worker's answer: those that the library computes from the same vectors.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { lexicalScale } from 'attention-wasm/text';
import { answerTo } from '../../support/js/page_answer.js';
import { spell } from '../../support/js/page_numbers.js';

const text = 'Zuko made his uncle tea, and his uncle liked the well-made tea';
const context = 'The uncles like tea';
const api = await loadAttention();
const truth = spell(text);
const width = truth.columns.length;

const weightsOf = ({ q, k, v, scale }, options = {}) =>
  api.attention(q, k, v, { scale, weights: true, ...options }).weights.data;

const plain = { source: 'ngrams', mode: 'self', merge: false, hideSpecial: false, text, context };

/** The picture of a state, as the page shows it. */
const pictureOf = async (state) => (await answerTo({ ...plain, ...state })).picture;

function assertNear(found, expected, what) {
  assert.equal(found.length, expected.length, what);
  expected.forEach((value, at) => {
    const isNear = Object.is(found[at], value) || Math.abs(found[at] - value) <= 1e-6;
    assert.ok(isNear, `${what}, ${at}: ${found[at]}, but ${value}`);
  });
}

const textsOf = (labels) => labels.map((label) => label.text);

describe('settings', () => {
  it('a mask and a limit of scores are in every stage from the score to the weight', async () => {
    const { q, k, scale } = truth;
    const { stages } = await pictureOf({ causal: true, softcap: 2 });
    const options = { scale, causal: true, softcap: 2 };
    const wanted = {
      raw: api.scores(q, k, { scale: 1, scores: 'raw' }).data,
      scaled: api.scores(q, k, { scale, softcap: 2, scores: 'capped' }).data,
      masked: api.scores(q, k, options).data,
      weights: weightsOf(truth, options),
    };
    for (const [stage, values] of Object.entries(wanted)) assertNear(stages[stage], values, stage);
  });

  it('fused kernels, where the API has them', async () => {
    const withFused = { ...api, kernels: 'fused' };
    for (const [fused, given, says] of [
      [false, api, undefined],
      [true, api, false],
      [true, withFused, true],
    ]) {
      const { facts } = await answerTo({ ...plain, fused }, { api: given });
      assert.equal(facts.fused, says, `${fused}, ${given.kernels}`);
    }
  });

  it('scale and temperature', async () => {
    const cases = [
      [{ scale: 'scaled' }, 1 / 8],
      [{ scale: 'one' }, 1],
      ...[1.5, 0, -2].map((ownScale) => [{ scale: 'own', ownScale }, ownScale]),
      ...[1 / 4, 8].map((temperature) => [{ temperature }, lexicalScale / temperature]),
    ];
    for (const [state, scale] of cases) {
      const { stages } = await pictureOf(state);
      assertNear(stages.weights, weightsOf(truth, { scale }), JSON.stringify(state));
    }
  });

  it('the window', async () => {
    for (const [windowLeft, windowRight] of [
      [2, null],
      [2, 1],
    ]) {
      const { stages } = await pictureOf({ windowLeft, windowRight });
      assertNear(stages.weights, weightsOf(truth, { window: [windowLeft, windowRight] }), 'window');
    }
  });

  it('heads and their average', async () => {
    const options = { heads: 4, scale: 4 * lexicalScale };
    const { stages } = await pictureOf({ heads: 4 });
    assertNear(stages.weights, weightsOf(truth, options), 'heads');
    const average = await pictureOf({ heads: 4, average: true });
    assertNear(
      average.stages.weights,
      weightsOf(truth, { ...options, weights: 'average' }),
      'average',
    );
  });

  it('two texts', async () => {
    const both = spell(text, context);
    const { rows, columns, stages } = await pictureOf({ mode: 'cross' });
    assert.deepEqual([textsOf(rows), textsOf(columns)], [both.rows, both.columns]);
    assertNear(stages.weights, weightsOf(both), 'two texts');
  });

  const weights = weightsOf(truth);
  const at = (row, column) => weights[row * width + column];
  const sum = (list) => list.reduce((total, value) => total + value, 0);

  it('punctuation is hidden in a column of marks, which stays the last', async () => {
    // The hyphen of “well-made” is part of a word, the comma is not.
    const all = Array.from(truth.rows.keys());
    const kept = all.filter((row) => truth.rows[row] !== ',');
    const hidden = all.filter((row) => truth.rows[row] === ',');
    const words = kept.map((row) => truth.rows[row]);
    const marksOf = (row) => sum(hidden.map((column) => at(row, column)));
    const { rows, columns, stages } = await pictureOf({ hideSpecial: true });
    assert.deepEqual([textsOf(rows), textsOf(columns)], [words, [...words, 'marks']]);
    const lines = kept.map((row) => [...kept.map((column) => at(row, column)), marksOf(row)]);
    assertNear(stages.weights, lines.flat(), 'without marks');
    const sorted = await pictureOf({ hideSpecial: true, sort: 'total' });
    assert.equal(sorted.columns.at(-1).text, 'marks');
    const last = kept.map((_, row) => sorted.stages.weights[(row + 1) * columns.length - 1]);
    assertNear(last, kept.map(marksOf), 'marks of sorted columns');
  });

  it('pieces of a word are merged', async () => {
    const first = truth.rows.indexOf('well');
    const groups = truth.rows.flatMap((_, row) =>
      row === first ? [[row, row + 1, row + 2]] : row > first && row < first + 3 ? [] : [[row]],
    );
    const merged = groups.map((tokens) => tokens.map((token) => truth.rows[token]).join(''));
    assert.ok(merged.includes('well-made'));
    const { rows, columns, stages } = await pictureOf({ merge: true });
    assert.deepEqual([textsOf(rows), textsOf(columns)], [merged, merged]);
    const pairs = groups.flatMap((some) =>
      groups.map((others) => sum(some.map((i) => sum(others.map((j) => at(i, j))))) / some.length),
    );
    assertNear(stages.weights, pairs, 'merged');
  });

  it('columns are sorted by the weights of the selected row, or of all', async () => {
    const byRow = await pictureOf({ sort: 'read', row: 4 });
    assert.equal(byRow.columns[0].text, 'tea');
    const read = Array.from(byRow.stages.weights.subarray(4 * width, 5 * width));
    assert.deepEqual(
      read,
      read.toSorted((a, b) => b - a),
    );
    const { stages } = await pictureOf({ sort: 'total' });
    const totals = Array.from({ length: width }, (_, column) =>
      sum(truth.rows.map((_row, row) => stages.weights[row * width + column])),
    );
    totals.forEach((total, j) => assert.ok(j === 0 || total <= totals[j - 1] + 1e-6, `${totals}`));
    const expected = truth.columns.map((_, j) => sum(truth.rows.map((_row, i) => at(i, j))));
    const rising = (a, b) => a - b;
    assertNear(totals.toSorted(rising), expected.toSorted(rising), 'totals');
  });
});
