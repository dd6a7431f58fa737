// Arranging tokens in the worker: merged pieces, the column of hidden tokens, and the stage “Moved”, against float64
// sums of their definitions.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadTranslator } from 'attention-wasm/translator';
import { arrange } from '../../../web/demo/worker/compute/arrange.js';
import { movedOf } from '../../../web/demo/worker/compute/moved.js';
import { piecesOf } from '../../../web/demo/worker/compute/pieces.js';

// “un|kind ness .”: two words, one of them in two pieces, and a mark.
const labels = [
  { text: 'un', word: 0, special: false, start: 0, end: 2 },
  { text: 'kind', word: 0, special: false, start: 2, end: 6 },
  { text: 'ness', word: 1, special: false, start: 7, end: 11 },
  { text: '.', word: 2, special: true, start: 11, end: 12 },
];
const hidden = -Infinity;
// Two heads, causal.
const masked = Float32Array.of(
  ...[1, hidden, hidden, hidden, 2, 3, hidden, hidden, 1, 0, 2, hidden, 0, 1, 2, 3],
  ...[4, hidden, hidden, hidden, 0, 1, hidden, hidden, 5, 1, 1, hidden, 2, 2, 0, 1],
);
const weights = softmax(masked, 4);

function softmax(scores, width) {
  return scores.map((score, at) => {
    const row = scores.subarray(at - (at % width), at - (at % width) + width);
    return Math.exp(score) / row.reduce((sum, one) => sum + Math.exp(one), 0);
  });
}

const pictureOf = (heads, stages) => ({
  ...{ rows: labels, columns: labels, heads, stages, hidden: null, average: heads === 1 },
});
const whole = pictureOf(2, { masked, weights });
const all = { hideSpecial: true, merge: true, sort: 'text', row: 0 };
const near = (actual, expected) =>
  assert.ok(Math.abs(actual - expected) < 1e-6 || actual === expected, `${actual}, ${expected}`);

