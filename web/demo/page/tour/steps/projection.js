// Step: projections. Three learned matrices turn x into query, key and value.

import { formatTerm, sumOf } from '../../number_formats.js';
import { element, write } from '../../element.js';
import { createChoice, figure } from '../parts/figure.js';
import { rowOf } from '../../../tensors.js';
import { columnsOf } from '../parts/numbers.js';
import { createProduct, termsOf } from '../parts/product.js';

const kinds = ['query', 'key', 'value'];
const symbols = { query: 'q', key: 'k', value: 'v' };
const matrices = { query: 'W_Q', key: 'W_K', value: 'W_V' };

export const projection = {
  id: 'projection',
  name: 'q, k, v',
  title: 'Query, key and value',
  formula: 'q = x W_Q,  k = x W_K,  v = x W_V',
  says: ({ encoder }, { head }) => [
    'From its x every word makes three shorter lists of numbers. The query q: what it looks for. The key k: what it can be found by. The value v: what it gives.',
    `Each is x times a matrix that the model has learned, plus a shift b. These are the matrices of head ${head + 1} in the first layer: ${encoder.x.rows.dims[1]} rows, ${encoder.keyDim} columns.`,
    'Choose any number of the result: it is x times that column of the matrix, number by number, added up.',
  ],

  build({ lesson, pick }) {
    const { words, encoder } = lesson;
    const word = createChoice('word', words, (row) => pick({ row }));
    const kind = createChoice('its', kinds, (at) => pick({ kind: kinds[at], at: null }), 'other');
    const product = createProduct({
      pick: (at) =>
        pick({
          at,
          ...(at.of === 'x' ? {} : { component: at.column }),
          ...(at.of === 'y' ? {} : { wide: at.row }),
        }),
    });
    const caption = element('span');
    return {
      elements: [
        element('div', { class: 'choices' }, word.element, kind.element),
        figure('before', caption, product.element),
      ],
      show({ row, head, kind: of, component, wide, at: given }, palette) {
        word.show(row);
        kind.show(kinds.indexOf(of));
        const width = encoder[of].dims[2];
        const { weight, bias } = encoder.projections[of];
        const matrix = columnsOf(weight, head * width, (head + 1) * width);
        const x = rowOf(encoder.x.rows, row);
        const y = rowOf(encoder[of], row, head);
        const at = { of: given?.of ?? 'y', row: wide, column: component };
        const [s, w] = [symbols[of], matrices[of]];
        write(caption, `x of “${words[row]}” is upright, each number beside its row of the matrix`);
        product.show({
          ...{ x, w: matrix, y, at, palette },
          called: { x: 'x', w, y: s },
          means: {
            x: `x of ${words[row]}`,
            w: `the matrix of the ${of}`,
            y: `${of} of ${words[row]}`,
          },
          sides: { x: 'read', y: of === 'query' ? 'read' : 'seen' },
        });
        const c = component + 1;
        const follow = {
          says: `Where does x_${wide + 1} come from?`,
          step: 'place',
          place: { row, wide },
        };
        if (at.of === 'x') {
          const says = `x_${wide + 1} of “${words[row]}” = ${formatTerm(x[wide])}`;
          return {
            lines: [says, `It is multiplied with every number of row ${wide + 1}.`],
            trail: [follow],
          };
        }
        const terms = termsOf(x, matrix, component);
        const shift = bias[head * width + component];
        const lines = [
          `${s}_${c} = Σ_i x_i W_i${c} + b_${c}`,
          `${s}_${c} = ${sumOf(terms, y[component], shift)}`,
        ];
        if (at.of === 'w') {
          const number = matrix.data[wide * width + component];
          lines.push(
            `row ${wide + 1} adds ${formatTerm(x[wide])} × ${formatTerm(number)} = ${formatTerm(x[wide] * number)}`,
          );
        }
        return { lines, terms, trail: [follow] };
      },
    };
  },
};
