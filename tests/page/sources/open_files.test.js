// The reader's open files: which stay together, and the reading that they make.

import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { close, open, read } from '../../../web/demo/worker/sources/files/open_files.js';
import { arrange } from '../../../web/demo/worker/compute/arrange.js';
import { npy } from '../../support/js/numpy_file.js';

const { attention } = await loadAttention();
const array = (dims, seed) => ({
  data: Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, (_, at) =>
    Math.fround(Math.sin(seed + at * at)),
  ),
  dims,
});
const fileOf = (name, content) => new File([content], name);
const jsonOf = (name, value) => fileOf(name, JSON.stringify(value));
const arrayOf = (name, dims, seed = 1) => fileOf(name, npy(array(dims, seed)));
const textsOf = (labels) => labels.map(({ text }) => text);
const reading = (first, more) => read({ mode: 'self', first, second: first, heads: 1, ...more });

let files = [];
async function add(file) {
  const answer = await open(file);
  ({ files } = answer);
  return answer;
}
const names = () => files.map(({ name }) => name);

describe('open files', () => {
  afterEach(() => {
    for (const { id } of files) close(id);
    files = [];
  });

  it('have no picture until query, key and value are there: nothing stands in', async () => {
    const none = await reading('tea cup');
    assert.match(none.why, /^Give weights, or queries, keys and values, as JSON/);
    assert.deepEqual([none.rows, none.columns, none.parts], [[], [], []]);
    // A link, or a reload, knows the names of the files.
    const linked = await reading('tea cup', { file: 'q.npy/v.npy' });
    assert.match(linked.why, /^Give q\.npy, v\.npy again: /);
    assert.equal((await add(arrayOf('q.npy', [2, 3]))).text, 'q.npy: query 2 × 3');
    const { why, rows } = await reading('tea cup');
    assert.equal(why, 'Open: q.npy. Still missing: key and value.');
    assert.deepEqual(rows, []);
  });

  it('number rows and columns that have no names, and draw each of them', async () => {
    // As many as the tokens of the text that the page opens with, whose last is a full stop.
    const { state } = await add(arrayOf('weights.npy', [2, 10, 10]));
    const numbers = '1 2 3 4 5 6 7 8 9 10';
    assert.deepEqual(state, { mode: 'self', text: numbers, context: numbers });
    const { rows, columns } = await reading(numbers);
    assert.deepEqual(textsOf(rows), numbers.split(' '));
    assert.equal(columns, rows);
    // Names that the reader types afterwards: each is one row, also pieces of words, marks and punctuation.
    for (const [text, names] of [
      ['[CLS] the un ##kind cat - is it ? [SEP]', '[CLS] the un ##kind cat - is it ? [SEP]'],
      ['The red car is in front of the house.', 'The red car is in front of the house .'],
    ]) {
      const typed = await reading(text);
      assert.deepEqual(textsOf(typed.rows), names.split(' '));
      const picture = {
        ...{ rows: typed.rows, columns: typed.columns, stages: {}, heads: 1, hidden: null },
      };
      const drawn = arrange(picture, { hideSpecial: true, merge: true, pair: 'all', sort: 'text' });
      assert.deepEqual([drawn.rows, drawn.columns], [typed.rows, typed.columns]);
      assert.deepEqual(
        typed.rows.map(({ start, end }) => text.slice(start, end)),
        names.split(' '),
      );
    }
    const other = await reading('too few');
    assert.deepEqual(textsOf(other.rows), numbers.split(' '));
    assert.match(other.note, /The text above has 2 words for 10 rows: they are numbered\./);
  });

  it('give q, k and v, labeled by a text with as many words, in as many heads as set', async () => {
    const [q, k, v] = [array([4, 6], 1), array([4, 6], 2), array([4, 4], 3)];
    for (const [name, one] of Object.entries({ 'q.npy': q, 'k.npy': k, 'v.npy': v })) {
      await add(fileOf(name, npy(one)));
    }
    const { rows, columns, parts } = await reading('tea for my uncle');
    assert.deepEqual(textsOf(rows), ['tea', 'for', 'my', 'uncle']);
    assert.equal(rows, columns);
    assert.deepEqual(parts[0].query, { data: q.data, dims: [1, 4, 6] });
    // Another number of words: rows are numbered.
    const other = await reading('tea for two', { heads: 2 });
    assert.deepEqual(textsOf(other.rows), ['1', '2', '3', '4']);
    const [{ query, key, value, scale, heads }] = other.parts;
    assert.equal(heads, 2);
    const { output } = attention(query, key, value, { scale });
    const truth = attention(q, k, v, { heads: 2 }).output.data;
    // Heads first here, heads within a row there.
    const merged = Array.from(truth, (_, at) => {
      const [row, column] = [Math.floor(at / 4), at % 4];
      return output.data[Math.floor(column / 2) * 8 + row * 2 + (column % 2)];
    });
    assert.deepEqual(merged, [...truth]);
  });

  it('give layers and heads of weights, named as the file’s', async () => {
    const weights = array([3, 2, 2, 3], 5);
    weights.data.forEach((value, at) => (weights.data[at] = Math.abs(value)));
    const { state } = await add(fileOf('attentions.npy', npy(weights)));
    assert.deepEqual(state, { mode: 'cross', text: '1 2', context: '1 2 3' });
    const own = await reading('a b', { mode: 'cross', second: 'a b c', heads: 4 });
    assert.match(
      own.note,
      /attentions\.npy has 2 heads: the setting “Heads” has no effect\. Its rows sum to/,
    );
    assert.deepEqual(
      [textsOf(own.rows), textsOf(own.columns)],
      [
        ['a', 'b'],
        ['a', 'b', 'c'],
      ],
    );
    assert.deepEqual(
      own.parts.map(({ id, name, weights: { data } }) => [id, name, data]),
      [0, 1, 2].map((layer) => [
        `own.${layer}`,
        `Layer ${layer + 1}`,
        weights.data.slice(12 * layer, 12 * layer + 12),
      ]),
    );
    assert.equal(own.fixed, 'The weights are those of attentions.npy.');
    assert.ok(Object.values(own.overruled).every((why) => why === own.fixed));
  });

  it('set mode and texts by the words of a file', async () => {
    const square = [
      [0.5, 0.5],
      [1, 0],
    ];
    const self = await add(jsonOf('weights.json', { weights: square, tokens: ['my', 'tea'] }));
    assert.deepEqual(self.state, { mode: 'self', text: 'my tea', context: 'my tea' });
    assert.equal(self.isNamed, true);
    const { rows, note, texts } = await reading('other words here');
    assert.deepEqual(
      [textsOf(rows), texts],
      [
        ['my', 'tea'],
        ['my tea', 'my tea'],
      ],
    );
    assert.match(note, /^The words come from weights\.json; the text above is not used\./);
    const json = { attention: [[1, 0, 0]], left_text: ['thé'], right_text: ['tea', 'for', 'me'] };
    const cross = await add(jsonOf('attention.json', json));
    assert.deepEqual(cross.state, { mode: 'cross', text: 'thé', context: 'tea for me' });
  });

  it('stay together if they fit, and replace those of the same role', async () => {
    await add(arrayOf('q.npy', [2, 3]));
    await add(arrayOf('k.npy', [2, 3]));
    assert.deepEqual(names(), ['q.npy', 'k.npy']);
    await add(arrayOf('query.npy', [4, 3]));
    assert.deepEqual(names(), ['k.npy', 'query.npy']);
    // Weights are another group.
    await add(jsonOf('weights.json', [[1]]));
    assert.deepEqual(names(), ['weights.json']);
    await add(arrayOf('q.npy', [2, 2]));
    assert.deepEqual(names(), ['q.npy']);
    ({ files } = close(files[0].id));
    assert.deepEqual(files, []);
  });

  it('that do not fit are refused', async () => {
    await add(arrayOf('k.npy', [5, 4]));
    for (const [file, pattern] of [
      [arrayOf('q.npy', [2, 3]), /query is 2 × 3 and the key is 5 × 4: .*d_k, must be equal/],
      [arrayOf('v.npy', [4, 3]), /key is 5 × 4 and the value is 4 × 3: the numbers of rows/],
      [arrayOf('q.npy', [2, 2, 2]), /must be equal/],
      [arrayOf('q.npy', [8]), /query has dims 8, and should have 2/],
      [arrayOf('q.npy', [0, 4]), /query is 0 × 4: it has no numbers/],
      [arrayOf('q.npy', [1100, 2]), /1100 rows; the page draws 1024 at most/],
      [
        fileOf('q.npy', npy({ ...array([2, 3, 4], 1), data: hole })),
        /head 2, row 2, column 2 of query is NaN/,
      ],
      [
        jsonOf('weights.json', { weights: [Array(1100).fill(0)] }),
        /1100 columns; the page draws 1024/,
      ],
    ]) {
      await assert.rejects(add(file), { message: pattern });
    }
    assert.deepEqual(names(), ['k.npy']);
  });
});

const hole = array([2, 3, 4], 1).data;
hole[17] = NaN;
