// The line that says what one cell says, in words and numbers.

import { rowOf } from '../places.js';
import { element, write } from './element.js';
import { formatScore, formatWeight } from './number_forms.js';

/** Fills `root`. */
export function createReadout(root) {
  const [query, key] = [element('bdi'), element('bdi')];
  const between = element('span', { class: 'verb' });
  const numbers = { weight: 'weight', score: 'score', sum: 'row sum' };
  const fields = Object.keys(numbers).map((name) => element('dd', { class: name }));
  const [weight, score, sum] = fields;
  root.append(
    element(
      'p',
      { class: 'pair' },
      element('span', { class: 'query' }, '“', query, '”'),
      ' ',
      between,
      ' ',
      element('span', { class: 'key' }, '“', key, '”'),
    ),
    element(
      'dl',
      {},
      Object.values(numbers).map((name, at) =>
        element('div', {}, element('dt', {}, name), fields[at]),
      ),
    ),
  );
  return {
    /** `cell` as cellOf() gives it, or null for nothing to read. */
    show(cell) {
      root.classList.toggle('empty', !cell);
      if (!cell) return;
      write(query, cell.query);
      write(between, verb(cell));
      write(key, cell.key);
      write(weight, formatWeight(cell.weight));
      write(score, cell.score === undefined ? '–' : formatScore(cell.score));
      write(sum, formatWeight(cell.sum));
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
