// The selection: a token of each text in the state, a row and a column in the picture, where tokens may be
// left out, merged and sorted.

import { rowOf } from './views/head_of_picture.js';

const placeOf = (groups, token) =>
  Math.max(
    0,
    groups.findIndex((tokens) => tokens.includes(token)),
  );

const within = (token, groups) =>
  Math.min(token, Math.max(...groups.map((tokens) => tokens.at(-1))));

/**
 * { part, head, row, column, hovered } in places of the picture; `hovered` is what is pointed at, if anything.
 * @param {import('../types').Picture} picture
 */
export function placeIn(picture, { row, column, head }, hovered) {
  return {
    part: picture.part,
    head: Math.min(Math.max(0, head), picture.heads - 1),
    row: placeOf(picture.rowTokens, within(row, picture.rowTokens)),
    column: placeOf(picture.columnTokens, within(column, picture.columnTokens)),
    hovered: hovered ?? undefined,
  };
}

/** The change of the state that a choice in the picture makes. */
export function tokensAt(picture, { row, column, part, head }) {
  const next = {};
  if (part !== undefined && part !== picture.part) Object.assign(next, { part, average: false });
  if (head !== undefined && !picture.average) next.head = head;
  if (row !== undefined) next.row = picture.rowTokens[row][0];
  if (column !== undefined) next.column = picture.columnTokens[column][0];
  return next;
}

/** The column that a row looks at most, but for the word itself. */
export function strongestIn(picture, head, row) {
  const weights = rowOf(picture, 'weights', head, row);
  const own = picture.oneSequence ? picture.rowTokens[row][0] : -1;
  let best = -1;
  weights.forEach((weight, column) => {
    if (picture.columnTokens[column][0] === own && weights.length > 1) return;
    if (best < 0 || weight > weights[best]) best = column;
  });
  return best;
}
