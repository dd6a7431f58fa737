// Blocked links, words and heads in runs of the reader's model: edits, and the most likely tokens before and now.

import { editsOf, readBlocks } from '../../blocks.js';
import { likeliest } from './likeliest.js';

/** @import { Tensor } from 'attention-wasm' */
/** @import { ModelResult, RunOptions } from 'attention-wasm/models' */
/** @import { Effect } from '../../types' */

/**
 * Options of run() for what is blocked; {} for nothing. `counts`: { encoder, decoder } or { self }, tokens of each text;
 * only these stacks run.
 */
export function blockedOptions(block, description, counts) {
  if (!block) return {};
  const stackOf = (name, queries, keys) => {
    const { layers, heads } = description[name === 'cross' ? 'decoder' : name];
    return { layers: layers.length, heads, queries, keys };
  };
  const stacks = Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [name, stackOf(name, count, count)]),
  );
  const { encoder, decoder } = counts;
  if (decoder !== undefined) stacks.cross = stackOf('cross', decoder, encoder);
  const edits = editsOf(readBlocks(block), stacks);
  return edits.length > 0 ? { edits } : {};
}

/**
 * Runs a model again with other options.
 * @typedef {(options: RunOptions) => ModelResult | Promise<ModelResult>} RunAgain
 */

/**
 * A function that runs the model on an input again, with `blocked` (of blockedOptions()) and other options.
 * @returns {RunAgain}
 */
export const createRunAgain =
  ({ model }, input, blocked) =>
  (options) =>
    model.run(input, { ...blocked, ...options });

/** Probability of one token in a row of logits, rows × vocabulary. */
export function probabilityOf({ data, dims }, row, id) {
  const width = dims.at(-1);
  const all = data.subarray(row * width, (row + 1) * width);
  let largest = -Infinity;
  for (const logit of all) largest = Math.max(largest, logit);
  let sum = 0;
  for (const logit of all) sum += Math.exp(logit - largest);
  return Math.exp(all[id] - largest) / sum;
}

/**
 * The most likely tokens of a row: { id, probability }; with `before`, the logits without edits, also `was`, and the token
 * that was most likely.
 * @returns {{ id: number, probability: number, was?: number }[]}
 */
export function likeliestWith(logits, row, before) {
  const now = likeliest(logits, row);
  if (!before) return now;
  const [former] = likeliest(before, row);
  const list = now.some(({ id }) => id === former.id)
    ? now
    : [...now, { id: former.id, probability: probabilityOf(logits, row, former.id) }];
  return list.map((one) => ({ ...one, was: probabilityOf(before, row, one.id) }));
}

/**
 * Effect on the most likely tokens of a row.
 * @type {(logits: Tensor, before: Tensor, row: number, nameOf: (id: number) => string) => Effect}
 */
export const effectOn = (logits, before, row, nameOf) => {
  const [was, now] = [before, logits].map((one) =>
    likeliest(one, row).map(({ id, probability }) => ({ text: nameOf(id), probability })),
  );
  return { kind: 'likeliest', was, now };
};
