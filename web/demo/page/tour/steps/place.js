// Step: positional encoding and layer norm, from rows of E to x.

import { element } from '../../element.js';
import { formatTerm } from '../../number_formats.js';
import { createChoice, figure, operation } from '../parts/figure.js';
import { rowOf } from '../../../tensors.js';
import { fixed, largest, mean, variance } from '../parts/numbers.js';
import { createNumberMatrix } from '../parts/number_matrix.js';

const epsilon = 1e-5;

export const place = {
  id: 'place',
  name: '+ place',
  title: 'Where the word stands',
  formula: 'x = norm(√d · e + p)',
  says: ({ words, places: { rows } }, { row }) => [
    `The same word has the same row of E wherever it stands, so its position has to be added: the model multiplies e by √d, here √${rows.dims[1]} = ${fixed(Math.sqrt(rows.dims[1]), 1)}, and adds a pattern of waves, p, different at every position: “${words[row]}” gets that of position ${row + 1}.`,
    `Then the sum, h, is normalized: its ${rows.dims[1]} numbers are brought to mean 0 and variance 1, and each is multiplied by a learned factor and shifted by a learned amount. The result is x. All that follows starts from it.`,
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
      p: made('p', 'waves of every position'),
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
        figure('before', 'e of every word, one row each', lined(matrices.e)),
        operation('× √d, + p'),
        figure('added', 'p, the waves of every position', lined(matrices.p)),
        operation('normalize'),
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
      `${formatTerm(middle)} is the mean of its ${numbers.length} numbers h, ${formatTerm(spread)} their standard deviation`,
    ],
    trail: [{ says: `Where does e_${c} come from?`, step: 'embedding', place: { row, wide } }],
  };
}