describe('the text view', () => {
  it('keeps characters apart where words would leave one or two columns', () => {
    const spelled = (text) =>
      text.split(' ').flatMap((one, word) =>
        Array.from(one, (character, at) => ({
          text: character,
          word,
          special: false,
          start: at,
        })),
      );
    const shown = (text) => {
      const rows = [...spelled(text), { text: '.', word: 99, special: true, start: null }];
      const size = rows.length ** 2;
      const [masked, even] = [new Float32Array(size), new Float32Array(size).fill(1 / rows.length)];
      const picture = { rows, columns: rows, heads: 1, stages: { masked, weights: even } };
      return arrange({ ...picture, hidden: null, average: false }, all).columns.map(
        (one) => one.text,
      );
    };
    assert.deepEqual(shown('berry'), ['b', 'e', 'r', 'r', 'y', 'marks']);
    assert.deepEqual(shown('two cats'), [...'twocats', 'marks']);
    assert.deepEqual(shown('two cats sat'), ['two', 'cats', 'sat', 'marks']);
    assert.deepEqual(shown('a b'), ['a', 'b', 'marks']);
  });

  it('sums weights over the pieces of a column and averages them over those of a row', () => {
    const { rows, columns, stages, columnTokens } = arrange(whole, all);
    assert.deepEqual(
      rows.map(({ text }) => text),
      ['unkind', 'ness'],
    );
    assert.deepEqual(
      columns.map(({ text }) => text),
      ['unkind', 'ness', 'marks'],
    );
    assert.deepEqual(columnTokens, [[0, 1], [2], [3]]);
    const at = (head, i, j) => weights[(head * 4 + i) * 4 + j];
    for (const head of [0, 1]) {
      const own = (at(head, 0, 0) + at(head, 0, 1) + at(head, 1, 0) + at(head, 1, 1)) / 2;
      near(stages.weights[head * 6], own);
      near(stages.weights[head * 6 + 3], at(head, 2, 0) + at(head, 2, 1));
      for (const row of [0, 1]) {
        const [a, b, c] = stages.weights.subarray(head * 6 + row * 3);
        near(a + b + c, 1);
      }
    }
  });

  it('averages scores over the visible pairs only', () => {
    const { stages } = arrange(whole, all);
    near(stages.masked[0], (1 + 2 + 3) / 3); // the pair un → kind is hidden
    near(stages.masked[1], hidden);
    near(stages.masked[3], (1 + 0) / 2);
  });

  it('keeps the marks last, however columns are sorted', () => {
    const only = Float32Array.of(...Array.from({ length: 4 }, () => [0, 0.1, 0.2, 0.7]).flat());
    const picture = pictureOf(1, { weights: only });
    const { columns } = arrange(picture, { ...all, merge: false, sort: 'total' });
    assert.deepEqual(
      columns.map(({ text }) => text),
      ['ness', 'kind', 'un', 'marks'],
    );
  });

  it('has no column of marks where no or all tokens are hidden', () => {
    assert.equal(arrange(whole, { ...all, hideSpecial: false }).columns.at(-1).text, '.');
    const signs = labels.map((label) => ({ ...label, special: true }));
    const picture = { ...whole, rows: signs, columns: signs };
    assert.equal(arrange(picture, all).columns.length, 0);
  });

  it('filters a pair of texts, with a column for everything else', () => {
    const words = ['a', 'b', '[SEP]', 'c', 'd'].map((text, word) => ({
      ...{ text, word, special: text === '[SEP]', start: 2 * word, end: 2 * word + 1 },
    }));
    const only = Float32Array.from({ length: 25 }, (_, at) => (at + 1) / 100);
    const pair = {
      ...pictureOf(1, { weights: only }),
      ...{ rows: words, columns: words, segments: [0, 0, 0, 1, 1] },
    };
    const draw = (which) => {
      const { rows, columns, stages } = arrange(pair, { ...all, pair: which });
      return [rows, columns].map((list) => list.map(({ text }) => text)).concat([stages.weights]);
    };
    const [rows, columns, drawn] = draw('ab');
    assert.deepEqual(
      [rows, columns],
      [
        ['a', 'b'],
        ['c', 'd', 'the rest'],
      ],
    );
    near(drawn[0], only[3]);
    near(drawn[2], only[0] + only[1] + only[2]);
    near(drawn[4], only[9]);
    assert.deepEqual(draw('ba').slice(0, 2), [
      ['c', 'd'],
      ['a', 'b', 'the rest'],
    ]);
    assert.deepEqual(draw('bb').slice(0, 2), [
      ['c', 'd'],
      ['c', 'd', 'the rest'],
    ]);
    assert.deepEqual(draw('all')[1], ['a', 'b', 'c', 'd', 'marks']);
    // The filter applies to pairs of texts only.
    const one = arrange({ ...pair, segments: undefined }, { ...all, pair: 'ab' });
    assert.equal(one.rows.length, 4);
  });

  it('spells out a cell: its pairs, the strongest first, and what they come to', () => {
    for (const average of [false, true]) {
      const drawn = { ...arrange(whole, all), average };
      const pieces = piecesOf({ masked, weights }, whole, drawn, { head: 1, row: 1, column: 0 });
      assert.deepEqual([pieces.query, pieces.key, pieces.rows], ['unkind', 'unkind', 2]);
      const list = pieces.pairs.map(({ weight }) => weight);
      assert.deepEqual(
        list,
        list.toSorted((a, b) => b - a),
      );
      near(pieces.heads[1], list.reduce((sum, one) => sum + one, 0) / 2);
      const expected = average ? (pieces.heads[0] + pieces.heads[1]) / 2 : pieces.heads[1];
      near(pieces.weight, expected);
      near(pieces.score, average ? (2 + 5 / 3) / 2 : 5 / 3);
    }
  });
});

describe('the stage “Moved”', () => {
  it('is the length of α v W_O, head by head', async () => {
    const { vectors } = (await loadTranslator()).encode('Tea is hot.', { vectors: true });
    const { value } = vectors.encoder[0];
    const [, heads, columns, valueDim] = value.dims;
    const [rows, width] = [2, 7];
    const data = Float32Array.from(
      { length: heads * valueDim * width },
      (_, at) => Math.sin(at + 1) / 3,
    );
    const given = Float32Array.from(
      { length: heads * rows * columns },
      (_, at) => Math.cos(at) / 2,
    );
    const part = {
      heads,
      value: { data: value.data, dims: [heads, columns, valueDim] },
      projection: () => ({ weight: { data, dims: [heads * valueDim, width] } }),
    };
    const moved = movedOf(part, given);
    assert.equal(moved.length, given.length);
    moved.forEach((length, at) => {
      const head = Math.floor(at / (rows * columns));
      const column = at % columns;
      const vector = Array.from({ length: width }, (_, c) => {
        let sum = 0;
        for (let i = 0; i < valueDim; ++i) {
          const v = value.data[(head * columns + column) * valueDim + i];
          sum += given[at] * v * data[(head * valueDim + i) * width + c];
        }
        return sum;
      });
      const expected = Math.hypot(...vector);
      assert.ok(Math.abs(length - expected) < 1e-5 * (1 + expected), `${length}, ${expected}`);
    });
  });
});
