// The head and the pair of words in which two texts differ most, compared with all weights of the library's translator.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadTranslator } from 'attention-wasm/translator';
import * as trained from '../../../web/demo/worker/sources/trained_model.js';
import { answerTo } from '../../support/js/page_answer.js';

const translator = await loadTranslator();
const { first, second, other } = trained.examples.find((one) => one.other && one.mode === 'cross');
assert.equal(first, '');

/** Tokens of each word, without punctuation and marks. */
function wordsIn({ tokens }) {
  const words = new Map();
  tokens.forEach(({ word, text, special }, at) => {
    if (special || /^\p{P}+$/u.test(text)) return;
    words.set(word, [...(words.get(word) ?? []), at]);
  });
  return [...words.values()];
}

/** Weights of pairs of words: sums over the pieces that are looked at, means over those that look. */
function weightsOf(text) {
  const { source, target, inputs, attention } = translator.translate(text);
  const sides = { encoder: [source, source], decoder: [target, inputs], cross: [target, source] };
  return Object.entries(sides).flatMap(([stack, labels]) => {
    const [rows, columns] = labels.map(wordsIn);
    return attention[stack].flatMap(({ data, dims: [heads, height, width] }, layer) =>
      Array.from({ length: heads }, (_, head) =>
        rows.flatMap((some) =>
          columns.map((others) => {
            const all = some.flatMap((row) =>
              others.map((column) => data[(head * height + row) * width + column]),
            );
            const weight = all.reduce((sum, one) => sum + one, 0) / some.length;
            const place = { part: `${stack}.${layer}`, head, row: some[0], column: others[0] };
            return { place, weight };
          }),
        ),
      ).flat(),
    );
  });
}

async function foundFor(state) {
  const shown = { source: 'model', mode: 'cross', text: second, ...state };
  const { answers } = await answerTo(shown);
  return answers.difference();
}

describe('the strongest difference', () => {
  it('of the famous example is what “it” looks at, over all heads of all layers', async () => {
    const [own, beside] = [second, other].map(weightsOf);
    // Both texts have as many words, each in the place of its counterpart.
    assert.equal(own.length, beside.length);
    const sizes = own.map(({ weight }, at) => Math.abs(beside[at].weight - weight));
    const at = sizes.indexOf(Math.max(...sizes));
    const compared = { view: 'compare', beside: 'text', otherText: other };
    const found = await foundFor(compared);
    assert.deepEqual(found, own[at].place);
    const wordAt = (token) => translator.encode(second).source.tokens[token].text;
    assert.deepEqual([found.part, wordAt(found.row)], ['encoder.4', 'it']);
    assert.ok(sizes[at] > 0.9, `${sizes[at]}`);
  });

  it('is none where no other text is shown, or an equal one', async () => {
    assert.equal(await foundFor({}), null);
    const same = { view: 'compare', beside: 'text', otherText: second };
    assert.equal(await foundFor(same), null);
  });

  it('is that of a word, not of a mark', async () => {
    const [text, otherText] = ['I have a dog.', 'I have a dog?'];
    const compared = { text, view: 'compare', beside: 'text', otherText };
    const { row, column } = await foundFor(compared);
    const count = translator.encode(text).source.tokens.length;
    assert.ok(row < count - 2 && column < count - 2, `${row}, ${column}`);
  });
});
