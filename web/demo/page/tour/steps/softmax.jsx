// Step: softmax of each row of scaled scores.

import { formatTerm } from '../../number_formats.js';
import { rowOf } from '../../../tensors.js';
import { fixed, headOf, largest, sum } from '../parts/numbers.js';
import { spellSoftmax } from '../parts/weight_spelling.js';
import { TablePair } from '../parts/table_pair.jsx';

/** @import { Step } from '../steps.js' */

/** @type {Step} */
export const softmax = {
  id: 'softmax',
  title: 'Softmax: scores become weights',
  formula: 'α = exp(s) / Σ_j exp(s_j)',
  says: ({ words, encoder }, { row, head }) => {
    const weights = rowOf(encoder.weights, row, head);
    const most = weights.indexOf(Math.max(...weights));
    return [
      'exp(s), which is e to the power of s, is positive for every score, and much larger for a larger one. Divided by the sum of its row, each row adds up to 1.',
      `So each row says how one word shares out its attention. “${words[row]}” looks at “${words[most]}” most, with ${fixed(weights[most])}.`,
      'Nothing is ever quite 0 (0.00 is rounded): this is the lookup that is never sure, with a query from every word.',
    ];
  },

  Figure({ lesson: { words, encoder }, place: { row, column, head, at }, palette, pick }) {
    const [scaled, weights] = [headOf(encoder.scaled, head), headOf(encoder.weights, head)];
    const [top, most] = [largest(scaled), largest(weights)];
    const of = at?.of ?? 'after';
    const place = { row, column };
    const shared = { rows: words, columns: words, lit: place, format: (x) => fixed(x) };
    return (
      <TablePair
        before={{
          ...{ ...shared, caption: 'scaled scores s', data: scaled },
          at: of === 'before' ? place : null,
          shadeOf: (number) => palette.signedShadeOf(number / top),
        }}
        after={{
          ...{ ...shared, caption: 'weights α', data: weights },
          at: of === 'after' ? place : null,
          shadeOf: (number) => palette.shadeOf(number / most),
          more: `row of “${words[row]}”: sum ${formatTerm(sum(rowOf(encoder.weights, row, head)))}`,
        }}
        happens="exp, ÷ sum of the row"
        pick={(line, along, side) => pick({ row: line, column: along, at: { of: side } })}
      />
    );
  },

  spell({ words, encoder }, { row, column, head }) {
    const scaled = rowOf(encoder.scaled, row, head);
    const weight = rowOf(encoder.weights, row, head)[column];
    return {
      lines: spellSoftmax(scaled, column, weight, words),
      trail: [
        {
          says: `Where does ${fixed(scaled[column])} come from?`,
          step: 'scale',
          place: { row, column },
        },
      ],
    };
  },
};
