// The sweep in the store: what each head or word changes, measured by the worker in turn. Its messages fill it.

import { isOfModel } from '../texts.js';
import { isOfPart, lastOf, shownCell, targetIn } from './effects.js';
import { placeInPicture } from './derived.js';

/** @import { SweepPlan } from '../types' */
/** @import { Swept } from '../worker/messages' */
/** @import { ShownAnswer, State, Store, Sweep, SweepQuestion } from './types' */

/**
 * A store whose panel is open, and shows a model.
 * @typedef {Store & { answer: ShownAnswer, chosen: State & { sweep: SweepPlan['over'] } }} OpenStore
 */
/** @typedef {OpenStore & { sweep: Sweep }} SweptStore */

/**
 * The sweep that begins with the picture of the store; `target` and `isWhole` stay as the reader chose them.
 * @param {OpenStore} store
 * @returns {Sweep}
 */
const begun = (store) => ({
  over: store.chosen.sweep,
  basis: basisOf(store),
  isRunning: true,
  plan: null,
  runs: [],
  isDone: false,
  why: '',
  target: store.sweep?.target ?? 0,
  isWhole: store.sweep?.isWhole ?? false,
  cell: null,
  pointed: null,
});

/**
 * The two words of the reader's model whose logits are compared, or undefined.
 * @param {State} state
 * @returns {[string, string] | undefined}
 */
function twoWords({ source, difference }) {
  const [one, other, ...more] = difference.split('/').map((word) => word.trim());
  return source === 'own' && one && other && more.length === 0 ? [one, other] : undefined;
}

/** @param {OpenStore} store */
function basisOf({ chosen, answer: { facts } }) {
  const { source, mode, block } = chosen;
  const { from, requestedTexts, translation, grid, note } = facts;
  // Images differ by their classes.
  const image = grid && note;
  const words = twoWords(chosen);
  return JSON.stringify([source, mode, block, from, requestedTexts, translation, image, words]);
}

/**
 * Whether the panel is open, and shows a model. A rollout has no heads of its own.
 * @type {(store: Store) => store is OpenStore}
 */
const isOpen = (store) => {
  const { chosen, answer } = store;
  if (chosen.sweep === '' || !isOfModel(chosen) || !answer.picture) return false;
  return !answer.facts.fixed && !answer.facts.isPrerendered;
};

/**
 * The same with a sweep, which followSweep() takes away when the panel is closed.
 * @type {(store: Store) => store is SweptStore}
 */
const hasSweep = (store) => store.sweep !== null && isOpen(store);

/**
 * Whether a sweep can be measured: no other picture is due.
 * @param {OpenStore} store
 */
const canMeasure = ({ answer: { facts }, awaited }) => !facts.unfinished && !awaited.picture;

/**
 * Whether the numbers are those of other texts, other blocks, or of words in place of heads.
 * @param {Store} store
 */
export const isOld = (store) =>
  hasSweep(store) &&
  (store.sweep.basis !== basisOf(store) || store.sweep.over !== store.chosen.sweep);

/**
 * The sweep follows what is shown: it begins with its panel, stops when it is outdated, and goes with the panel.
 * @param {Store} store
 * @returns {Store}
 */
export function followSweep(store) {
  const { sweep } = store;
  if (!isOpen(store)) return sweep ? asking({ ...store, sweep: null }) : store;
  if (canMeasure(store) && sweep?.over !== store.chosen.sweep) return measured(store);
  if (!sweep || isOld(store)) return sweep?.isRunning ? stopped(store, sweep) : store;
  const target = sweep.plan ? targetIn(sweep.plan, store.answer.picture, rowOf(store)) : -1;
  const isSame = target < 0 || target === sweep.target;
  return isSame ? store : { ...store, sweep: { ...sweep, target } };
}

/** @param {OpenStore} store */
const rowOf = ({ chosen, answer }) => placeInPicture(answer.picture, chosen).row;

/** @type {(store: Store) => Store} */
const asking = (store) => ({ ...store, asked: { ...store.asked, sweep: store.asked.sweep + 1 } });
/** @param {OpenStore} store */
const measured = (store) => asking({ ...store, sweep: begun(store) });
/** @type {(store: Store, sweep: Sweep) => Store} */
const stopped = (store, sweep) => asking({ ...store, sweep: { ...sweep, isRunning: false } });

/**
 * Stops the sweep, or measures again.
 * @param {Store} store
 */
export function measureAgain(store) {
  if (!hasSweep(store)) return store;
  return store.sweep.isRunning ? stopped(store, store.sweep) : measured(store);
}

/**
 * Measures the difference of two words, “his / her”; '' for the likeliest words.
 * @param {Store} store
 * @param {string} difference
 */
export function compareWords(store, difference) {
  const next = { ...store, chosen: { ...store.chosen, difference } };
  return hasSweep(next) && isOld(next) ? measured(next) : next;
}

/**
 * Changes what the reader looks at in the map.
 * @param {Store} store
 * @param {Partial<Pick<Sweep, 'cell' | 'pointed' | 'isWhole'>>} part
 * @returns {Store}
 */
export const lookAtEffect = (store, part) =>
  store.sweep ? { ...store, sweep: { ...store.sweep, ...part } } : store;

/**
 * The question of the store to the worker; null ends the sweep.
 * @param {Store} store
 * @returns {SweepQuestion | null}
 */
export function sweepQuestionOf(store) {
  if (!hasSweep(store) || !store.sweep.isRunning) return null;
  const { picture } = store.answer;
  const row = lastOf(picture.rowTokens[rowOf(store)]);
  const { over } = store.sweep;
  const difference = twoWords(store.chosen);
  return {
    ...{ over, part: picture.part, row, source: store.chosen.source },
    ...(difference && { difference }),
  };
}

/**
 * A message of worker/sweep/sweep.js.
 * @param {Store} store
 * @param {Swept} message
 * @returns {Store}
 */
export function swept(store, { plan, first, runs, isDone = false, why, problem }) {
  if (!hasSweep(store)) return store;
  const { sweep } = store;
  if (!sweep.isRunning || (runs && first !== sweep.runs.length)) return store;
  const reason = why ?? (problem === undefined ? '' : `It could not be measured: ${problem}.`);
  const next = { ...sweep, isDone, why: reason, isRunning: !isDone && reason === '' };
  if (runs) next.runs = [...sweep.runs, ...runs];
  if (plan) Object.assign(next, { plan, ...placesIn(plan, store) });
  return { ...store, sweep: next };
}

/**
 * Where a map begins: the selected word, and the head or word of the view.
 * @param {SweepPlan} plan
 * @param {SweptStore} store
 */
function placesIn(plan, store) {
  const { picture } = store.answer;
  const place = placeInPicture(picture, store.chosen);
  const own = targetIn(plan, picture, place.row);
  const target = own >= 0 ? own : Math.min(store.sweep.target, plan.targets.length - 1);
  const index = isOfPart(plan, picture.part) ? shownCell(plan, picture, place) : -1;
  return { target, cell: index < 0 ? null : { index, target } };
}
