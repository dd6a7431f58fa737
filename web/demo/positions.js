// Positions in a picture: the row and column of the tokens in the state. Default: the strongest pair of whole words.

/** One row of a stage, for one head. */
export function stageRow({ stages, columns, rows }, stage, head, row) {
  const first = (head * rows.length + row) * columns.length;
  return stages[stage].subarray(first, first + columns.length);
}

/** True if a label is that of the column that stands for all hidden tokens. */
export const isMarks = ({ word }) => word === null;

export const headIn = (picture, head) => Math.min(Math.max(0, head), picture.heads - 1);

/**
 * { row, column } in the picture.
 * @param {import('./types').Picture} picture
 * @param {{ row: number | null, column: number | null, head: number }} state
 */
export function placeIn(picture, { row, column, head }) {
  const chosen = {
    row: row === null ? null : placeOf(picture.rowTokens, row),
    column: column === null ? null : placeOf(picture.columnTokens, column),
  };
  if (chosen.row !== null && chosen.column !== null) return chosen;
  return strongestPair(picture, headIn(picture, head), chosen);
}

/** First tokens of a row and a column, which may stand for several. */
export const tokensOf = ({ rowTokens, columnTokens }, { row, column }) => ({
  row: rowTokens[row][0],
  column: columnTokens[column][0],
});

// Row or column of a token; for a hidden one the nearest visible.
function placeOf(groups, token) {
  let nearest = 0;
  groups.forEach((tokens, place) => {
    const isNearer = Math.abs(tokens[0] - token) < Math.abs(groups[nearest][0] - token);
    if (tokens.includes(token) || (isNearer && !groups[nearest].includes(token))) nearest = place;
  });
  return nearest;
}

// Strongest pair; with a given row or column, the strongest in it. A word paired with itself does not count.
function strongestPair(picture, head, { row: givenRow, column: givenColumn }) {
  const { rows, columns, rowTokens, columnTokens, oneSequence } = picture;
  const [wholeRows, wholeColumns] = [wholeWords(rows), wholeWords(columns)];
  const placesOf = (given, whole) => (given === null ? whole : [given]);
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

/** Indices of whole words; if there are none, all indices. */
function wholeWords(labels) {
  const pieces = new Map();
  for (const { word } of labels) pieces.set(word, (pieces.get(word) ?? 0) + 1);
  const isWhole = ({ word, special }) => !special && pieces.get(word) === 1;
  const all = labels.map((_, place) => place);
  const whole = all.filter((place) => isWhole(labels[place]));
  return whole.length > 0 ? whole : all;
}
