// The line that says what one cell says, in words and numbers.

import { rowOf } from '../places.js';
import { write } from './element.js';
import { formatScore, formatWeight } from './number_forms.js';

export function createReadout(root) {
  const at = (selector) => root.querySelector(selector);
  return {
    /** `cell` as cellOf() gives it, or null for nothing to read. */
    show(cell) {
      root.classList.toggle('empty', !cell);
      if (!cell) return;
      write(at('.query bdi'), cell.query);
      write(at('.verb'), verb(cell));
      write(at('.key bdi'), cell.key);
      write(at('.weight'), formatWeight(cell.weight));
      write(at('.score'), cell.score === undefined ? '–' : formatScore(cell.score));
      write(at('.sum'), formatWeight(cell.sum));
    },
  };
}

/** What a picture says at a place: { query, key, weight, score, sum, hidden }. */
export function cellOf({ rows, columns, stages, hidden }, { head, row, column }) {
  const first = (head * rows.length + row) * columns.length;
  const weights = rowOf({ rows, columns, stages }, 'weights', head, row);
  return {
    query: rows[row].text,
    key: columns[column].text,
    weight: weights[column],
    score: stages.masked?.[first + column], // weights that were given have none
    sum: weights.reduce((sum, weight) => sum + weight, 0),
    hidden: hidden?.[row * columns.length + column] === 1,
  };
}

/** The same as one sentence, for those who listen. */
export function describe(cell) {
  const { query, key, weight, score } = cell;
  const scored = score === undefined ? '' : `, score ${formatScore(score)}`;
  return `“${query}” ${verb(cell)} “${key}”: weight ${formatWeight(weight)}${scored}`;
}

function verb({ hidden }) {
  return hidden ? 'may not read' : 'reads';
}
