// Step “Moved”: the norm of α v W_O, which is small for a large weight on a short value.

import { write, writeFormula } from '../element.js';
import { formatScore, formatTerm } from '../number_formats.js';
import { formulaLine, stripLine, sumLine } from './step.js';
import { largest } from './strip.js';

const shownNumbers = 3;

export function createMoved() {
  const [formula, sum, all] = [formulaLine(), sumLine(), sumLine()];
  const strip = stripLine();
  writeFormula(formula, '‖α v W_O‖ = α · √(Σ_c u_c^2), u = v W_O');
  return {
    elements: [formula, strip.line, sum, all],
    show({ transformed, stages, columns, pieces, place }, { palette, average }) {
      const { column } = place;
      const moved = Array.from(transformed);
      strip.show('u', columns[column], moved, { top: largest(moved), palette, side: 'is-seen' });
      const length = Math.sqrt(moved.reduce((total, one) => total + one * one, 0));
      const weight = stages.weights[column];
      const written = moved
        .toSorted((a, b) => Math.abs(b) - Math.abs(a))
        .slice(0, shownNumbers)
        .map((number) => `${formatTerm(Math.abs(number))}²`);
      const others = moved.length - shownNumbers;
      const more = others > 0 ? ` + … ${others} more` : '';
      write(
        sum,
        `${formatTerm(weight)} × √(${written.join(' + ')}${more}) = ${formatTerm(weight)} × ${formatTerm(length)} = ${formatScore(Math.abs(weight) * length)}`,
      );
      const isMade = pieces.moved !== undefined && (pieces.pairs.length > 1 || average);
      all.hidden = !isMade;
      write(all, isMade ? `put together as the weights are: ${formatScore(pieces.moved)}` : '');
    },
  };
}
