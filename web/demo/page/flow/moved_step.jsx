// Step “Value moved”: the output of the row, the values in the proportions of the weights; and the norm of α v W_O, which
// is small for a large weight on a short value.

import { useState } from '../component.jsx';
import { formatScore, formatTerm } from '../number_formats.js';
import { FormulaLine, FormulaSum, Step, StripLine, Sum, sumOf } from './step.jsx';
import { largest } from './strip.js';

const shownValues = 4;
const shownNumbers = 3;

export function MovedStep({ inspection, palette, map, average }) {
  const [chosen, choose] = useState(0); // index of the output component that is spelled out
  const { values, output, columns, stages } = inspection;
  const { weights } = stages;
  const valueDim = output.length;
  const component = Math.min(chosen, valueDim - 1);
  const top = largest(values, output);
  const order = Array.from(weights.keys())
    .sort((a, b) => weights[b] - weights[a])
    .slice(0, shownValues);
  const terms = Array.from(weights, (weight, column) => [
    weight,
    values[column * valueDim + component],
  ]);
  const partOf = (column) =>
    values
      .subarray(column * valueDim, (column + 1) * valueDim)
      .map((value) => value * weights[column]);
  const lineOf = (column) => (
    <StripLine
      symbol={`${weights[column].toFixed(4)} v`}
      word={columns[column]}
      side="is-seen"
      name={`v of ${columns[column]} times its weight ${weights[column].toFixed(4)}`}
      values={partOf(column)}
      top={top}
      palette={palette}
    />
  );
  return (
    <Step id="moved" title="Value moved" stage="moved" map={map}>
      <FormulaLine text="o = Σ_j α_j v_j" />
      <ul class="mix">
        {order.map((column) => (
          <li key={column}>{lineOf(column)}</li>
        ))}
      </ul>
      <StripLine
        symbol="o"
        word="output"
        values={output}
        top={top}
        palette={palette}
        picked={component}
        onPick={choose}
      />
      <FormulaSum text={`o_${component + 1} = ${sumOf(terms, output[component])}`} />
      {inspection.transformed && (
        <Length inspection={inspection} palette={palette} average={average} />
      )}
    </Step>
  );
}

/** The length of what really came over. */
function Length({ inspection, palette, average }) {
  const { transformed, stages, columns, pieces, place } = inspection;
  const { column } = place;
  const moved = Array.from(transformed);
  const length = Math.sqrt(moved.reduce((total, one) => total + one * one, 0));
  const weight = stages.weights[column];
  const written = moved
    .toSorted((a, b) => Math.abs(b) - Math.abs(a))
    .slice(0, shownNumbers)
    .map((number) => `${formatTerm(Math.abs(number))}²`);
  const others = moved.length - shownNumbers;
  const more = others > 0 ? ` + … ${others} more` : '';
  const isMade = pieces.moved !== undefined && (pieces.pairs.length > 1 || average);
  return (
    <>
      <FormulaLine text="‖α v W_O‖ = α · √(Σ_c u_c^2), u = v W_O" />
      <StripLine
        symbol="u"
        word={columns[column]}
        side="is-seen"
        values={moved}
        top={largest(moved)}
        palette={palette}
      />
      <Sum>{`${formatTerm(weight)} × √(${written.join(' + ')}${more}) = ${formatTerm(weight)} × ${formatTerm(length)} = ${formatScore(Math.abs(weight) * length)}`}</Sum>
      {isMade && <Sum>{`put together as the weights are: ${formatScore(pieces.moved)}`}</Sum>}
    </>
  );
}
