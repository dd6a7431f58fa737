// Rows of a task: batches to train on, the same for a seed everywhere, rows held out for testing, and predictions.

import { randomNumbers } from '../lib/models/run/random_numbers.js';

const batchRows = 32;
const warmUpSteps = 50;
/** @type {{ betas: [number, number], weightDecay: number, clip: number }} */
const adamW = { betas: [0.9, 0.95], weightDecay: 0.01, clip: 1 };

/** Options of the step with this number, from 1: the learning rate grows at first. */
export const stepOptions = (step, learningRate) => ({
  learningRate: learningRate * Math.min(1, step / warmUpSteps),
  ...adamW,
});

/** A quarter of all rows is never trained on. */
const isHeldOut = ({ ids }) => ids.reduce((hash, id) => (hash * 31 + id) % 1009, 7) % 4 === 0;

/** A task with `rows` has no others: none is held out. */
function rowOf(task, random, heldOut) {
  for (;;) {
    const row = task.row(random);
    if (task.rows || isHeldOut(row) === heldOut) return row;
  }
}

export function batchOf(rows) {
  const batch = { ids: rows.map(({ ids }) => ids), targets: rows.map(({ targets }) => targets) };
  if (rows[0].decoderIds) batch.decoderIds = rows.map(({ decoderIds }) => decoderIds);
  return batch;
}

/** Random numbers of a step; not those that the weights are drawn from. */
const randomOf = (seed, step) =>
  randomNumbers(Math.imul(seed ^ 0x5bd1e995, 0x9e3779b1) ^ Math.imul(step + 1, 0x85ebca6b));

/** The batch of a step, from 1. */
export function trainingBatch(task, seed, step) {
  const random = randomOf(seed, step);
  return batchOf(Array.from({ length: batchRows }, () => rowOf(task, random, false)));
}

export function testBatch(task, seed, count) {
  const random = randomOf(seed, 0);
  return batchOf(Array.from({ length: count }, () => rowOf(task, random, true)));
}

/** The likeliest id at each position of a batch: rows of ids. */
export function predictedIds(model, { ids, decoderIds }) {
  const { logits } = model.run(ids, { decoderIds });
  const [, length, vocabulary] = logits.dims;
  return ids.map((_, row) =>
    Array.from({ length }, (__, at) => {
      const first = (row * length + at) * vocabulary;
      const scores = logits.data.subarray(first, first + vocabulary);
      return scores.indexOf(scores.reduce((best, score) => Math.max(best, score)));
    }),
  );
}

/** Greedy decoding gives a row exactly if each token is the likeliest after the right ones before it. */
export function countRight(model, batch) {
  const found = predictedIds(model, batch);
  return batch.targets.filter((row, n) => row.every((id, at) => id < 0 || id === found[n][at]))
    .length;
}
