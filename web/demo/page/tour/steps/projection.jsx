// Step: projections. Three learned matrices turn x into query, key and value.

import { formatTerm, sumOf } from '../../number_formats.js';
import { Choice } from '../parts/choice.jsx';
import { Figure } from '../parts/figure.jsx';
import { rowOf } from '../../../tensors.js';
import { columnsOf } from '../parts/numbers.js';
import { Product, termsOf } from '../parts/product.jsx';

const kinds = ['query', 'key', 'value'];
const symbols = { query: 'q', key: 'k', value: 'v' };
const matrices = { query: 'W_Q', key: 'W_K', value: 'W_V' };

/** @import { Step } from '../steps.js' */

/** @type {Step} */
export const projection = {
  id: 'projection',
  title: 'Query, key and value',
  formula: 'q = x W_Q,  k = x W_K,  v = x W_V',
  says: ({ encoder }, { head }) => [
    'From its x every word makes three shorter lists of numbers. The query q: what it looks for. The key k: what it can be found by. The value v: what it gives.',
    `Each is x times a matrix that the model has learned, plus a shift b. These are the matrices of head ${head + 1} in the first layer: ${encoder.x.rows.dims[1]} rows, ${encoder.keyDim} columns.`,
    'Choose any number of the result: it is x times that column of the matrix, number by number, added up.',
  ],

  Figure({ lesson: { words, encoder }, place, palette, pick }) {
    const { row, kind } = place;
    const { x, matrix, y, at } = productIn(encoder, place);
    return (
      <>
        <div class="choices">
          <Choice label="word" names={words} chosen={row} pick={(next) => pick({ row: next })} />
          <Choice
            label="its"
            names={kinds}
            chosen={kinds.indexOf(kind)}
            pick={(next) => pick({ kind: kinds[next], at: null })}
            kind="other"
          />
        </div>
        <Figure
          when="before"
          caption={
            <span>{`x of “${words[row]}” is upright, each number beside its row of the matrix`}</span>
          }
        >
          <Product
            {...{ x, w: matrix, y, at, palette }}
            called={{ x: 'x', w: matrices[kind], y: symbols[kind] }}
            means={{
              x: `x of ${words[row]}`,
              w: `the matrix of the ${kind}`,
              y: `${kind} of ${words[row]}`,
            }}
            sides={{ x: 'read', y: kind === 'query' ? 'read' : 'seen' }}
            pick={(next) =>
              pick({
                at: next,
                ...(next.of === 'x' ? {} : { component: next.column }),
                ...(next.of === 'y' ? {} : { wide: next.row }),
              })
            }
          />
        </Figure>
      </>
    );
  },

  spell({ words, encoder }, place) {
    const { row, kind, component, wide } = place;
    const { x, matrix, y, at, shift } = productIn(encoder, place);
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
    const [s, c] = [symbols[kind], component + 1];
    const lines = [
      `${s}_${c} = Σ_i x_i W_i${c} + b_${c}`,
      `${s}_${c} = ${sumOf(terms, y[component], shift)}`,
    ];
    if (at.of === 'w') {
      const number = matrix.data[wide * y.length + component];
      lines.push(
        `row ${wide + 1} adds ${formatTerm(x[wide])} × ${formatTerm(number)} = ${formatTerm(x[wide] * number)}`,
      );
    }
    return { lines, terms, trail: [follow] };
  },
};

/** x, the matrix of the head and their product; the chosen number, and the shift of its column. */
function productIn(encoder, { row, head, kind, component, wide, at: given }) {
  const width = encoder[kind].dims[2];
  const { weight, bias } = encoder.projections[kind];
  return {
    matrix: columnsOf(weight, head * width, (head + 1) * width),
    x: rowOf(encoder.x.rows, row),
    y: rowOf(encoder[kind], row, head),
    at: { of: given?.of ?? 'y', row: wide, column: component },
    shift: bias[head * width + component],
  };
}
