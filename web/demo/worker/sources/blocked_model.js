// The trained model with links, words or heads blocked: its weights, what it then writes, and the likeliest words with
// their probability before.

import { editsOf, readBlocks } from '../../blocks.js';
import {
  asVectors,
  insideOf,
  nextWordsAt,
  readEnglish,
  readingOf,
  translationOf,
} from './trained_readings.js';

/** @import { Token, Translation, Translator } from 'attention-wasm/translator' */
/** @import { Effect, Label, Reading } from '../../types' */
/** @import { ReadingContext } from '../types' */

const shown = 5; // likeliest words
const searched = 8; // words in which the former and the new ones are looked up
const negligible = 5e-4; // displayed as <0.001

const layersOf = (tensors, stack) =>
  new Set(
    Array.from(tensors.keys(), (name) => name.match(`^${stack}\\.layers\\.(\\d+)`)?.[1]).filter(
      Boolean,
    ),
  ).size;

/** Layers, heads, queries and keys of each stack for a text, as editsOf() takes them. */
export function stacksFor(translator, text) {
  const { tensors, heads } = translator;
  const source = translator.encode(text, { attention: false }).source.tokens.length;
  const layers = { encoder: layersOf(tensors, 'encoder'), decoder: layersOf(tensors, 'decoder') };
  const open = { layers: layers.decoder, heads, queries: Infinity };
  return {
    encoder: { layers: layers.encoder, heads, queries: source, keys: source },
    decoder: { ...open, keys: Infinity },
    cross: { ...open, keys: source },
  };
}

/** Edits of the encoder and of all, for a text. */
function editsFor(block, translator, text) {
  const edits = editsOf(readBlocks(block), stacksFor(translator, text));
  return { all: edits, encoder: edits.filter(({ stack }) => stack === 'encoder') };
}

/**
 * The encoder's weights; its effect is a translation.
 * @param {string} block
 * @param {Translator} translator
 * @param {string} text
 * @returns {Reading}
 */
export function readEnglishWith(block, translator, text) {
  const edits = editsFor(block, translator, text);
  const reading = readEnglish(translator, text, { edits: edits.encoder });
  const encoder = /** @type {(Label & Token)[]} */ (reading.rows);
  return {
    ...reading,
    inside: insideOf(translator, { encoder, block }),
    unedited: () => readEnglish(translator, text),
    effect: () => ({
      ...{ kind: 'written', lang: 'fr', was: translationOf(translator, text) },
      now: translator.translate(text, { attention: false, edits: edits.all }).text,
    }),
  };
}

/**
 * Weights of a translation, which is searched anew, or of the reader's own French.
 * @param {string} block
 * @param {Translator} translator
 * @param {{ first: string, second: string, begin: string }} texts
 * @param {Pick<ReadingContext, 'step' | 'report'>} context
 * @returns {Promise<Reading>}
 */
export async function readFrenchWith(
  block,
  translator,
  { first, second, begin },
  { step, report },
) {
  const { all: edits } = editsFor(block, translator, second);
  const explain = (text, more) =>
    translator.translate(second, { ...asVectors, target: text, ...more });
  /** @type {(result: Translation, effect: Effect, formerRows?: Label[]) => Reading} */
  const finish = (result, effect, formerRows) => ({
    ...readingOf(result),
    formerRows,
    nextWords: nextWordsWith(edits, translator, result),
    inside: insideOf(translator, {
      ...{ encoder: result.source.tokens, decoder: result.inputs.tokens, block },
    }),
    unedited: () => readingOf(explain(result.text)),
    effect: () => effect,
  });
  if (first.trim() !== '') {
    const [former, result] = [[], edits].map((list) =>
      explain(first, { edits: list, wordLogProbabilities: true }),
    );
    const [was, now] = [former, result].map(probabilityOf);
    return finish(result, { kind: 'own', was, now });
  }
  const was = translationOf(translator, second, begin);
  // The former text with the new weights comes at once.
  const soFar = readingOf(explain(was, { edits }));
  await report({ text: was, reading: { ...soFar, unfinished: true } });
  await step();
  const steps = translator.steps(second, { ...asVectors, begin, edits });
  for (;;) {
    const { value, done } = steps.next();
    if (done) {
      return finish(value, { kind: 'written', lang: 'fr', was, now: value.text }, soFar.rows);
    }
    await step();
  }
}

/** @param {Translation} result with the probabilities of its words */
const probabilityOf = ({ wordLogProbabilities = [] }) =>
  Math.exp(wordLogProbabilities.reduce((sum, one) => sum + one, 0));

/** The likeliest words now, and the one that was the likeliest: each with its probability before. */
function nextWordsWith(edits, translator, result) {
  const { text, source, target } = result;
  const wordsAt = (row, more) =>
    nextWordsAt(translator, { text, source, rows: target.tokens }, row, {
      count: searched,
      ...more,
    });
  return (row) => {
    const now = wordsAt(row, { edits });
    const before = wordsAt(row, {});
    const { word } = target.tokens[row];
    /** A word of either list with its probability in the other, which may not have it among the first. */
    function probabilityIn({ words }, one, more) {
      const found = words.find(({ text: spelled }) => spelled === one.text);
      if (found) return found.probability;
      if (words.at(-1).probability < negligible || one.special) return 0;
      const options = { target: one.begin, word, count: 1, ...more };
      const all = translator.nextWords(source.text, options);
      return all.find(({ text: spelled }) => spelled === one.text)?.probability ?? 0;
    }
    const [former] = before.words;
    const list = now.words.filter((one, at) => at < shown || one.isOwn || one.text === former.text);
    if (!list.some((one) => one.text === former.text)) {
      const probability = probabilityIn(now, former, { edits });
      list.splice(1, 0, { ...former, probability, isOwn: false });
    }
    return {
      ...now,
      words: list.map((one) => ({ ...one, was: probabilityIn(before, one, {}) })),
    };
  };
}
