// The numbers of the inspected cell.

import { formatScore, formatWeight } from '../number_formats.js';

/** `cell`: result of cellOf(). */
export const CellNumbers = ({ cell }) => (
  <dl class="cell-numbers">
    {numbersOf(cell).map(([name, className, number]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd class={className}>{number}</dd>
      </div>
    ))}
  </dl>
);

const numbersOf = ({ weight, score, moved, sum, marks }) => [
  ['weight', 'weight', formatWeight(weight)],
  ['score', 'score', score === undefined ? '–' : formatScore(score)],
  ...(moved === undefined ? [] : [['moved', 'moved-length', formatScore(moved)]]),
  ['row sum', 'row-sum', formatWeight(sum)],
  ...(marks === undefined ? [] : [['marks', 'marks', formatWeight(marks)]]),
];
