// Scores of the heads of the reader's decoder on random tokens that are repeated: how much of a row's weight is on the
// previous token, on the earlier copy of the same token, and on the token after that copy (induction).

import { headScores } from 'attention-wasm/models';
import { randomNumbers } from '../../../lib/models/run/random_numbers.js';

/** @import { HeadPattern, LoadedModel } from 'attention-wasm/models' */
/** @import { HeadScores } from '../../types' */

const repeated = 25; // max number of tokens, which come twice

/** Different ids below `count` other than `start`, the same for the same seed. */
function randomIds(length, count, start, seed) {
  const random = randomNumbers(seed);
  const chosen = new Set();
  while (chosen.size < length) {
    const id = Math.floor(random() * count);
    if (id !== start) chosen.add(id);
  }
  return [...chosen];
}

/** Ids of one sequence: the model's start token, if it has one, and random tokens twice; { ids, length } */
export function sequenceOf({ config, vocabularySize, description }, sequence) {
  const { maxInput = Infinity } = description.self;
  const { bos_token_id: bos } = config;
  const start = Number.isInteger(bos) && bos >= 0 && bos < vocabularySize ? [bos] : [];
  const length = Math.min(
    ...[repeated, (maxInput - start.length) / 2, (vocabularySize - 1) / 2].map(Math.floor),
  );
  if (length < 2) throw new Error('the model has no room for two tokens, twice');
  const half = randomIds(length, vocabularySize, start[0], sequence + 1);
  return { ids: [...start, ...half, ...half], length };
}

/**
 * Scores in one sequence: for each name layers × heads, the mean weight of the rows that can have the pattern; 1 is all of
 * it.
 * @param {{ model: LoadedModel }} opened
 * @param {number} sequence
 * @returns {Promise<HeadScores>}
 */
export async function scoresOf({ model }, sequence) {
  const { ids, length } = sequenceOf(model, sequence);
  const { attentions } = await model.run({ ids }, { attentions: true, logits: false });
  // headScores() has the share of all rows.
  const rows = { previous_token: ids.length - 1, duplicate_token: length, induction: length };
  const patterns = /** @type {[HeadPattern, number][]} */ (Object.entries(rows));
  const scores = patterns.map(([pattern, count]) => {
    const { data, dims } = headScores(attentions?.self ?? [], ids, pattern);
    return [pattern, { data: data.map((share) => (share * ids.length) / count), dims }];
  });
  return { length, scores: Object.fromEntries(scores) };
}
