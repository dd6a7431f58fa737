// Step “Weight”: softmax over the scores of the row.

import { kindOf } from '../../kinds.js';
import { Drawing } from '../component.jsx';
import { formatTerm, formatWeight } from '../number_formats.js';
import { createBars } from './bars.js';
import { FormulaLine, Step, Sum } from './step.jsx';

/** `pick(column)` is called with the chosen token of the row. */
export function WeightStep({ inspection, palette, map, pick }) {
  const { kind, stages, place, columns } = inspection;
  const weights = Array.from(stages.weights);
  const weight = formatWeight(weights[place.column]);
  const isSoftmax = kind === 'softmax';
  const own = kind === 'efficient' ? kindOf(kind).formula : 'α = sim / Σ_j sim_j';
  return (
    <Step id="weight" title="Weight" stage="weights" map={map}>
      <FormulaLine text={isSoftmax ? 'α = exp(s − max) / Σ_j exp(s_j − max)' : own} />
      <Drawing
        create={createBars}
        weights={weights}
        column={place.column}
        palette={palette}
        pick={pick}
        name={`The row’s ${weights.length} weights; “${columns[place.column]}” has ${weight}`}
      />
      <Sum>{isSoftmax ? softmaxSum(stages.masked, place.column, weight) : `α = ${weight}`}</Sum>
      <Sum>{`all ${weights.length} together: ${formatWeight(total(weights))}`}</Sum>
      {map?.stages.includes('difference') && <Difference map={map} />}
    </Step>
  );
}

const total = (numbers) => numbers.reduce((all, one) => all + one, 0);

function softmaxSum(masked, column, weight) {
  const seen = masked.filter((value) => value > -Infinity);
  const top = Math.max(...seen);
  const sum = seen.reduce((all, value) => all + Math.exp(value - top), 0);
  return masked[column] === -Infinity
    ? `hidden: α = ${weight}`
    : `exp(${formatTerm(masked[column])} − ${formatTerm(top)}) / ${formatTerm(sum)} = ${weight}`;
}

/** Weights minus those of softmax, of kinds without softmax. */
const Difference = ({ map }) => (
  <label class="whole-matrix" title="The map shows these weights minus those of softmax">
    <input
      type="radio"
      name="stage"
      value="difference"
      checked={map.stage === 'difference'}
      onChange={() => map.change({ stage: 'difference' })}
    />
    <span>Δ softmax, whole matrix</span>
  </label>
);
