// Step: softmax of each row of scaled scores.

import { formatTerm } from '../../number_formats.js';
import { rowOf } from '../../../tensors.js';
import { fixed, headOf, largest, sum } from '../parts/numbers.js';
import { write } from '../../element.js';
import { spellSoftmax } from '../parts/weight_spelling.js';
import { createPair } from '../parts/table_pair.js';

export const softmax = {
  id: 'softmax',
  name: 'softmax',
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

  build({ lesson, pick }) {
    const { words, encoder } = lesson;
    const sides = { rows: words, columns: words };
    const pair = createPair({
      before: { ...sides, caption: 'scaled scores s', format: (x) => fixed(x) },
      after: { ...sides, caption: 'weights α', format: (x) => fixed(x) },
      happens: 'exp, ÷ sum of the row',
      pick: (row, column, side) => pick({ row, column, at: { of: side } }),
    });
    return {
      elements: [pair.element],
      show({ row, column, head, at }, palette) {
        const [scaled, weights] = [headOf(encoder.scaled, head), headOf(encoder.weights, head)];
        const [top, most] = [largest(scaled), largest(weights)];
        const of = at?.of ?? 'after';
        const place = { row, column };
        pair.show({
          before: {
            ...{ data: scaled, at: of === 'before' ? place : null, lit: place },
            shadeOf: (number) => palette.signedShadeOf(number / top),
          },
          after: {
            ...{ data: weights, at: of === 'after' ? place : null, lit: place },
            shadeOf: (number) => palette.shadeOf(number / most),
          },
        });
        const line = rowOf(encoder.weights, row, head);
        write(pair.more.after, `row of “${words[row]}”: sum ${formatTerm(sum(line))}`);
        return {
          lines: spellSoftmax(rowOf(encoder.scaled, row, head), column, line[column], words),
          trail: [
            {
              says: `Where does ${fixed(scaled[row * words.length + column])} come from?`,
              step: 'scale',
              place: { row, column },
            },
          ],
        };
      },
    };
  },
};
