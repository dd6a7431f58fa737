// A word knows its place: waves are added to the rows of E, and the sum is evened out to x.

import { element } from '../../element.js';
import { formatTerm } from '../../number_forms.js';
import { createChoice, figure, operation } from '../parts/figure.js';
import { largest, mean, rowOf, variance } from '../parts/numbers.js';
import { fixed } from '../parts/written.js';
import { createNumberMatrix } from '../parts/number_matrix.js';

const epsilon = 1e-5;

export const place = {
  id: 'place',
  name: '+ place',
  title: 'A word knows its place',
  formula: 'x = norm(√d · e + p)',
  says: ({ words, places: { rows } }, { row }) => [
    `The same word has the same row of E wherever it stands. So the model multiplies e by √d, here √${rows.dims[1]} = ${fixed(Math.sqrt(rows.dims[1]), 1)}, and adds a pattern of waves, p, different at every place: “${words[row]}” gets that of place ${row + 1}.`,
    `Then the sum is evened out: its ${rows.dims[1]} numbers get mean 0 and variance 1, then each a learnt size and shift. The result is x. All that follows starts from it.`,
  ],

  build({ lesson, pick }) {
    const { words, places } = lesson;
    const choice = createChoice('word', words, (row) => pick({ row, at: null }));
    const made = (name, label) =>
      createNumberMatrix({
        ...{ name, label },
        pick: (row, wide) => pick({ row, wide, at: { of: name } }),
      });
    const matrices = {
      e: made('e', 'e of every word'),
      p: made('p', 'waves of every place'),
      x: made('x', 'x of every word'),
    };
    const lined = (matrix) =>
      element(
        'div',
        { class: 'lined' },
        element(
          'ol',
          { class: 'labels', 'aria-hidden': 'true' },
          words.map((word) => element('li', {}, word)),
        ),
        matrix.element,
      );
    return {
      elements: [
        choice.element,
        figure('before', 'e of every word, a row each', lined(matrices.e)),
        operation('× √d, + p'),
        figure('added', 'p, the waves of every place', lined(matrices.p)),
        operation('evened out'),
        figure('after', 'x of every word', lined(matrices.x)),
      ],
      show({ row, wide, at }, palette) {
        choice.show(row);
        const of = at?.of ?? 'x';
        const shown = { e: places.rows, p: places.waves, x: places.x };
        for (const [name, { data, dims }] of Object.entries(shown)) {
          matrices[name].show({
            ...{ data, rows: dims[0], columns: dims[1], top: largest(data), palette, side: 'read' },
            lit: [{ row }, { column: wide }],
            at: name === of ? { row, column: wide } : {},
            textOf: (line, column) =>
              `${name} of ${words[line]}, number ${column + 1}: ${formatTerm(data[line * dims[1] + column])}`,
          });
        }
        return spell(lesson, row, wide);
      },
    };
  },
};

function spell({ words, places }, row, wide) {
  const at = (tensor) => rowOf(tensor, row)[wide];
  const numbers = rowOf(places.sum, row);
  const [middle, spread] = [mean(numbers), Math.sqrt(variance(numbers) + epsilon)];
  const c = wide + 1;
  return {
    lines: [
      `h_${c} = ${formatTerm(places.factor)} × ${formatTerm(at(places.rows))} + ${formatTerm(at(places.waves))} = ${formatTerm(numbers[wide])}, for “${words[row]}”`,
      `x_${c} = (${formatTerm(numbers[wide])} − ${formatTerm(middle)}) / ${formatTerm(spread)} × ${formatTerm(places.weight[wide])} + ${formatTerm(places.bias[wide])} = ${formatTerm(at(places.x))}`,
      `${formatTerm(middle)} is the mean of its ${numbers.length} numbers h, ${formatTerm(spread)} the root of their variance`,
    ],
    trail: [{ says: `where e_${c} comes from`, step: 'embedding', place: { row, wide } }],
  };
}
