// The readings of the trained English–French Transformer. Self-attention: its encoder with an English text.
// Cross-attention: its decoder, which writes the French translation or takes the reader's, with the English text.

import { isSign } from './tokens.js';
import { projectionOf } from './translator.js';

/** @import { AttentionApi, Tensor } from 'attention-wasm' */
/** @import { AttentionVectors, NextWordsOptions, Token, Translation, Translator } from 'attention-wasm/translator' */
/** @import { Edit } from 'attention-wasm/models' */
/** @import { InsideRun, Label, NextWords, Part, Reading, VectorPart } from '../../types' */
/** @import { AttentionKind } from './model_tensors.js' */

/**
 * A translation with the vectors of its layers.
 * @typedef {Translation & Required<Pick<Translation, 'vectors'>>} VectorTranslation
 */
/**
 * Tokens of the encoder, and of the decoder's input if it runs; what is blocked.
 * @typedef {{ encoder: { id: number }[], decoder?: { id: number }[], block?: string }} InsideTokens
 */

/** Labels of the translator's tokens; the same tokens give the same array. Words of punctuation only are special. */
function createLabeling() {
  /** @type {Map<Token[], Label[]>} */
  const made = new Map();
  /** @param {Token[]} tokens */
  return (tokens) => {
    const known = made.get(tokens);
    if (known) return known;
    /** @param {Token} token */
    const says = ({ text }) => text !== '' && !isSign(text);
    const words = new Set(tokens.filter(says).map(({ word }) => word));
    /** @param {Token} token */
    const isSpecial = ({ special, word }) => special || !words.has(word);
    const labels = tokens.map((token) => ({ ...token, special: isSpecial(token) }));
    made.set(tokens, labels);
    return labels;
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

/** @type {(tensor: Tensor) => Tensor} */
const ofOne = ({ data, dims }) => ({ data, dims: dims.slice(1) });

/**
 * @param {string} title
 * @param {AttentionKind} kind
 * @param {AttentionVectors} vectors
 * @param {number} n
 * @param {Partial<VectorPart>} [labels]
 * @returns {Part}
 */
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

/** @type {(vectors: AttentionVectors[], labels?: Partial<VectorPart>) => Part[]} */
const encoderParts = (vectors, labels) =>
  vectors.map((layer, n) => partOf('Encoder layer', 'encoder', layer, n, labels));

export const asVectors = { attention: false, vectors: true };
let lastTranslation = { of: '', text: '' };

/** Remembers the translation of a text without edits. */
export function rememberTranslation(second, begin, text) {
  lastTranslation = { of: JSON.stringify([second, begin]), text };
}

/**
 * Translation of a text without edits, usually that of the last request.
 * @param {Translator} translator
 * @param {string} second
 * @param {string} [begin]
 */
export function translationOf(translator, second, begin = '') {
  const of = JSON.stringify([second, begin]);
  if (lastTranslation.of !== of) {
    const { text } = translator.translate(second, { attention: false, begin });
    lastTranslation = { of, text };
  }
  return lastTranslation.text;
}

/**
 * `inside(api)` of a reading.
 * @type {(translator: Translator, tokens: InsideTokens) => (api: AttentionApi) => Promise<InsideRun>}
 */
export const insideOf =
  (translator, { encoder, decoder, block }) =>
  async (api) =>
    (await import('./trained_inside.js')).insideOf(api, translator, { encoder, decoder, block });

/**
 * Reading of the encoder alone.
 * @param {Translator} translator
 * @param {string} first
 * @param {{ edits?: Edit[] }} [more]
 * @returns {Reading}
 */
export function readEnglish(translator, first, more = {}) {
  const { source, vectors } = translator.encode(first, { ...asVectors, ...more });
  const rows = source.tokens.length > 1 ? createLabeling()(source.tokens) : [];
  return {
    rows,
    columns: rows,
    texts: [source.text],
    parts: encoderParts(vectors?.encoder ?? []),
    note: noteOn(rows.length, source.text),
    inside: insideOf(translator, { encoder: source.tokens }),
  };
}

/**
 * Reading of a translation; `translator` is given for a complete one, which then has nextWords.
 * @param {Translation} translation with vectors
 * @param {Translator} [translator]
 * @returns {Reading}
 */
export function readingOf(translation, translator) {
  const { text, source, target, inputs, vectors } = /** @type {VectorTranslation} */ (translation);
  const labelsOf = createLabeling();
  const [rows, columns, before] = [target, source, inputs].map(({ tokens }) => labelsOf(tokens));
  const isEmpty = columns.length === 1;
  const warning = noteOn(Math.max(rows.length, columns.length), text, source.text);
  /** @param {string} says */
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
 * @param {Translator} translator
 * @param {{ text: string, source: { text: string }, rows: Pick<Label, 'word' | 'start' | 'end' | 'text'>[] }} translation
 * @param {number} row
 * @param {NextWordsOptions} [more]
 * @returns {NextWords}
 */
export function nextWordsAt(translator, { text, source, rows }, row, more = {}) {
  const { word } = rows[row];
  const pieces = rows.filter((one) => one.word === word);
  const { start } = pieces[0];
  const { end } = pieces[pieces.length - 1];
  const own = start === null ? pieces[0].text : text.slice(start, end ?? text.length);
  const words = translator.nextWords(source.text, { target: text, word, ...more });
  return {
    ...{ kind: 'written', lang: 'fr', text },
    before: text.slice(0, start ?? text.length).trim(),
    words: words.map((one) => ({ ...one, isOwn: one.text === own })),
  };
}
