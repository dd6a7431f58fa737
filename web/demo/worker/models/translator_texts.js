// Texts of the built-in model: the translator's tokens and words, its search with blocks, its next words, and notes.

import { isSign } from '../sources/tokens.js';
import { beginning } from './beginning.js';
import { blockedOptions } from './blocked_run.js';
import { has, wordsOf } from './word_set.js';

/** @import { ModelDescription } from 'attention-wasm/models' */
/** @import { NextWordsOptions, Token, TokenizedText, Translation, Translator } from 'attention-wasm/translator' */
/** @import { Label, NextWords } from '../../types' */
/** @import { ReadText, Texts, WrittenText } from '../types' */

// Longer sentences than those of the training data are translated poorly.
const maxTranslated = 60; // words

// Other scripts are spelled as bytes, on which the model was not trained.
const foreign =
  /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]|\p{Extended_Pictographic}/u;
const learnedLength = 24; // words: 2 in 10,000 English sentences of Tatoeba, most of the training data, are longer

/**
 * Number of words.
 * @param {Label[]} labels
 */
const wordsIn = (labels) =>
  new Set(labels.filter(({ special }) => !special).map(({ word }) => word)).size;

/**
 * Warnings about what the model has not learned: other scripts, long texts.
 * @param {number} words
 * @param {string[]} texts
 */
const noteOn = (words, ...texts) =>
  [
    texts.some((text) => foreign.test(text)) &&
      'The model learned English and French only, and reads other writing byte by byte: vectors from Spelling suit any writing.',
    words > learnedLength &&
      `The model learned from sentences of up to about 20 words: one of ${words} it may translate wrongly, and in a text this long its weights say little.`,
  ]
    .filter(Boolean)
    .join(' ');

/**
 * Labels of tokens; words of punctuation only are special.
 * @param {Token[]} tokens
 * @returns {Label[]}
 */
function labelsOf(tokens) {
  /** @param {Token} token */
  const says = ({ text }) => text !== '' && !isSign(text);
  const words = new Set(tokens.filter(says).map(({ word }) => word));
  return tokens.map((token) => ({
    ...token,
    special: token.special || !words.has(token.word),
  }));
}

/** @param {TokenizedText} text */
const idsOf = ({ tokens }) => tokens.map(({ id }) => id);

/**
 * A French text as the decoder writes it.
 * @param {TokenizedText} target
 * @param {TokenizedText} inputs
 * @returns {WrittenText}
 */
const writtenText = (target, inputs) => ({
  text: target.text,
  rows: labelsOf(target.tokens),
  before: labelsOf(inputs.tokens),
  decoderIds: idsOf(inputs),
  writes: idsOf(target),
  hasEnd: true,
  cut: '',
});

/** @param {Translation} translation with the probabilities of its words */
const probabilityOf = ({ wordLogProbabilities = [] }) =>
  Math.exp(wordLogProbabilities.reduce((sum, one) => sum + one, 0));

/**
 * @param {Translator} translator
 * @param {ModelDescription} description
 * @returns {Texts}
 */
export function createTranslatorTexts(translator, description) {
  let last = { of: '', text: '' }; // last translation without blocks

  /** @type {(text: string) => WrittenText} */
  const french = (text) =>
    writtenText(translator.tokenize(text, 'target'), translator.tokenize(text, 'inputs'));

  /**
   * Option `edits` for what is blocked, in a translation of any length.
   * @param {ReadText} read
   * @param {string} [block]
   */
  const editsFor = ({ input }, block = '') =>
    blockedOptions(block, description, { encoder: input.ids.length, decoder: Infinity });

  /** @type {(given: string, begin: string, text: string) => void} */
  function remember(given, begin, text) {
    last = { of: JSON.stringify([given, begin]), text };
  }

  /**
   * The translation without blocks, usually that of the last request.
   * @param {string} given
   * @param {string} begin
   */
  function translationOf(given, begin) {
    if (last.of !== JSON.stringify([given, begin])) {
      remember(given, begin, translator.translate(given, { attention: false, begin }).text);
    }
    return last.text;
  }

  return {
    isQuick: true,
    usesLogits: false,
    lang: 'fr',

    read(given, role) {
      const limits = { limit: maxTranslated, of: 'the English text' };
      const { text: first, cut } = beginning(translator, given, role === 'encoder' ? limits : {});
      const source = translator.tokenize(first);
      const { text } = source;
      const isEmpty = source.tokens.length === 1;
      const labels = labelsOf(source.tokens);
      return {
        ...{ given: first, text, input: { ids: idsOf(source) }, labels },
        ...{ isEmpty, cut, note: noteOn(isEmpty ? 0 : wordsIn(labels), text) },
      };
    },

    own(given) {
      const limits = { limit: maxTranslated, of: 'the French text' };
      const { text, cut } = beginning(translator, given, limits);
      return { ...french(text), given: text, cut };
    },

    former: async ({ given }, begin) => french(translationOf(given, begin)),

    async *write(read, begin, block) {
      const options = { attention: false, begin, ...editsFor(read, block) };
      const steps = translator.steps(read.given, options);
      for (;;) {
        const { value, done } = steps.next();
        if (done) {
          if (!block) remember(read.given, begin, value.text);
          return writtenText(value.target, value.inputs);
        }
        yield block ? null : { text: value.text, written: french(value.text) };
      }
    },

    notes({ text, labels }, written) {
      const words = Math.max(wordsIn(labels), wordsIn(written.rows));
      const note = noteOn(words, written.text, text);
      /** @param {string} says */
      const noted = (says) => [says, note].filter(Boolean).join(' ');
      return {
        note,
        cross: noted('Each row shows where the model looks just before it writes that word.'),
        decoder: noted(
          'Each row shows where the model looks back just before it writes that word.',
        ),
      };
    },

    nextWords(read, written, { block }) {
      const sentence = { source: read.text, text: written.text, rows: written.rows };
      const { edits = [] } = block ? editsFor(read, block) : {};
      return async (row) => {
        known ??= bytesOf((await import('./french_words.js')).frenchWords);
        return block
          ? nextWordsWith(edits, translator, sentence, row)
          : nextWordsAt(translator, sentence, row);
      };
    },

    effect(read, block, written) {
      const { given } = read;
      const edited = editsFor(read, block);
      if (!written) {
        const now = translator.translate(given, { attention: false, ...edited }).text;
        return { kind: 'written', lang: 'fr', was: translationOf(given, ''), now };
      }
      const [was, now] = [{}, edited].map((options) =>
        probabilityOf(
          translator.translate(given, {
            ...{ attention: false, wordLogProbabilities: true, target: written.given },
            ...options,
          }),
        ),
      );
      return { kind: 'own', was, now };
    },
  };
}

