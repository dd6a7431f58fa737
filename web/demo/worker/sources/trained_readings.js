// The readings of the trained English–French Transformer. Self-attention: its encoder with an English text.
// Cross-attention: its decoder, which writes the French translation or takes the reader's, with the English text.

import { isSign } from './tokens.js';
import { projectionOf } from './translator.js';

/** Labels of the translator's tokens; the same tokens give the same array. Words of punctuation only are special. */
function createLabeling() {
  const made = new Map();
  return (tokens) => {
    if (!made.has(tokens)) {
      const says = ({ text }) => text !== '' && !isSign(text);
      const words = new Set(tokens.filter(says).map(({ word }) => word));
      const isSpecial = ({ special, word }) => special || !words.has(word);
      made.set(
        tokens,
        tokens.map((token) => ({ ...token, special: isSpecial(token) })),
      );
    }
    return made.get(tokens);
  };
}

// Other scripts are spelled as bytes, on which the model was not trained.
const foreign =
  /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]|\p{Extended_Pictographic}/u;
const learnedLength = 60; // tokens, about 40 words: 3 in 100,000 sentences of the training data are longer
/** Warnings about what the model has not learned: other scripts, long texts. */
const noteOn = (tokens, ...texts) =>
  [
    texts.some((text) => foreign.test(text)) &&
      'The model learned English and French only, and reads other writing byte by byte: vectors from Spelling suit any writing.',
    tokens > learnedLength &&
      'The model learned from sentences of up to about 20 words: in a text this long its weights say little.',
  ]
    .filter(Boolean)
    .join(' ');

const ofOne = ({ data, dims }) => ({ data, dims: dims.slice(1) });

function partOf(title, kind, { x, context, query, key, value }, n, labels) {
  return {
    id: `${kind}.${n}`,
    name: `${title} ${n + 1}`,
    heads: query.dims[1],
    causal: kind === 'decoder',
    x: { rows: x, columns: context },
    query: ofOne(query),
    key: ofOne(key),
    value: ofOne(value),
    scale: 1 / Math.sqrt(query.dims[3]),
    projection: () => projectionOf(kind, n),
    ...labels,
  };
}

const encoderParts = (vectors, labels) =>
  vectors.map((layer, n) => partOf('Encoder layer', 'encoder', layer, n, labels));

export const asVectors = { attention: false, vectors: true };
let lastTranslation = { of: '', text: '' };

/** Remembers the translation of a text without edits. */
export function rememberTranslation(second, begin, text) {
  lastTranslation = { of: JSON.stringify([second, begin]), text };
}

/** Translation of a text without edits, usually that of the last request. */
export function translationOf(translator, second, begin = '') {
  const of = JSON.stringify([second, begin]);
  if (lastTranslation.of !== of) {
    const { text } = translator.translate(second, { attention: false, begin });
    lastTranslation = { of, text };
  }
  return lastTranslation.text;
}

/** `inside(api)` of a reading, of tokens of the encoder and of the decoder's input. */
export const insideOf =
  (translator, { encoder, decoder, block }) =>
  async (api) =>
    (await import('./trained_inside.js')).insideOf(api, translator, { encoder, decoder, block });

/** Reading of the encoder alone. */
export function readEnglish(translator, first, more = {}) {
  const { source, vectors } = translator.encode(first, { ...asVectors, ...more });
  const rows = source.tokens.length > 1 ? createLabeling()(source.tokens) : [];
  return {
    rows,
    columns: rows,
    texts: [source.text],
    parts: encoderParts(vectors.encoder),
    note: noteOn(rows.length, source.text),
    inside: insideOf(translator, { encoder: source.tokens }),
  };
}

/** Reading of a translation; `translator` is given for a complete one, which then has nextWords. */
export function readingOf({ text, source, target, inputs, vectors }, translator) {
  const labelsOf = createLabeling();
  const [rows, columns, before] = [target, source, inputs].map(({ tokens }) => labelsOf(tokens));
  const isEmpty = columns.length === 1;
  const warning = noteOn(Math.max(rows.length, columns.length), text, source.text);
  const noted = (says) => [says, warning].filter(Boolean).join(' ');
  return {
    rows: isEmpty ? [] : rows,
    columns: isEmpty ? [] : columns,
    texts: [text, source.text],
    parts: [
      ...vectors.cross
        .map((layer, n) =>
          partOf('Cross-attention, layer', 'cross', layer, n, {
            note: noted('Each row shows where the model looks just before it writes that word.'),
          }),
        )
        .reverse(),
      ...vectors.decoder.map((layer, n) =>
        partOf('Decoder layer', 'decoder', layer, n, {
          rows,
          columns: before,
          texts: [text, inputs.text],
          ordered: true,
          note: noted('Each row shows where the model looks back just before it writes that word.'),
        }),
      ),
      ...encoderParts(vectors.encoder, {
        rows: columns,
        columns,
        texts: [source.text, source.text],
      }),
    ],
    translation: text,
    nextWords: translator && ((row) => nextWordsAt(translator, { text, source, rows }, row)),
    inside: translator && insideOf(translator, { encoder: source.tokens, decoder: inputs.tokens }),
    note: warning,
  };
}

/**
 * `more`: options of nextWords().
 * @returns {import('../../types').NextWords}
 */
export function nextWordsAt(translator, { text, source, rows }, row, more = {}) {
  const { word } = rows[row];
  const pieces = rows.filter((one) => one.word === word);
  const [{ start }, { end }] = [pieces[0], pieces.at(-1)];
  const own = start === null ? pieces[0].text : text.slice(start, end);
  const words = translator.nextWords(source.text, { target: text, word, ...more });
  return {
    ...{ kind: 'written', lang: 'fr', text },
    before: text.slice(0, start ?? text.length).trim(),
    words: words.map((one) => ({ ...one, isOwn: one.text === own })),
  };
}
