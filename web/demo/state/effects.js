// Numbers of a sweep: the effect of a cell is ln p without it − ln p with it, p being the probability of a target.

import { readBlocks, keysOf, placeOfPart } from '../blocks.js';

const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);

/** Index that stands for all targets together. */
export const whole = -1;

/** ln p of a target in a run. */
export const logOf = (logs, target) => (target === whole ? sum(logs) : logs[target]);

/** { was, now, effect } of a cell; null if it has not been measured. */
export function effectOf({ plan, runs }, index, target) {
  const was = logOf(plan.logProbabilities, target);
  if (index >= runs.length) return null;
  const now = logOf(runs[index], target);
  return { was: Math.exp(was), now: Math.exp(now), effect: now - was };
}

/** The measured cells with the largest effects, largest first: [{ index, effect }]. */
export const largest = (sweep, target, count) =>
  sweep.plan.cells
    .map(({ isBlocked }, index) => ({ index, isBlocked, ...effectOf(sweep, index, target) }))
    .filter(({ effect, isBlocked }) => effect !== undefined && !isBlocked)
    .sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect))
    .slice(0, count);

/** The target whose effects are shown: a word, or all of them. */
export function targetOf({ plan, target, isWhole }) {
  const isOfText = plan.over === 'heads' && isWhole;
  return plan.whole && (isOfText || !isSelectable(plan)) ? whole : target;
}

/** Whether the targets are words of the picture. */
export const isSelectable = ({ targets }) => targets.some(({ tokens }) => tokens.length > 0);

/** Target that the selected row of a picture is part of, or -1. */
export function targetIn(plan, picture, row) {
  if (placeOfPart(picture.part).stack === 'encoder') return -1;
  const token = picture.rowTokens[row].at(-1);
  return plan.targets.findIndex(({ tokens }) => tokens.includes(token));
}

/** The stack whose words were hidden. */
const keysIn = ({ cells }) => readBlocks(cells[0].block)[0].stack;

export const isOfPart = (plan, part) =>
  plan.over === 'heads' || keysIn(plan) === keysOf(placeOfPart(part).stack);

/** Index of the cell that a view shows, or -1. */
export const shownCell = ({ cells }, picture, { head, column }) =>
  cells.findIndex((cell) =>
    cell.part === undefined
      ? cell.columns.includes(picture.columnTokens[column][0])
      : cell.part === picture.part && cell.head === head,
  );

/** Change of the state that shows a cell in the view; `target`: the word that was measured, or undefined. */
export function openingOf(plan, cell, target, { picture, facts }) {
  const rowTokens = target?.tokens ?? [];
  const rowIn = (part) => {
    const isWritten = placeOfPart(part).stack !== 'encoder' && rowTokens.length > 0;
    return isWritten ? { row: rowTokens.at(-1), column: null } : {};
  };
  if (plan.over === 'heads') {
    const part = cell.part === picture.part ? {} : { part: cell.part };
    return { ...part, head: cell.head, average: false, ...rowIn(cell.part) };
  }
  const stack = keysIn(plan);
  const isThere = ({ id }) => {
    const { stack: own } = placeOfPart(id);
    return keysOf(own) === stack && (own !== 'encoder' || rowTokens.length === 0);
  };
  const isShown = isThere({ id: picture.part });
  const { id } = isShown ? { id: picture.part } : (facts.parts.find(isThere) ?? facts.parts[0]);
  return { ...(!isShown && { part: id }), ...rowIn(id), column: cell.columns[0] };
}