/**
 * A French text with the English one.
 * @typedef {{ source: string, text: string, rows: Label[] }} Sentence
 */

/** @type {Uint8Array | undefined} */
let known; // French words of the training data

/** @param {string} text in base64 */
const bytesOf = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

/**
 * Whether the model may have made up none of the words: they are French, or copied from the source.
 * @param {string} text
 * @param {string} source
 */
function isKnown(text, source) {
  const copied = new Set(wordsOf(source));
  return wordsOf(text).every((word) => copied.has(word) || (known && has(known, word)));
}

/**
 * @param {Translator} translator
 * @param {Sentence} sentence
 * @param {number} row
 * @param {NextWordsOptions} [more]
 * @returns {NextWords}
 */
function nextWordsAt(translator, { source, text, rows }, row, more = {}) {
  const count = more.count ?? shown;
  const word = /** @type {number} */ (rows[row].word);
  const pieces = rows.filter((one) => one.word === word);
  const { start } = pieces[0];
  const { end } = pieces[pieces.length - 1];
  const own = start === null ? pieces[0].text : text.slice(start, end ?? text.length);
  const found = translator.nextWords(source, { ...more, target: text, word, count: count + left });
  // What is no word, as “Sal” for “Salut”, is left out.
  const words = found
    .filter((one) => one.special || one.text === own || isKnown(one.text, source))
    .filter((one, at) => at < count || one.text === own);
  return {
    ...{ kind: 'written', lang: 'fr', text },
    before: text.slice(0, start ?? text.length).trim(),
    words: words.map((one) => ({ ...one, isOwn: one.text === own })),
  };
}

const shown = 5; // likeliest words
const left = 5; // more of them, in place of those that are left out
const searched = 8; // words in which the former and the new ones are looked up
const negligible = 5e-4; // displayed as <0.001

/**
 * The likeliest words with what is blocked, and the one that was the likeliest: each with its probability before.
 * @param {NonNullable<NextWordsOptions['edits']>} edits
 * @param {Translator} translator
 * @param {Sentence} sentence
 * @param {number} row
 * @returns {NextWords}
 */
function nextWordsWith(edits, translator, sentence, row) {
  const { source, rows } = sentence;
  const now = nextWordsAt(translator, sentence, row, { count: searched, edits });
  const before = nextWordsAt(translator, sentence, row, { count: searched });
  const word = /** @type {number} */ (rows[row].word);
  /**
   * A word of either list with its probability in the other, which may not have it among the first.
   * @param {NextWords} list
   * @param {NextWords['words'][number]} one
   * @param {NextWordsOptions} more
   */
  function probabilityIn({ words }, one, more) {
    const found = words.find(({ text }) => text === one.text);
    if (found) return found.probability;
    if (words[words.length - 1].probability < negligible || one.special) return 0;
    const options = { target: one.begin, word, count: 1, ...more };
    const all = translator.nextWords(source, options);
    return all.find(({ text }) => text === one.text)?.probability ?? 0;
  }
  const [former] = before.words;
  const list = now.words.filter((one, at) => at < shown || one.isOwn || one.text === former.text);
  if (!list.some((one) => one.text === former.text)) {
    const probability = probabilityIn(now, former, { edits });
    list.splice(1, 0, { ...former, probability, isOwn: false });
  }
  return { ...now, words: list.map((one) => ({ ...one, was: probabilityIn(before, one, {}) })) };
}
