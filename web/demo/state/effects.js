// Numbers of a sweep: the effect of a cell is ln p without it − ln p with it, p being the probability of a target.

import { readBlocks, keysOf, placeOfPart } from '../blocks.js';

/** @import { Facts, Picture, SweepCell, SweepPlan, SweepTarget } from '../types' */
/** @import { PlannedSweep, ShownAnswer, State } from './types' */

/** @param {ArrayLike<number>} numbers */
const sum = (numbers) => Array.from(numbers).reduce((all, one) => all + one, 0);

/** Index that stands for all targets together. */
export const whole = -1;

/**
 * ln p of a target in a run.
 * @param {ArrayLike<number>} logs
 * @param {number} target
 */
export const logOf = (logs, target) => (target === whole ? sum(logs) : logs[target]);

/**
 * Probability of a target before and without a cell, and the effect; null if it has not been measured.
 * @param {Pick<PlannedSweep, 'plan' | 'runs'>} sweep
 * @param {number} index
 * @param {number} target
 */
export function effectOf({ plan, runs }, index, target) {
  const was = logOf(plan.logProbabilities, target);
  if (index >= runs.length) return null;
  const now = logOf(runs[index], target);
  return { was: chanceOf(plan, was), now: chanceOf(plan, now), effect: now - was };
}

/**
 * The probability of a target; of two words, that of the first if there were these two alone.
 * @param {Pick<SweepPlan, 'versus'>} plan
 * @param {number} log result of logOf()
 */
export const chanceOf = ({ versus }, log) =>
  versus === undefined ? Math.exp(log) : 1 / (1 + Math.exp(-log));

/**
 * The measured cells with the largest effects, largest first.
 * @param {Pick<PlannedSweep, 'plan' | 'runs'>} sweep
 * @param {number} target
 * @param {number} count
 */
export const largest = (sweep, target, count) =>
  sweep.plan.cells
    .flatMap(({ isBlocked }, index) => {
      const found = isBlocked ? null : effectOf(sweep, index, target);
      return found ? [{ index, ...found }] : [];
    })
    .sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect))
    .slice(0, count);

/**
 * The target whose effects are shown: a word, or all of them.
 * @param {PlannedSweep} sweep
 */
export function targetOf({ plan, target, isWhole }) {
  const isOfText = plan.over === 'heads' && isWhole;
  return plan.whole && (isOfText || !isSelectable(plan)) ? whole : target;
}

/**
 * Whether the targets are words of the picture.
 * @param {Pick<SweepPlan, 'targets'>} plan
 */
export const isSelectable = ({ targets }) => targets.some(({ tokens }) => tokens.length > 0);

/**
 * Target that the selected row of a picture is part of, or -1.
 * @param {SweepPlan} plan
 * @param {Picture} picture
 * @param {number} row
 */
export function targetIn(plan, picture, row) {
  if (placeOfPart(picture.part).stack === 'encoder') return -1;
  const token = lastOf(picture.rowTokens[row]);
  return plan.targets.findIndex(({ tokens }) => tokens.includes(token));
}

/**
 * The last token of a row, which has one at least.
 * @param {number[]} tokens
 */
export const lastOf = (tokens) => tokens[tokens.length - 1];

/**
 * The stack whose words were hidden.
 * @param {Pick<SweepPlan, 'cells'>} plan
 */
const keysIn = ({ cells }) => readBlocks(cells[0].block)[0].stack;

/**
 * @param {SweepPlan} plan
 * @param {string} part
 */
export const isOfPart = (plan, part) =>
  plan.over === 'heads' || keysIn(plan) === keysOf(placeOfPart(part).stack);

/**
 * Index of the cell that a view shows, or -1.
 * @param {Pick<SweepPlan, 'cells'>} plan
 * @param {Picture} picture
 * @param {{ head: number, column: number }} place
 */
export const shownCell = ({ cells }, picture, { head, column }) =>
  cells.findIndex((cell) =>
    cell.columns
      ? cell.columns.includes(picture.columnTokens[column][0])
      : cell.part === picture.part && cell.head === head,
  );

/**
 * Change of the state that shows a cell in the view.
 * @param {SweepPlan} plan
 * @param {SweepCell} cell
 * @param {SweepTarget | undefined} target the word that was measured
 * @param {Pick<ShownAnswer, 'picture' | 'facts'>} answer
 * @returns {Partial<State>}
 */
export function openingOf(plan, cell, target, { picture, facts }) {
  const rowTokens = target?.tokens ?? [];
  /** @type {(part: string) => Partial<State>} */
  const rowIn = (part) => {
    const isWritten = placeOfPart(part).stack !== 'encoder' && rowTokens.length > 0;
    return isWritten ? { row: lastOf(rowTokens), column: null } : {};
  };
  if (!cell.columns) {
    const part = cell.part === picture.part ? {} : { part: cell.part };
    return { ...part, head: cell.head, average: false, ...rowIn(cell.part) };
  }
  const stack = keysIn(plan);
  /** @param {{ id: string }} part */
  const isThere = ({ id }) => {
    const { stack: own } = placeOfPart(id);
    return keysOf(own) === stack && (own !== 'encoder' || rowTokens.length === 0);
  };
  const isShown = isThere({ id: picture.part });
  const { id } = isShown ? { id: picture.part } : (facts.parts.find(isThere) ?? facts.parts[0]);
  return { ...(!isShown && { part: id }), ...rowIn(id), column: cell.columns[0] };
}
