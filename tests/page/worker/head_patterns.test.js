// Scores of heads by the token that their weight is on, and their small pictures, against plain float64 loops over pairs.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadTranslator } from 'attention-wasm/translator';
import { patternScores } from '../../../web/demo/worker/compute/head_patterns.js';
import { maxCells, pooled } from '../../../web/demo/worker/compute/pooled.js';
import { randomWeights } from '../../support/browser/heatmap_weights.js';
import { answerTo } from '../../support/js/page_answer.js';
import { headOf } from '../../support/js/page_numbers.js';

const translator = await loadTranslator();
const text = 'The red car and the red house are in front of the car, and the house is old.';

/** Mean over rows of the weights on the columns for which `isIt(row, column)` is true, of rows that have such a column. */
function meanOn({ data, dims: [height, width] }, isIt) {
  const found = [];
  for (let row = 0; row < height; ++row) {
    const on = [];
    for (let column = 0; column < width; ++column) {
      if (isIt(row, column)) on.push(data[row * width + column]);
    }
    if (on.length > 0) found.push(on.reduce((sum, one) => sum + one, 0));
  }
  return found.length > 0 ? found.reduce((sum, one) => sum + one, 0) / found.length : null;
}

/** Mean entropy of the rows in bits. */
function entropyOf({ data, dims: [height, width] }) {
  const rows = Array.from({ length: height }, (_, row) =>
    Array.from(data.subarray(row * width, (row + 1) * width)),
  );
  const bits = rows.map((row) => {
    const total = row.reduce((sum, one) => sum + one, 0);
    return row.reduce(
      (sum, one) => sum + (one > 0 ? (one / total) * Math.log2(total / one) : 0),
      0,
    );
  });
  return bits.reduce((sum, one) => sum + one, 0) / height;
}

function assertScore(found, expected, what) {
  if (expected === null) return assert.equal(found, null, what);
  return assert.ok(Math.abs(found - expected) < 1e-6, `${what}: ${found}, expected ${expected}`);
}

describe('scores of heads', () => {
  it('are those of the translator, in all its layers', async () => {
    const settings = { source: 'model', mode: 'cross', view: 'heads', merge: false, text };
    const { picture } = await answerTo({ ...settings, hideSpecial: false });
    const { source, target, inputs, attention } = translator.translate(text);
    const parts = {
      encoder: [source.tokens, source.tokens, (row, column) => column === row - 1],
      // A row writes the token that is the decoder's next input.
      decoder: [target.tokens, inputs.tokens, (row, column) => column === row],
      cross: [target.tokens, source.tokens, () => false],
    };
    const isSign = (token) => /^[\p{P}\p{S}]+$/u.test(token) || /^<.*>$/.test(token);
    const largest = { previous: 0, first: 0, same: 0, spread: 0 };
    for (const { part, head, scores } of picture.thumbnails) {
      const [stack, layer] = part.split('.');
      const [rows, columns, isPrevious] = parts[stack];
      const whole = attention[stack][layer];
      const own = { data: headOf(whole, head), dims: whole.dims.slice(-2) };
      const expected = {
        previous: meanOn(own, isPrevious),
        first: meanOn(own, (_, column) => column === 0 || isSign(columns[column].text)),
        same: meanOn(own, (row, column) => rows[row].text === columns[column].text),
        spread: entropyOf(own),
      };
      for (const [name, score] of Object.entries(expected)) {
        assertScore(scores[name], score, `${part}, head ${head}, ${name}`);
        largest[name] = Math.max(largest[name], score ?? 0);
      }
    }
    // Not all heads do nothing.
    for (const [name, score] of Object.entries(largest)) assert.ok(score > 0.3, name);
  });

  it('find planted patterns', () => {
    const names = ['[CLS]', 'tea', 'and', 'tea', '.'];
    const labels = names.map((one, at) => ({
      ...{ text: one, word: at, special: /^(\[CLS\]|\.)$/.test(one), start: null, end: null },
    }));
    const tokens = names.map((_, at) => [at]);
    const planted = (isIt) =>
      Float32Array.from({ length: 25 }, (_, at) => Number(isIt(Math.floor(at / 5), at % 5)));
    const heads = [
      planted((row, column) => column === row - 1),
      planted((row, column) => column === 0 || (row === 2 && column === 4)),
      planted((row, column) => row === column),
      planted((row, column) => row !== column && names[row] === names[column]),
    ];
    heads[1][2 * 5] = 0;
    const weights = Float32Array.from(heads.flatMap((head) => Array.from(head)));
    const picture = { rows: labels, columns: labels, columnTokens: tokens };
    const scores = patternScores(picture, weights, [0, 1, 2, 3, 4], true);
    assert.deepEqual(scores, [
      { previous: 1, first: 1 / 5, same: 0 },
      { previous: 1 / 4, first: 1, same: 1 / 5 },
      { previous: 0, first: 2 / 5, same: 1 },
      { previous: 0, first: 0, same: 2 / 5 },
    ]);
    const [twoLists] = patternScores(picture, weights, null, false);
    assert.deepEqual(twoLists, { previous: null, first: 1 / 5, same: null });
    weights[5] = NaN;
    assert.deepEqual(patternScores(picture, weights, null, true)[0].first, null);
  });
});

describe('the small picture of a head', () => {
  const blockOf = (at, count) => {
    const cells = Math.min(count, maxCells);
    let block = 0;
    while (Math.floor(((block + 1) * count) / cells) <= at) ++block;
    return block;
  };

  for (const [rows, columns] of [
    [1, 1],
    [64, 63],
    [65, 64],
    [64, 130],
    [1024, 97],
  ]) {
    it(`has the largest weight of each block of ${rows} × ${columns}`, () => {
      const weights = randomWeights(rows, columns, 5);
      const { weights: found, cells } = pooled(weights, rows, columns);
      assert.deepEqual(cells, [Math.min(64, rows), Math.min(64, columns)]);
      const expected = new Float32Array(cells[0] * cells[1]);
      weights.forEach((weight, at) => {
        const [row, column] = [Math.floor(at / columns), at % columns];
        const cell = blockOf(row, rows) * cells[1] + blockOf(column, columns);
        expected[cell] = Math.max(expected[cell], weight);
      });
      assert.deepEqual(found, expected);
    });
  }

  it('shows a diagonal and a column of 510 tokens as they are', () => {
    const count = 510;
    const planted = Float32Array.from({ length: count ** 2 }, (_, at) => {
      const [row, column] = [Math.floor(at / count), at % count];
      return row - column === 1 ? 0.9 : column === 77 ? 0.1 : 0;
    });
    const { weights, cells } = pooled(planted, count, count);
    const column = blockOf(77, count);
    for (let row = 0; row < cells[0]; ++row) {
      const own = weights.subarray(row * cells[1], (row + 1) * cells[1]);
      assert.equal(own[row], Math.fround(0.9), `row ${row}`);
      if (Math.abs(column - row) > 1) assert.equal(own[column], Math.fround(0.1), `row ${row}`);
    }
  });

  it('keeps the sign of what is farthest from 0, and NaN', () => {
    const weights = new Float32Array(130).fill(0.25);
    weights[0] = -0.5;
    weights[129] = NaN;
    const { weights: found } = pooled(weights, 1, 130);
    assert.deepEqual([found[0], found[1], found[63]], [-0.5, 0.25, NaN]);
  });
});
