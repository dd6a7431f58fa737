// Positions in a picture: the row and column of the tokens in the state. Default: the strongest pair of whole words.

/** @import { Label, Picture, Stage } from './types' */

/**
 * A row and a column, null for none.
 * @typedef {{ row: number | null, column: number | null }} Chosen
 */
/** @typedef {{ row: number, column: number }} Cell */

/**
 * One row of a stage, for one head.
 * @param {Pick<Picture, 'rows' | 'columns'> & { stages: { [name in Stage]?: Float32Array } }} picture
 * @param {Stage} stage one that the picture has
 * @param {number} head
 * @param {number} row
 */
export function stageRow({ stages, columns, rows }, stage, head, row) {
  const first = (head * rows.length + row) * columns.length;
  const values = /** @type {Float32Array} */ (stages[stage]);
  return values.subarray(first, first + columns.length);
}

/**
 * True if a label is that of the column that stands for all hidden tokens.
 * @param {Pick<Label, 'word'>} label
 */
export const isMarks = ({ word }) => word === null;

/**
 * @param {Pick<Picture, 'heads'>} picture
 * @param {number} head
 */
export const headIn = (picture, head) => Math.min(Math.max(0, head), picture.heads - 1);

/**
 * The row and column in the picture of two tokens.
 * @param {Picture} picture
 * @param {Chosen & { head: number }} state
 * @returns {Cell}
 */
export function placeIn(picture, { row: rowToken, column: columnToken, head }) {
  const row = rowToken === null ? null : placeOf(picture.rowTokens, rowToken);
  const column = columnToken === null ? null : placeOf(picture.columnTokens, columnToken);
  if (row !== null && column !== null) return { row, column };
  return strongestPair(picture, headIn(picture, head), { row, column });
}

/**
 * First tokens of a row and a column, which may stand for several.
 * @param {Pick<Picture, 'rowTokens' | 'columnTokens'>} picture
 * @param {Cell} place
 */
export const tokensOf = ({ rowTokens, columnTokens }, { row, column }) => ({
  row: rowTokens[row][0],
  column: columnTokens[column][0],
});

/**
 * Row or column of a token; for a hidden one the nearest visible.
 * @param {number[][]} groups
 * @param {number} token
 */
function placeOf(groups, token) {
  let nearest = 0;
  groups.forEach((tokens, place) => {
    const isNearer = Math.abs(tokens[0] - token) < Math.abs(groups[nearest][0] - token);
    if (tokens.includes(token) || (isNearer && !groups[nearest].includes(token))) nearest = place;
  });
  return nearest;
}

/**
 * Strongest pair; with a given row or column, the strongest in it. A word paired with itself does not count.
 * @param {Picture} picture
 * @param {number} head
 * @param {Chosen} given
 */
function strongestPair(picture, head, { row: givenRow, column: givenColumn }) {
  const { rows, columns, rowTokens, columnTokens, oneSequence } = picture;
  const [wholeRows, wholeColumns] = [wholeWords(rows), wholeWords(columns)];
  /** @type {(given: number | null, whole: number[]) => number[]} */
  const placesOf = (given, whole) => (given === null ? whole : [given]);
  /** @type {Cell & { weight: number } | null} */
  let best = null;
  for (const row of placesOf(givenRow, wholeRows)) {
    const weights = stageRow(picture, 'weights', head, row);
    for (const column of placesOf(givenColumn, wholeColumns)) {
      if (oneSequence && rowTokens[row][0] === columnTokens[column][0]) continue;
      if (best === null || weights[column] > best.weight)
        best = { row, column, weight: weights[column] };
    }
  }
  return {
    row: givenRow ?? best?.row ?? 0,
    column: givenColumn ?? best?.column ?? givenRow ?? 0,
  };
}

/**
 * Indices of whole words; if there are none, all indices.
 * @param {Label[]} labels
 */
function wholeWords(labels) {
  const pieces = new Map();
  for (const { word } of labels) pieces.set(word, (pieces.get(word) ?? 0) + 1);
  /** @param {Label} label */
  const isWhole = ({ word, special }) => !special && pieces.get(word) === 1;
  const all = labels.map((_, place) => place);
  const whole = all.filter((place) => isWhole(labels[place]));
  return whole.length > 0 ? whole : all;
}
