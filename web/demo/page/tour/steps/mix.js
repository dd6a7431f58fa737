// Step: the output, the weighted sum of the values.

import { formatTerm, sumOf } from '../../number_formats.js';
import { rowOf } from '../../../tensors.js';
import { fixed, headOf } from '../parts/numbers.js';
import { element, write } from '../../element.js';
import { createChoice, figure } from '../parts/figure.js';
import { createProduct, termsOf } from '../parts/product.js';

export const mix = {
  id: 'mix',
  name: 'Σ α v',
  title: 'Mix the values',
  formula: 'o = Σ_j α_j v_j',
  says: ({ words, encoder }, { row, head }) => {
    const weights = rowOf(encoder.weights, row, head);
    const order = Array.from(weights.keys()).sort((a, b) => weights[b] - weights[a]);
    const [first, second] = order.map(
      (at) => `${fixed(100 * weights[at], 0)}\u00a0% of “${words[at]}”`,
    );
    return [
      `Now “${words[row]}” takes every word’s value v in proportion to its weight: ${first}, ${second}, and so on. What comes out is o.`,
      'That is the point of it all. Before, each word knew only itself and its position. Now its numbers have something of the words it looks at.',
    ];
  },

  build({ lesson, pick }) {
    const { words, encoder } = lesson;
    const choice = createChoice('word', words, (row) => pick({ row }));
    const product = createProduct({
      labels: words,
      symbol: 'α',
      pick: (at) =>
        pick({
          at: { of: at.of },
          ...(at.of === 'y' ? {} : { column: at.row }),
          ...(at.of === 'x' ? {} : { component: at.column }),
        }),
    });
    const caption = element('span');
    return {
      elements: [choice.element, figure('before', caption, product.element)],
      show({ row, column, head, component, at: given }, palette) {
        const weights = rowOf(encoder.weights, row, head);
        const values = { data: headOf(encoder.value, head), dims: encoder.value.dims.slice(1) };
        const o = rowOf(encoder.outputs, row).subarray(
          head * values.dims[1],
          (head + 1) * values.dims[1],
        );
        const at = { of: given?.of ?? 'y', row: column, column: component };
        const top = Math.max(...weights);
        choice.show(row);
        write(
          caption,
          `the weights of “${words[row]}” stand before the values of all words, one row each`,
        );
        product.show({
          ...{ x: weights, w: values, y: o, at, palette },
          shadeOf: (number) => palette.shadeOf(number / top),
          called: { x: 'α', w: 'V', y: `o of “${words[row]}”` },
          means: { x: `weights of ${words[row]}`, w: 'V', y: `o of ${words[row]}` },
          sides: { y: 'read' },
        });
        const c = component + 1;
        const terms = termsOf(weights, values, component, (line) => words[line]);
        const lines = [`o_${c} = Σ_j α_j v_j${c}`, `o_${c} = ${sumOf(terms, o[component])}`];
        if (at.of !== 'y') {
          const value = values.data[column * values.dims[1] + component];
          lines.push(
            `“${words[column]}” adds ${formatTerm(weights[column])} × ${formatTerm(value)} = ${formatTerm(weights[column] * value)}`,
          );
        }
        return {
          ...{ lines, terms },
          trail: [
            {
              says: `Where does ${formatTerm(weights[column])} come from?`,
              step: 'softmax',
              place: { row, column },
            },
            {
              says: `Where does v of “${words[column]}” come from?`,
              step: 'projection',
              place: { row: column, kind: 'value', component },
            },
          ],
        };
      },
    };
  },
};
