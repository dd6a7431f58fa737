// Details of the box “Weight”: the numbers of the selected cell.

import { formatScore, formatWeight } from '../number_formats.js';
import { Step } from './step.jsx';

/**
 * `cell`: result of cellOf(); `hasScore`: its weight is the softmax of scores; `isInMap`: the map below which this stands has
 * the weight in full, which is then for screen readers alone.
 */
export const WeightStep = ({ cell, hasScore, isInMap }) => (
  <Step id="weight" title="Weight">
    <dl class="cell-numbers">
      {numbersOf(cell, hasScore).map(([name, className, number]) => (
        <div key={name} class={isInMap && className === 'weight' ? 'unseen' : ''}>
          <dt>{name}</dt>
          <dd class={className}>{number}</dd>
        </div>
      ))}
    </dl>
  </Step>
);

const numbersOf = ({ weight, score, moved, sum, marks }, hasScore) => [
  ['weight', 'weight', formatWeight(weight)],
  ...(!hasScore ? [] : [['scaled score', 'score', formatScore(score)]]),
  ...(moved === undefined ? [] : [['moved', 'moved-length', formatScore(moved)]]),
  ['row sum', 'row-sum', formatWeight(sum)],
  ...(marks === undefined ? [] : [['marks', 'marks', formatWeight(marks)]]),
];
