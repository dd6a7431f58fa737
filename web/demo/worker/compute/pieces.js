// Pairs of tokens behind a cell, each with weight and score, and the cell's own two numbers.

import { meanOver, sumOver } from './arrange.js';

/** @import { Label, Picture, Pieces } from '../../types' */

const { fround } = Math;

/**
 * @param {{ weights: Float32Array, masked?: Float32Array, moved?: Float32Array }} stages heads × rows × columns of
 * tokens each
 * @param {{ rows: Label[], columns: Label[] }} labels of the tokens
 * @param {Pick<Picture, 'rows' | 'columns' | 'rowTokens' | 'columnTokens' | 'average'>} picture
 * @param {{ head: number, row: number, column: number }} place in tokens
 * @returns {Pieces}
 */
export function piecesOf(
  { weights, masked, moved },
  { rows, columns },
  picture,
  { head, row, column },
) {
  const [height, width] = [rows.length, columns.length];
  const heads = weights.length / (height * width);
  const own = placeOf(picture.rowTokens, row);
  const other = placeOf(picture.columnTokens, column);
  const [some, others] = [picture.rowTokens[own], picture.columnTokens[other]];
  const numberIn = (values, h) => (i, j) => values[(h * height + i) * width + j];
  // As in the picture: heads are averaged before pieces are merged, and every number is rounded to float32.
  const drawnIn = (values) =>
    picture.average
      ? (i, j) => fround(meanOf(heads, (h) => numberIn(values, h)(i, j)))
      : numberIn(values, head);
  const pairs = some.flatMap((i) =>
    others.map((j) => ({
      ...{ row: i, column: j, query: rows[i].text, key: columns[j].text },
      weight: numberIn(weights, head)(i, j),
      score: masked && numberIn(masked, head)(i, j),
    })),
  );
  return {
    query: picture.rows[own].text,
    key: picture.columns[other].text,
    rows: some.length,
    columns: others.length,
    weight: fround(sumOver(drawnIn(weights), some, others)),
    score: masked && fround(meanOver(drawnIn(masked), some, others)),
    moved: moved && fround(sumOver(drawnIn(moved), some, others)),
    heads: Array.from({ length: heads }, (_, h) => sumOver(numberIn(weights, h), some, others)),
    pairs: pairs.sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight)),
  };
}

const placeOf = (groups, token) =>
  Math.max(
    0,
    groups.findIndex((tokens) => tokens.includes(token)),
  );

function meanOf(heads, numberOf) {
  let sum = 0;
  for (let head = 0; head < heads; ++head) sum += numberOf(head);
  return sum / heads;
}
