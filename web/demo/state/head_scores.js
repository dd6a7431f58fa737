// Scores of a decoder's heads in the store: means over sequences, which the worker measures one after another.

/** @import { HeadScores } from '../types' */
/** @import { Came, Scores, Store } from './types' */

export const sequences = 4;

/**
 * Scores of the model that is shown; null if none were measured.
 * @param {Pick<Store, 'scores' | 'answer'>} store
 */
export const scoresOf = ({ scores, answer: { facts } }) =>
  scores && facts?.hasScores && scores.from === facts.from ? scores : null;

/**
 * Measures the heads of the model that is shown, or stops.
 * @param {Store} store
 * @returns {Store}
 */
export function measureHeads(store) {
  const { scores, answer } = store;
  if (!scores || !scoresOf(store)?.isRunning) {
    const run = (scores?.run ?? 0) + 1;
    const from = answer.facts?.from;
    return { ...store, scores: { from, run, far: 0, isRunning: true, found: null, problem: '' } };
  }
  return { ...store, scores: { ...scores, isRunning: false } };
}

/**
 * One more sequence was measured.
 * @param {Store} store
 * @param {Pick<Came<'headScores'>, 'answer' | 'problem'>} came
 * @returns {Store}
 */
export function measuredHeads(store, { answer, problem }) {
  const { scores } = store;
  if (!scores?.isRunning) return store;
  if (problem !== undefined) {
    const says = `The heads could not be measured: ${problem}.`;
    return { ...store, scores: { ...scores, isRunning: false, problem: says } };
  }
  const far = scores.far + 1;
  const found = answer ? withSequence(scores.found, answer) : scores.found;
  return { ...store, scores: { ...scores, far, found, isRunning: far < sequences } };
}

/**
 * Means with the scores of one more sequence.
 * @param {Scores['found']} before
 * @param {HeadScores} scores
 */
function withSequence(before, { length, scores }) {
  const count = (before?.count ?? 0) + 1;
  const means = Object.fromEntries(
    Object.entries(scores).map(([name, { data, dims }]) => {
      const former = before?.means[name].data;
      const mean = data.map((score, at) => ((former?.[at] ?? 0) * (count - 1) + score) / count);
      return [name, { data: mean, dims }];
    }),
  );
  return { count, length, means };
}
