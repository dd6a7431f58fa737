// Step: the output, the weighted sum of the values.

import { formatTerm, sumOf } from '../../number_formats.js';
import { rowOf } from '../../../tensors.js';
import { fixed, headOf } from '../parts/numbers.js';
import { Choice } from '../parts/choice.jsx';
import { Figure } from '../parts/figure.jsx';
import { Product, termsOf } from '../parts/product.jsx';

/** @import { Step } from '../steps.js' */

/** @type {Step} */
export const mix = {
  id: 'mix',
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

  Figure({ lesson: { words, encoder }, place, palette, pick }) {
    const { row } = place;
    const { weights, values, o, at } = productIn(encoder, place);
    const top = Math.max(...weights);
    const caption = `the weights of “${words[row]}” stand before the values of all words, one row each`;
    return (
      <>
        <Choice label="word" names={words} chosen={row} pick={(next) => pick({ row: next })} />
        <Figure when="before" caption={<span>{caption}</span>}>
          <Product
            {...{ x: weights, w: values, y: o, at, palette }}
            few={{
              ...{ labels: words, symbol: 'α' },
              shadeOf: (number) => palette.shadeOf(number / top),
            }}
            called={{ x: 'α', w: 'V', y: `o of “${words[row]}”` }}
            means={{ x: `weights of ${words[row]}`, w: 'V', y: `o of ${words[row]}` }}
            sides={{ y: 'read' }}
            pick={(next) =>
              pick({
                at: { of: next.of },
                ...(next.of === 'y' ? {} : { column: next.row }),
                ...(next.of === 'x' ? {} : { component: next.column }),
              })
            }
          />
        </Figure>
      </>
    );
  },

  spell({ words, encoder }, place) {
    const { row, column, component } = place;
    const { weights, values, o, at } = productIn(encoder, place);
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

/** The weights of the word, the values, and their product; the chosen number. */
function productIn(encoder, { row, column, head, component, at }) {
  const values = { data: headOf(encoder.value, head), dims: encoder.value.dims.slice(1) };
  const width = values.dims[1];
  return {
    values,
    weights: rowOf(encoder.weights, row, head),
    o: rowOf(encoder.outputs, row).subarray(head * width, (head + 1) * width),
    at: { of: at?.of ?? 'y', row: column, column: component },
  };
}
