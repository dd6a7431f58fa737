// Details of the row of weights: softmax over the scores of the row, or the similarities divided by their sum.

import { kindOf } from '../../kinds.js';
import { Drawing } from '../component.jsx';
import { formatTerm, formatWeight } from '../number_formats.js';
import { createBars } from './bars.js';
import { FormulaLine, StageChoice, Step, Sum } from './step.jsx';

/** `pick(column)` is called with the chosen token of the row. */
export function SoftmaxStep({ inspection, palette, map, pick }) {
  const { kind, stages, place, columns } = inspection;
  const weights = Array.from(stages.weights);
  const weight = formatWeight(weights[place.column]);
  const isSoftmax = kind === 'softmax';
  const own = kind === 'efficient' ? kindOf(kind).formula : 'α = sim / Σ_j sim_j';
  return (
    <Step id="softmax" title={isSoftmax ? 'Softmax' : kindOf(kind).name}>
      <FormulaLine text={isSoftmax ? 'α = exp(s − max) / Σ_j exp(s_j − max)' : own} />
      <Bars
        weights={weights}
        column={place.column}
        palette={palette}
        pick={pick}
        word={columns[place.column]}
      />
      <Sum>{isSoftmax ? softmaxSum(stages.masked, place.column, weight) : `α = ${weight}`}</Sum>
      <Sum>{`all ${weights.length} together: ${formatWeight(total(weights))}`}</Sum>
      {map.stages.includes('difference') && (
        <StageChoice title="Difference from softmax" stage="difference" map={map} />
      )}
    </Step>
  );
}

/** A row of weights that are not computed here. */
export function RowStep({ shown: { picture, place, facts }, weights, palette, pick }) {
  const word = picture.columns[place.column].text;
  return (
    <Step id="softmax" title="Row of weights">
      <p class="hint">{facts.fixed}</p>
      <Bars {...{ weights: Array.from(weights), palette, pick, word }} column={place.column} />
      <Sum>{`all ${weights.length} together: ${formatWeight(total(weights))}`}</Sum>
    </Step>
  );
}

const Bars = ({ weights, column, word, palette, pick }) => (
  <Drawing
    create={createBars}
    weights={weights}
    column={column}
    palette={palette}
    pick={pick}
    name={`The row’s ${weights.length} weights; “${word}” has ${formatWeight(weights[column])}`}
  />
);

/** @param {ArrayLike<number>} numbers */
const total = (numbers) => Array.from(numbers).reduce((all, one) => all + one, 0);

function softmaxSum(masked, column, weight) {
  const seen = masked.filter((value) => value > -Infinity);
  const top = Math.max(...seen);
  const sum = seen.reduce((all, value) => all + Math.exp(value - top), 0);
  return masked[column] === -Infinity
    ? `hidden: α = ${weight}`
    : `exp(${formatTerm(masked[column])} − ${formatTerm(top)}) / ${formatTerm(sum)} = ${weight}`;
}
