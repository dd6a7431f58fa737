// The sentence below the map, for every source of weights.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatPercent } from '../../../web/demo/page/number_formats.js';
import { sentenceParts, sentenceText } from '../../../web/demo/page/sentence/sentence_text.js';

const label = (text) => ({ text, word: 0 });

/** The sentence of a picture with one cell of `weights`, one for each head. */
function sentence({ part, source = 'model', weights, query, key, facts = {}, isPercent, ...more }) {
  const picture = {
    ...{
      part,
      rows: [label(query)],
      columns: [more.marks ? { text: key, word: null } : label(key)],
    },
    ...{ heads: weights.length, average: false, hidden: null, ...more },
    stages: { weights: Float32Array.from(weights) },
  };
  const place = { row: 0, column: 0, head: 0 };
  return sentenceText(sentenceParts({ picture, facts, place, source, isPercent })).replaceAll(
    '\u00a0',
    ' ',
  );
}

describe('the sentence', () => {
  const sentences = {
    'To write “rouge”, the model looks at “red”: 99.7 %.': {
      ...{ part: 'cross.1', weights: [0.99674], query: 'rouge', key: 'red' },
    },
    'To write “rouge”, the model hardly looks at “house”: 0.2 %.': {
      ...{ part: 'cross.1', weights: [0.0019], query: 'rouge', key: 'house' },
    },
    'Reading “it”, the model looks at “animal”: 62.0 %.': {
      ...{ part: 'encoder.4', weights: [0.62], query: 'it', key: 'animal' },
    },
    'Reading “it”, the model hardly looks at “animal”: 4.9 %.': {
      ...{ part: 'self.0', weights: [0.049], query: 'it', key: 'animal', source: 'own' },
    },
    'To go on after “was”, the model looks back at “elephant”: 41.0 %.': {
      ...{ part: 'self.0', source: 'own', weights: [0.41], query: 'was', key: 'elephant' },
      facts: { causal: true },
    },
    // Tokens with the space beside their word, and one that is a space.
    'To go on after “cats”, the model looks back at “␣”: 57.0 %.': {
      ...{ part: 'self.0', source: 'own', weights: [0.57], query: ' cats', key: ' ' },
      facts: { causal: true },
    },
    'To write “rouge”, the model looks back at “voiture”: 5.0 %.': {
      ...{ part: 'decoder.0', weights: [0.05], query: 'rouge', key: 'voiture' },
    },
    '“bank” matches “river” with weight 41.0 %.': {
      ...{ part: 'self', source: 'ngrams', weights: [0.41], query: 'bank', key: 'river' },
    },
    'From “bank” to “river”: weight under 0.1 %.': {
      ...{ part: 'self', source: 'files', weights: [1e-5], query: 'bank', key: 'river' },
      facts: { fixed: 'Weights of a file.' },
    },
    'The patch in row 3, column 5, looks at row 2, column 5: 12.0 %.': {
      ...{ part: 'self.0', source: 'own', weights: [0.12], query: '3,5', key: '2,5' },
      facts: { grid: [7, 7] },
    },
    'Reading “[CLS]”, the model looks at row 2, column 5: 12.0 %.': {
      ...{ part: 'self.0', source: 'own', weights: [0.12], query: '[CLS]', key: '2,5' },
      facts: { grid: [7, 7] },
    },
    'Reading “it”, the model looks at marks: 90.0 %.': {
      ...{ part: 'encoder.0', weights: [0.9], query: 'it', key: 'marks', marks: true },
    },
    // Layers multiplied: the weights are given, but they are the model's.
    'Reading “it”, the model looks at “red”: 30.0 %.': {
      ...{ part: 'encoder.rollout', weights: [0.3], query: 'it', key: 'red' },
      facts: { fixed: 'A rollout is made of the model’s own weights.' },
    },
    // The reader's own weights are decimals, and values that are no weights always.
    'Reading “it”, the model looks at “animal”: 0.620.': {
      ...{ part: 'self.0', source: 'own', weights: [0.62], query: 'it', key: 'animal' },
      isPercent: false,
    },
    'From “bank” to “river”: weight under 0.001.': {
      ...{ part: 'self', source: 'files', weights: [1e-5], query: 'bank', key: 'river' },
      ...{ facts: { fixed: 'Weights of a file.' }, isPercent: false },
    },
    'From “bank” to “river”: value −0.300.': {
      ...{ part: 'self', source: 'files', weights: [-0.3], query: 'bank', key: 'river' },
      ...{ facts: { fixed: 'Weights of a file.' }, isPercent: false },
    },
    'To write “rouge”, the model may not look at “red”: you blocked it.': {
      ...{ part: 'cross.1', weights: [0], query: 'rouge', key: 'red', blocked: Uint8Array.of(1) },
    },
    'To go on after “a”, the model may not look at “b”: a mask hides it.': {
      ...{ part: 'self.0', source: 'own', weights: [0], query: 'a', key: 'b' },
      ...{ facts: { causal: true }, hidden: Uint8Array.of(1) },
    },
  };
  for (const [expected, given] of Object.entries(sentences)) {
    it(`is: ${expected}`, () => assert.equal(sentence(given), expected));
  }

  it('says a weight on marks that is larger than the named one', () => {
    const said = (weights, more) => {
      const picture = {
        ...{ part: 'decoder.0', heads: 1, average: false, hidden: null },
        ...{ rows: [label('rouge')], columns: [label('La'), { text: 'marks', word: null }] },
        stages: { weights: Float32Array.from(weights) },
      };
      const place = { row: 0, column: 0, head: 0, ...more?.place };
      return sentenceText(
        sentenceParts({ picture, facts: {}, place, source: 'model', isPercent: more?.isPercent }),
      ).replaceAll('\u00a0', ' ');
    };
    const start = 'To write “rouge”, the model looks back at';
    assert.equal(said([0.201, 0.68]), `${start} “La”: 20.1 % (68.0 % go to marks).`);
    assert.equal(
      said([0.201, 0.68], { isPercent: false }),
      `${start} “La”: 0.201 (0.680 go to marks).`,
    );
    assert.equal(said([0.68, 0.201]), `${start} “La”: 68.0 %.`);
    assert.equal(said([0.201, 0.68], { place: { column: 1 } }), `${start} marks: 68.0 %.`);
  });

  it('says that a head looks at marks, shown or hidden, instead of hardly at a word', () => {
    const special = (text) => ({ text, word: -1, special: true });
    const said = (columns, weights, column) => {
      const picture = {
        ...{ part: 'self.0', heads: 1, average: false, hidden: null, columns },
        ...{ rows: [label('tired')], stages: { weights: Float32Array.from(weights) } },
      };
      const place = { row: 0, column, head: 0 };
      const given = { picture, facts: {}, place, source: 'own', isPercent: false };
      return sentenceText(sentenceParts(given));
    };
    const shown = [special('[CLS]'), label('the'), label('dog'), special('[SEP]')];
    assert.equal(
      said(shown, [1, 0, 1e-5, 0], 2),
      'Reading “tired”, the model looks at marks: 1.000, hardly at “dog”: under 0.001.',
    );
    assert.equal(
      said(shown, [0.3, 0.03, 0.04, 0.63], 2),
      'Reading “tired”, the model looks at marks: 0.930, hardly at “dog”: 0.040.',
    );
    assert.equal(
      said(shown, [1, 0, 0, 0], 0),
      'Reading “tired”, the model looks at “[CLS]”: 1.000.',
    );
    assert.equal(
      said(shown, [0.2, 0.4, 0.04, 0.2], 2),
      'Reading “tired”, the model hardly looks at “dog”: 0.040 (0.400 go to marks).',
    );
    const hidden = [label('dog'), { text: 'marks', word: null, special: true }];
    assert.equal(
      said(hidden, [0.01, 0.99], 0),
      'Reading “tired”, the model looks at marks: 0.990, hardly at “dog”: 0.010.',
    );
  });

  it('names what is written by its place where it has a name', () => {
    const picture = {
      ...{ part: 'cross.0', heads: 1, average: false, hidden: null },
      ...{ rows: [{ text: '7', name: 'the third digit' }], columns: [{ text: '7' }] },
      stages: { weights: Float32Array.of(0.98) },
    };
    const place = { row: 0, column: 0, head: 0 };
    const parts = sentenceParts({ picture, facts: { causal: false }, place, source: 'model' });
    const expected = 'To write the third digit, the model looks at “7”: 98.0\u00a0%.';
    assert.equal(sentenceText(parts), expected);
  });

  it('names the head where its weight is far from the average of its layer', () => {
    const of = (weights, more) =>
      sentence({ part: 'encoder.0', weights, query: 'it', key: 'animal', ...more });
    // 50 % away from the average of 0.4 is the limit: 0.6 and 0.2.
    assert.match(of([0.59, 0.21]), /, the model looks/);
    assert.match(of([0.62, 0.18]), /, this head looks/);
    assert.match(of([0.18, 0.62]), /, this head looks/);
    assert.match(of([0.62], { average: true }), /, the model looks/);
  });
});

describe('percent', () => {
  it('has one decimal and at most three digits', () => {
    const shares = [1, 0.99974, 0.99936, 0.5, 0.4149, 0.0213, 0.0005, 0.0004, 0, -0.25];
    assert.deepEqual(
      shares.map((share) => formatPercent(share).replace('\u00a0', ' ')),
      [
        '100 %',
        '100 %',
        '99.9 %',
        '50.0 %',
        '41.5 %',
        '2.1 %',
        '0.1 %',
        'under 0.1 %',
        '0 %',
        '−25.0 %',
      ],
    );
  });
});
