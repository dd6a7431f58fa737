// Scores of a head's weights, the same for encoders, decoders and arrays: how much of a row's weight is on the previous
// token, on the first token and marks, and on the same token, as means over the rows that can have it. A token is what is
// drawn: a word where pieces are merged.

import { isMarks } from '../../positions.js';

/** @import { Label, PatternScores, Picture } from '../../types' */

/** @type {(sum: number, count: number) => number | null} */
const meanOf = (sum, count) => (count > 0 && Number.isFinite(sum) ? sum / count : null);

/**
 * Columns of each row's same token: the row itself in one sequence, and columns with the same text.
 * @param {Label[]} rows
 * @param {Label[]} columns
 */
function copiesIn(rows, columns) {
  /** @type {Map<string, number[]>} */
  const byText = new Map();
  columns.forEach((label, column) => {
    if (isMarks(label)) return;
    byText.set(label.text, [...(byText.get(label.text) ?? []), column]);
  });
  return rows.map(({ text }) => byText.get(text) ?? []);
}

/**
 * Scores of every head: null where no row can have the pattern, or weights are no numbers.
 * @param {Pick<Picture, 'rows' | 'columns' | 'columnTokens'>} picture
 * @param {Float32Array} weights heads × rows × columns
 * @param {(number | undefined)[] | null} places row of the same position for each column, as in head_roles.js; null for
 *   two texts
 * @param {boolean} isText equal names in rows and columns are the same token
 * @returns {PatternScores[]}
 */
export function patternScores({ rows, columns, columnTokens }, weights, places, isText) {
  const [height, width] = [rows.length, columns.length];
  const size = height * width;
  const first = columns.flatMap((label, column) =>
    label.special || columnTokens[column].includes(0) ? [column] : [],
  );
  const copies = isText ? copiesIn(rows, columns) : null;
  const columnOf = new Map(places?.map((row, column) => [row, column]));
  return Array.from({ length: size > 0 ? weights.length / size : 0 }, (_, head) => {
    const sums = { previous: 0, first: 0, same: 0 };
    const counts = { previous: 0, first: first.length > 0 ? height : 0, same: 0 };
    rows.forEach((__, row) => {
      const start = head * size + row * width;
      const before = columnOf.get(row - 1);
      if (before !== undefined) {
        sums.previous += weights[start + before];
        ++counts.previous;
      }
      for (const column of first) sums.first += weights[start + column];
      if (!copies || copies[row].length === 0) return;
      for (const column of copies[row]) sums.same += weights[start + column];
      ++counts.same;
    });
    return {
      previous: meanOf(sums.previous, counts.previous),
      first: meanOf(sums.first, counts.first),
      same: meanOf(sums.same, counts.same),
    };
  });
}
