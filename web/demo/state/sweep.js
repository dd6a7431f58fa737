// The sweep in the store: what each head or word changes, measured by the worker in turn. Its messages fill it.

import { isOfModel } from '../texts.js';
import { isOfPart, shownCell, targetIn } from './effects.js';
import { placeOf } from './derived.js';

/** The sweep that begins with the picture of the store; `target` and `isWhole` stay as the reader chose them. */
const begun = (store) => ({
  over: store.chosen.sweep, // 'heads' or 'words'
  basis: basisOf(store), // what the numbers depend on, besides heads or words
  isRunning: true,
  plan: null, // SweepPlan, the first message
  runs: [], // ln p of each target in the runs so far
  isDone: false,
  why: '', // the reason why nothing could be measured
  target: store.sweep?.target ?? 0, // index of the word whose effects are shown
  isWhole: store.sweep?.isWhole ?? false, // the effect on the whole text is chosen
  cell: null, // { index, target } of the selected cell of the map
  pointed: null, // and of the one under the pointer
});

function basisOf({ chosen: { source, mode, block }, answer: { facts } }) {
  const { from, requestedTexts, translation, grid, note } = facts;
  // Images differ by their classes.
  const image = grid && note;
  return JSON.stringify([source, mode, block, from, requestedTexts, translation, image]);
}

/** Whether the panel is open, and shows a model. A rollout has no heads of its own. */
const hasSweep = ({ chosen, answer: { picture, facts } }) =>
  chosen.sweep !== '' && isOfModel(chosen) && picture && !facts.fixed && !facts.isPrerendered;

/** Whether a sweep can be measured: no other picture is due. */
const canMeasure = ({ answer: { facts }, awaited }) => !facts.unfinished && !awaited.picture;

/** Whether the numbers are those of other texts, other blocks, or of words in place of heads. */
export const isOld = (store) =>
  store.sweep.basis !== basisOf(store) || store.sweep.over !== store.chosen.sweep;

/** The sweep follows what is shown: it begins with its panel, stops when it is outdated, and goes with the panel. */
export function followSweep(store) {
  const { sweep } = store;
  if (!hasSweep(store)) return sweep ? asking({ ...store, sweep: null }) : store;
  if (canMeasure(store) && sweep?.over !== store.chosen.sweep) return measured(store);
  if (!sweep || isOld(store)) return sweep?.isRunning ? stopped(store) : store;
  const target = sweep.plan ? targetIn(sweep.plan, store.answer.picture, placeOf(store).row) : -1;
  const isSame = target < 0 || target === sweep.target;
  return isSame ? store : { ...store, sweep: { ...sweep, target } };
}

const asking = (store) => ({ ...store, asked: { ...store.asked, sweep: store.asked.sweep + 1 } });
const measured = (store) => asking({ ...store, sweep: begun(store) });
const stopped = (store) => asking({ ...store, sweep: { ...store.sweep, isRunning: false } });

/** Stops the sweep, or measures again. */
export const measureAgain = (store) => (store.sweep.isRunning ? stopped(store) : measured(store));

/** Changes what the reader looks at in the map: any of { cell, pointed, isWhole }. */
export const lookAtEffect = (store, part) =>
  store.sweep ? { ...store, sweep: { ...store.sweep, ...part } } : store;

/** The question of the store to the worker; null ends the sweep. */
export function sweepQuestionOf(store) {
  if (!store.sweep?.isRunning) return null;
  const { picture } = store.answer;
  const row = picture.rowTokens[placeOf(store).row].at(-1);
  const { over } = store.sweep;
  return { over, part: picture.part, row, source: store.chosen.source };
}

/** A message of worker/sweep/sweep.js. */
export function swept(store, { plan, first, runs, isDone = false, why, problem }) {
  const { sweep } = store;
  if (!sweep?.isRunning || (runs && first !== sweep.runs.length)) return store;
  const reason = why ?? (problem === undefined ? '' : `It could not be measured: ${problem}.`);
  const next = { ...sweep, isDone, why: reason, isRunning: !isDone && reason === '' };
  if (runs) next.runs = [...sweep.runs, ...runs];
  if (plan) Object.assign(next, { plan, ...placesIn(plan, store) });
  return { ...store, sweep: next };
}

/** Where a map begins: the selected word, and the head or word of the view. */
function placesIn(plan, store) {
  const { picture } = store.answer;
  const place = placeOf(store);
  const own = targetIn(plan, picture, place.row);
  const target = own >= 0 ? own : Math.min(store.sweep.target, plan.targets.length - 1);
  const index = isOfPart(plan, picture.part) ? shownCell(plan, picture, place) : -1;
  return { target, cell: index < 0 ? null : { index, target } };
}
