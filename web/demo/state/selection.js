// The selection as tokens: what a view chose, and the same words in a new picture.

import { placeIn } from '../positions.js';

/** @import { Label, Picture } from '../types' */
/** @import { Chosen } from '../positions.js' */
/** @import { Position, Selection, ShownAnswer, State } from './types' */

/**
 * Change of state for a selection in the picture; a row without a column selects its strongest.
 * @param {Picture} picture
 * @param {Selection} selection
 */
export function tokensAt(picture, { row, column, part, head }) {
  /** @type {Partial<State>} */
  const next = {};
  if (part !== undefined && part !== picture.part) Object.assign(next, { part, average: false });
  if (head !== undefined && !picture.average) next.head = head;
  if (row !== undefined) next.row = picture.rowTokens[row][0];
  if (column !== undefined) next.column = column === null ? null : picture.columnTokens[column][0];
  return next;
}

/**
 * A position under the pointer; a row alone has the column that it attends to most.
 * @param {Picture} picture
 * @param {Position} place
 * @param {number} head
 * @returns {Position}
 */
export function pointedIn(picture, place, head) {
  const { row, column } = place;
  if (column !== undefined || row === undefined || row >= picture.rows.length) return { ...place };
  const token = picture.rowTokens[row][0];
  return { ...place, column: placeIn(picture, { row: token, column: null, head }).column };
}

/**
 * The row and column in the new picture for those in the old one; null for a word that no longer exists.
 * @param {ShownAnswer} before
 * @param {ShownAnswer} after
 * @param {Chosen} selection
 * @returns {Chosen}
 */
export function follow(before, after, { row, column }) {
  /** @type {(token: number | null, sideOf: (answer: ShownAnswer) => Side) => number | null} */
  const tokenOf = (token, sideOf) => tokenAfter(token, sideOf(before), sideOf(after));
  const nextRow = tokenOf(row, rowsOf);
  return { row: nextRow, column: nextRow === null ? null : tokenOf(column, columnsOf) };
}

/**
 * Rows or columns of a picture: labels, their tokens, and the text that the labels refer to.
 * @typedef {{ labels: Label[], groups: number[][], text: string }} Side
 */

/** @type {(answer: ShownAnswer) => Side} */
const rowsOf = ({ picture: { rows, rowTokens }, facts: { texts } }) => {
  return { labels: rows, groups: rowTokens, text: texts[0] };
};

/** @type {(answer: ShownAnswer) => Side} */
const columnsOf = ({ picture: { columns, columnTokens }, facts: { texts } }) => {
  return { labels: columns, groups: columnTokens, text: texts[1] };
};

/**
 * @param {number | null} token
 * @param {Side} old
 * @param {Side} next
 */
function tokenAfter(token, old, next) {
  if (token === null) return null;
  const index = old.groups.findIndex((tokens) => tokens.includes(token));
  const label = old.labels[index];
  if (!label) return null;
  if (next.labels[index]?.text === label.text && next.labels[index].start === label.start) {
    return next.groups[index][0];
  }
  const place = next.labels.findIndex((one) => isSame(label, one, old.text, next.text));
  return place < 0 ? null : next.groups[place][0];
}

/**
 * A word being typed has the same beginning or end as before the key press.
 * @param {Label} label
 * @param {Label} other
 * @param {string} before text of the first label
 * @param {string} after text of the other one
 */
function isSame(label, other, before, after) {
  if (label.start === null || other.start === null || other.end === null) {
    return label.start === other.start && label.text === other.text;
  }
  const start = placeAfter(label.start, before, after);
  if (start < other.start || start >= other.end) return false;
  const [short, long] = [label.text, other.text].sort((a, b) => a.length - b.length);
  return long.startsWith(short) || long.endsWith(short);
}

/**
 * Position after an edit: the common prefix and suffix of both texts are unchanged.
 * @param {number} place
 * @param {string} before
 * @param {string} after
 */
function placeAfter(place, before, after) {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) ++head;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) ++tail;
  if (place < head) return place;
  if (place >= before.length - tail) return place + after.length - before.length;
  return head;
}
