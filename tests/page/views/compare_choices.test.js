// The three pictures of a comparison: both matrices are the library's, the third is their difference, and all have the
// same rows and columns.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { lexicalScale, words, wordVectors } from 'attention-wasm/text';
import { loadTranslator } from 'attention-wasm/translator';
import { choicesFor, pairOf, titlesFor } from '../../../web/demo/page/views/compare_choices.js';
import { headIn } from '../../../web/demo/positions.js';
import { answerTo } from '../../support/js/page_answer.js';

const api = await loadAttention();
const translator = await loadTranslator();
const text = 'one stone and two stones';
const spelled = { source: 'ngrams', mode: 'self', heads: 4, head: 1, text };
const scale = 4 * lexicalScale; // of four heads

/** What the worker answers for a comparison: titles, the three pictures, and the offered alternatives. */
async function compared(part) {
  const given = { ...spelled, view: 'compare', ...part };
  const { state, picture, facts } = await answerTo(given);
  const shown = { state, picture, facts };
  const pictures = pairOf(picture, { head: headIn(picture, state.head) }, { stage: 'weights' });
  return { titles: titlesFor(shown), pictures, choices: choicesFor(shown) };
}

const headOf = ({ data, dims }, head) => {
  const size = dims.at(-2) * dims.at(-1);
  return Array.from(data.slice(head * size, (head + 1) * size));
};

/** Weights of one head, for vectors from spelling. */
function weightsOf({ head = 1, kind = 'softmax', ...more }, ofText = text) {
  const tensor = wordVectors(words(ofText), { dim: 64 });
  const call = (name, options) =>
    api[name](tensor, tensor, tensor, { heads: 4, weights: true, ...options }).weights;
  if (kind === 'softmax') return headOf(call('attention', { scale, ...more }), head);
  if (kind !== 'gaussian') return headOf(call('linearAttention', { featureMap: kind }), head);
  const bandwidth = 1 / Math.sqrt(scale);
  return headOf(call('kernelAttention', { similarity: 'gaussian', bandwidth }), head);
}

function assertPictures(pictures, own, other) {
  const difference = other.map((weight, at) => weight - own[at]);
  [own, other, difference].forEach((wanted, index) => {
    const { values } = pictures[index];
    assert.equal(values.length, wanted.length);
    wanted.forEach((one, at) => {
      assert.ok(Math.abs(values[at] - one) < 2e-6, `${index}, ${at}: ${values[at]}, ${one}`);
    });
  });
}

const textsOf = (labels) => labels.map((label) => label.text).join(' ');

describe('pictures of a comparison', () => {
  it('differ by scale, kind and head as the library has it', async () => {
    const others = {
      'scale:one': [{ scale: 1 }, 'Unscaled, 1'],
      'scale:scaled': [{ scale: 1 / 4 }, 'Scaled, 1/√16'],
      'kind:elu': [{ kind: 'elu' }, 'Linear, φ = elu + 1'],
      'kind:efficient': [{ kind: 'efficient' }, 'Efficient'],
      'kind:gaussian': [{ kind: 'gaussian' }, 'Kernel, gaussian'],
      'head:3': [{ head: 3 }, 'Head 4'],
    };
    for (const [beside, [settings, title]] of Object.entries(others)) {
      const { titles, pictures } = await compared({ beside });
      assert.equal(titles[1], title);
      assertPictures(pictures, weightsOf({}), weightsOf(settings));
    }
  });

  it('differ by layer as the translator has it', async () => {
    const english = 'The red car is in front of the house.';
    const { pictures, choices } = await compared({
      ...{ source: 'model', mode: 'cross', text: english, part: 'cross.0', beside: 'part:cross.1' },
      ...{ merge: false, hideSpecial: false },
    });
    const { cross } = translator.translate(english).attention;
    assertPictures(pictures, headOf(cross[0], 1), headOf(cross[1], 1));
    // Layers with other rows and columns are not offered.
    const [, layers] = choices.find(([group]) => group === 'Layer');
    assert.deepEqual(
      layers.map(([value]) => value),
      ['part:cross.1'],
    );
  });

  it('differ by text, word by word', async () => {
    const beside = (otherText, more) => compared({ beside: 'text', otherText, ...more });
    const other = 'one stone and two bones';
    const replaced = await beside(other);
    assert.deepEqual(replaced.titles, ['“stones”', '“bones”']);
    assertPictures(replaced.pictures, weightsOf({}), weightsOf({}, other));
    // The difference has the labels of the first, so that the three stand in line.
    const labels = replaced.pictures.map(({ columns }) => textsOf(columns));
    assert.deepEqual(labels, [text, other, text]);
    // A word that the text lacks is left out; the others keep their weights in the longer text.
    const longer = await beside('one flat stone and two stones');
    const whole = weightsOf({}, 'one flat stone and two stones');
    const common = [0, 2, 3, 4, 5];
    const expected = common.flatMap((row) => common.map((column) => whole[row * 6 + column]));
    assertPictures(longer.pictures, weightsOf({}), expected);
    // A word that the other text lacks has neither weights nor differences.
    const [, shorter, difference] = (await beside('one stone two stones')).pictures;
    assert.equal(textsOf(shorter.columns), 'one stone – two stones');
    const few = weightsOf({}, 'one stone two stones');
    const seen = Array.from(shorter.values).filter((value) => value !== -Infinity);
    assert.deepEqual(seen.map(Math.fround), few.map(Math.fround));
    const and = 2;
    for (let at = 0; at < 5; ++at) {
      assert.equal(shorter.values[5 * and + at], -Infinity);
      assert.equal(difference.values[5 * at + and], 0);
      assert.equal(difference.hidden[5 * at + and], 1);
    }
    // Sorted columns are those of the same words.
    const sorted = await beside(other, { sort: 'total' });
    const [own, its] = sorted.pictures.map(({ columns }) => textsOf(columns));
    assert.notEqual(own, text);
    assert.equal(its, own.replace('stones', 'bones'));
  });

  it('apply to the drawn columns, sorted or averaged', async () => {
    const more = { beside: 'head:2', sort: 'total', average: true };
    const { titles, pictures } = await compared(more);
    assert.deepEqual(titles, ['All heads, averaged', 'Head 3']);
    const [own, other] = pictures;
    assert.notEqual(textsOf(own.columns), text);
    assert.equal(textsOf(other.columns), textsOf(own.columns));
    const order = own.columns.map((label) => text.split(' ').indexOf(label.text));
    const sorted = (values) => values.map((_, at) => values[at - (at % 5) + order[at % 5]]);
    const heads = [0, 1, 2, 3].map((head) => weightsOf({ head }));
    const mean = heads[0].map((_, at) => heads.reduce((sum, one) => sum + one[at] / 4, 0));
    assertPictures(pictures, sorted(mean), sorted(heads[2]));
  });
});
