// The numbers of the inspected cell.

import { h } from '../component.js';
import { formatScore, formatWeight } from '../number_formats.js';

/** `cell`: result of cellOf(). */
export const CellNumbers = ({ cell }) =>
  h(
    'dl',
    { class: 'cell-numbers' },
    numbersOf(cell).map(([name, className, number]) =>
      h('div', { key: name }, h('dt', null, name), h('dd', { class: className }, number)),
    ),
  );

const numbersOf = ({ weight, score, moved, sum, marks }) => [
  ['weight', 'weight', formatWeight(weight)],
  ['score', 'score', score === undefined ? '–' : formatScore(score)],
  ...(moved === undefined ? [] : [['moved', 'moved-length', formatScore(moved)]]),
  ['row sum', 'row-sum', formatWeight(sum)],
  ...(marks === undefined ? [] : [['marks', 'marks', formatWeight(marks)]]),
];
