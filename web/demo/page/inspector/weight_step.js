// Step 4 of the inspector: softmax over the scores of the row.

import { kindOf } from '../../kinds.js';
import { write, writeFormula } from '../element.js';
import { formatTerm, formatWeight } from '../number_formats.js';
import { createBars } from './bars.js';
import { formulaLine, step, sumLine } from './step.js';

/** `pick(column)` is called with the chosen token of the row. */
export function createWeightStep({ pick }) {
  const [formula, sum, rowSum] = [formulaLine(), sumLine(), sumLine()];
  const bars = createBars(pick);

  function showSoftmax(masked, column, weight) {
    const seen = masked.filter((value) => value > -Infinity);
    const top = Math.max(...seen);
    const total = seen.reduce((all, value) => all + Math.exp(value - top), 0);
    writeFormula(formula, 'α = exp(s − max) / Σ_j exp(s_j − max)');
    write(
      sum,
      masked[column] === -Infinity
        ? `hidden: α = ${weight}`
        : `exp(${formatTerm(masked[column])} − ${formatTerm(top)}) / ${formatTerm(total)} = ${weight}`,
    );
  }

  function showOtherKind(kind, weight) {
    writeFormula(formula, kind === 'efficient' ? kindOf(kind).formula : 'α = sim / Σ_j sim_j');
    write(sum, `α = ${weight}`);
  }

  return {
    element: step('Weight', null, [formula, bars.element, sum, rowSum]),
    show({ kind, stages: { masked, weights }, place: { column }, columns }, { palette }) {
      const weight = formatWeight(weights[column]);
      if (kind === 'softmax') showSoftmax(masked, column, weight);
      else showOtherKind(kind, weight);
      const total = weights.reduce((all, one) => all + one, 0);
      write(rowSum, `all ${weights.length} together: ${formatWeight(total)}`);
      bars.show(
        `The row’s ${weights.length} weights; “${columns[column]}” has ${weight}`,
        Array.from(weights),
        column,
        palette,
      );
    },
  };
}
