// CSV and JSON, read by an independent parser: the library's numbers, from which the picture can be recomputed; in a
// comparison also those of the second picture, and the difference.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { lexicalScale, words, wordVectors } from 'attention-wasm/text';
import { pairToCSV, toCSV, toJSON } from '../../../web/demo/page/exports/data_files.js';
import { answerTo } from '../../support/js/page_answer.js';
import { spell } from '../../support/js/page_numbers.js';

const { attention, linearAttention } = await loadAttention();

/** A parser for RFC 4180. */
function parseCSV(csv) {
  const lines = [[]];
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    lines.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end !== ',') lines.push([]);
  }
  return lines.slice(0, -1);
}

function assertNear(found, expected, what) {
  assert.equal(found.length, expected.length, what);
  expected.forEach((value, at) => assert.ok(Math.abs(found[at] - value) < 1e-6, `${what}, ${at}`));
}

/** What the page hands to an export. */
const shownOf = ({ state, picture, facts }, view = 'matrix') => ({
  ...{ state, picture, facts, selection: { head: state.head } },
  settings: { view, stage: state.stage },
});

describe('exported numbers', async () => {
  const text = 'Say "tea", uncle: tea, teas';
  const plain = { source: 'ngrams', mode: 'self', merge: false, hideSpecial: false };
  const { rows, columns, q, k, v } = spell(text);
  const options = { heads: 2, scale: 2 * lexicalScale, causal: true, weights: true };
  const { weights } = attention(q, k, v, options);
  const size = rows.length ** 2;
  const answer = await answerTo({ ...plain, text, heads: 2, head: 1, causal: true });
  const shown = shownOf(answer);

  it('are those of the displayed head and stage as CSV', () => {
    const [head, ...lines] = parseCSV(toCSV(shown));
    assert.deepEqual(head, ['Spelling · head 2', ...columns]);
    assert.deepEqual(
      lines.map(([label]) => label),
      rows,
    );
    // Full precision: the numbers are the library's, bit for bit.
    assert.deepEqual(
      lines.flatMap(([, ...numbers]) => numbers.map((number) => Math.fround(Number(number)))),
      Array.from(weights.data.subarray(size)),
    );
    const masked = parseCSV(toCSV({ ...shown, settings: { ...shown.settings, stage: 'masked' } }));
    assert.equal(masked[1][2], '-Infinity');
  });

  it('are all of them as JSON, from which they can be recomputed', () => {
    const saved = JSON.parse(toJSON(shown, answer.answers.tensors()));
    assert.deepEqual(saved.rows, rows);
    assert.equal(saved.options.causal, true);
    const four = ({ data, dims }) => ({ data: Float32Array.from(data), dims: [1, ...dims] });
    const tensors = [saved.query, saved.key, saved.value].map(four);
    const again = attention(...tensors, { ...saved.options, weights: true });
    assert.deepEqual(saved.weights.dims, [2, rows.length, rows.length]);
    assertNear(again.weights.data, weights.data, 'recomputed');
    assertNear(saved.weights.data, weights.data, 'saved');
  });
});

describe('exported numbers of a comparison', async () => {
  const text = 'one stone and two stones';
  const list = words(text);
  const tensor = wordVectors(list, { dim: 64 });
  const titles = ['Softmax', 'Efficient', 'Second minus first'];
  /** The head of the picture, for vectors from spelling. */
  const headOf = ({ data }) => data.slice(list.length ** 2, 2 * list.length ** 2);
  const given = { heads: 4, weights: true };
  const own = headOf(
    attention(tensor, tensor, tensor, { ...given, scale: 4 * lexicalScale }).weights,
  );
  const other = headOf(
    linearAttention(tensor, tensor, tensor, { ...given, featureMap: 'efficient' }).weights,
  );
  const difference = other.map((weight, at) => weight - own[at]);
  const answer = await answerTo({
    ...{ source: 'ngrams', mode: 'self', text, heads: 4, head: 1 },
    ...{ view: 'compare', beside: 'kind:efficient' },
  });
  const shown = shownOf(answer, 'compare');

  it('are three matrices in one CSV', () => {
    const [head, ...lines] = parseCSV(pairToCSV(shown));
    assert.deepEqual(head, ['Spelling · head 2', '', ...list]);
    [own, other, difference].forEach((values, block) => {
      const part = lines.slice(block * list.length, (block + 1) * list.length);
      assert.deepEqual(
        part.map(([title, word]) => [title, word]),
        list.map((word) => [titles[block], word]),
      );
      const numbers = part.flatMap(([, , ...cells]) => cells.map(Number));
      assertNear(numbers, values, titles[block]);
    });
  });

  it('are beside those of the first picture in JSON', () => {
    const saved = JSON.parse(toJSON(shown, answer.answers.tensors()));
    assert.deepEqual([saved.title, saved.beside.title], titles.slice(0, 2));
    assert.deepEqual(saved.beside.differs, { kind: 'efficient' });
    assertNear(headOf(saved.weights), own, 'own');
    assertNear(headOf(saved.beside.weights), other, 'beside');
    assertNear(saved.secondLessFirst.data, difference, 'difference');
    assert.deepEqual(saved.secondLessFirst.heads, [1, 1]);
    // Without the comparison there is the single picture.
    const alone = JSON.parse(toJSON(shownOf(answer), answer.answers.tensors()));
    assert.equal(alone.beside, undefined);
  });
});
