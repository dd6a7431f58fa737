// A cell of the picture: its words and numbers.

import { isMarks, stageRow } from '../positions.js';

/**
 * Facts of a cell: { query, key, weight, score, moved, sum, marks, hidden, blocked }; `marks` is the weight on hidden
 * tokens, `moved` the number of that stage if it is the one that is drawn.
 */
export function cellOf({ rows, columns, stages, hidden, blocked }, { head, row, column }, stage) {
  const first = (head * rows.length + row) * columns.length;
  const weights = stageRow({ rows, columns, stages }, 'weights', head, row);
  return {
    query: rows[row].text,
    key: columns[column].text,
    weight: weights[column],
    score: stages.masked?.[first + column], // weights from a file have no scores
    moved: stage === 'moved' ? stages.moved?.[first + column] : undefined,
    sum: weights.reduce((sum, weight) => sum + weight, 0),
    marks: isMarks(columns.at(-1)) ? weights.at(-1) : undefined,
    hidden: hidden?.[row * columns.length + column] === 1,
    blocked: blocked?.[first + column] === 1,
  };
}
