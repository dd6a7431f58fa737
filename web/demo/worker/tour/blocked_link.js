// The tour's step "what if": a link of the lesson's cross-attention is blocked, as on the page, and the model writes
// again.

import { writeBlock } from '../../blocks.js';
import { initialState } from '../../state_fields.js';
import { computeStages } from '../compute/stages.js';
import { readFrenchWith } from '../sources/blocked_model.js';
import { asVectors, readingOf, translationOf } from '../sources/trained_readings.js';
import { markBlocks } from '../what_if.js';
import { english } from './lesson.js';

/** @import { AttentionApi } from 'attention-wasm' */
/** @import { Translator } from 'attention-wasm/translator' */
/** @import { BlockedLink, Effect, Part, Reading, Stages } from '../../types' */
/** @import { TourLink } from '../messages' */

const atOnce = { step: async () => {}, report: async () => {} };

/**
 * Most probable words at one position of the translation.
 * @param {Translator} translator
 * @param {{ row: number }} place
 */
export function wordsAt(translator, { row }) {
  const target = translationOf(translator, english);
  const result = translator.translate(english, { ...asVectors, target });
  return readingOf(result, translator).nextWords?.(row, row).words ?? [];
}

/**
 * Without `layer` the link is blocked in all layers, without `head` in all heads; weights and scores are those of the
 * cross-attention `part`, for the former translation.
 * @param {AttentionApi} api
 * @param {Translator} translator
 * @param {TourLink} link
 * @returns {Promise<BlockedLink>}
 */
export async function blockLink(api, translator, { part: id, layer, head, row, column }) {
  const block = writeBlock({ stack: 'cross', layer, head, rows: [row], columns: [column] });
  const former = translationOf(translator, english);
  /** @param {string} first */
  const read = (first) =>
    readFrenchWith(block, translator, { first, second: english, begin: '' }, atOnce);
  const same = markBlocks(await read(former), block);
  const part = /** @type {Part} */ (same.parts.find((one) => one.id === id));
  const stages = /** @type {Required<Stages>} */ (
    computeStages(api, part, same, initialState).stages
  );
  const nextWords = /** @type {NonNullable<Reading['nextWords']>} */ (same.nextWords);
  const { words } = nextWords(row, row);
  const anew = await read('');
  const effect = /** @type {Effect} */ (anew.effect?.());
  return { block, weights: stages.weights, scores: stages.masked, words, effect };
}
