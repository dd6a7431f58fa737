// The tour's step "what if": a link of the lesson's cross-attention is blocked, as on the page, and the model writes
// again.

import { writeBlock } from '../../blocks.js';
import { initialState } from '../../state_fields.js';
import { computeStages } from '../compute/stages.js';
import { read } from '../models/built_in_model.js';
import { markBlocks } from '../what_if.js';
import { english } from './lesson.js';

/** @import { AttentionApi } from 'attention-wasm' */
/** @import { BlockedLink, Effect, ModelReading, NextWords, Part, Stages } from '../../types' */
/** @import { TourLink } from '../messages' */

/**
 * The reading of the lesson's sentence with a French text, or with the translation.
 * @param {AttentionApi} api
 * @param {{ first?: string, block?: string }} [question]
 */
const readLesson = async (api, question = {}) =>
  /** @type {ModelReading} */ (
    await read(
      { ...{ mode: 'cross', first: '', second: english, heads: 1, positions: false }, ...question },
      { api, step: async () => {}, report: async () => {} },
    )
  );

/** @type {(reading: ModelReading, row: number) => Promise<NextWords['words']>} */
const wordsIn = async ({ nextWords }, row) => (await nextWords?.(row, row))?.words ?? [];

/**
 * Most probable words at one position of the translation.
 * @param {AttentionApi} api
 * @param {{ row: number }} place
 */
export const wordsAt = async (api, { row }) => wordsIn(await readLesson(api), row);

/**
 * Without `layer` the link is blocked in all layers, without `head` in all heads; weights and scores are those of the
 * cross-attention `part`, for the former translation.
 * @param {AttentionApi} api
 * @param {TourLink} link
 * @returns {Promise<BlockedLink>}
 */
export async function blockLink(api, { part: id, layer, head, row, column }) {
  const block = writeBlock({ stack: 'cross', layer, head, rows: [row], columns: [column] });
  const { translation: first } = await readLesson(api);
  const same = markBlocks(await readLesson(api, { first, block }), block);
  const part = /** @type {Part} */ (same.parts.find((one) => one.id === id));
  const stages = /** @type {Required<Stages>} */ (
    computeStages(api, part, same, initialState).stages
  );
  const words = await wordsIn(same, row);
  const anew = await readLesson(api, { block });
  const effect = /** @type {Effect} */ (await anew.effect?.());
  return { block, weights: stages.weights, scores: stages.masked, words, effect };
}
