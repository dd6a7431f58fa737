// Step: several heads, concatenated and multiplied by W_O.

import { formatTerm, sumOf } from '../../number_formats.js';
import { rowOf } from '../../../tensors.js';
import { fixed } from '../parts/numbers.js';
import { WordChoice } from '../parts/choice.jsx';
import { Figure, Operation } from '../parts/figure.jsx';
import { NumberTable } from '../parts/number_table.jsx';
import { Product, termsOf } from '../parts/product.jsx';

const named = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];

/** @import { Step } from '../steps.js' */

/** @type {Step} */
export const heads = {
  id: 'heads',
  title: 'Several heads, one result',
  formula: 'y = concat(o_1, o_2, …) W_O',
  says: ({ words, encoder }, { row }) => {
    const looks = Array.from({ length: encoder.heads }, (_, head) => {
      const weights = rowOf(encoder.weights, row, head);
      return words[weights.indexOf(Math.max(...weights))];
    });
    const width = encoder.outputs.dims[1];
    const count = named[encoder.heads] ?? encoder.heads;
    return [
      `A word may want to look at more than one thing. So all of this happens ${count} times side by side, each time with different matrices. For “${words[row]}”, heads 1 to ${encoder.heads} look most at ${listOf(looks)}, in turn.`,
      `Their outputs are put end to end: ${encoder.heads} × ${encoder.keyDim} = ${width} numbers. A last matrix, W_O, mixes what the heads found into one row of ${encoder.output.dims[1]} again.`,
    ];
  },

  Figure({ lesson: { words, encoder }, place, palette, pick }) {
    const { row, column, head, joined, out, at: given } = place;
    const each = Array.from({ length: encoder.heads }, (_, one) => one);
    const weights = each.flatMap((one) => Array.from(rowOf(encoder.weights, row, one)));
    const top = Math.max(...weights);
    const of = given?.of ?? 'y';
    /** @type {'x' | 'w' | 'y'} */
    const chosen = of === 'x' || of === 'w' ? of : 'y';
    return (
      <>
        <WordChoice words={words} row={row} pick={pick} />
        <Figure when="before" caption={<span>{`where each head looks from “${words[row]}”`}</span>}>
          <NumberTable
            {...{ name: 'looks', label: 'Weights of the word in each head', columns: words }}
            rows={each.map((one) => `head ${one + 1}`)}
            format={(number) => fixed(number)}
            data={weights}
            shadeOf={(number) => palette.shadeOf(number / top)}
            at={of === 'look' ? { row: head, column } : null}
            lit={{ row: head }}
            pick={(line, along) => pick({ head: line, column: along, at: { of: 'look' } })}
          />
        </Figure>
        <Operation text="Σ α v in each head, end to end" />
        <Figure
          when="after"
          caption={
            <span>
              {`the outputs of ${encoder.heads} heads, end to end before W`}
              <sub>O</sub>
            </span>
          }
        >
          <Product
            {...{ x: rowOf(encoder.outputs, row), y: rowOf(encoder.output, row), palette }}
            w={encoder.projections.output.weight}
            at={{ of: chosen, row: joined, column: out }}
            part={{ row: head * encoder.keyDim, span: encoder.keyDim }}
            called={{ x: 'o', w: 'W_O', y: 'y' }}
            means={{
              x: `outputs of the heads of ${words[row]}`,
              w: 'W O',
              y: `the result of ${words[row]}`,
            }}
            sides={{ x: 'read', y: 'read' }}
            pick={(next) =>
              pick({
                at: { of: next.of },
                ...(next.of === 'y'
                  ? {}
                  : { joined: next.row, head: Math.floor(next.row / encoder.keyDim) }),
                ...(next.of === 'x' ? {} : { out: next.column }),
              })
            }
          />
        </Figure>
      </>
    );
  },

  spell({ words, encoder }, { row, column, head, joined, out, at }) {
    const of = at?.of ?? 'y';
    if (of === 'look') {
      const number = rowOf(encoder.weights, row, head)[column];
      return {
        lines: [
          `Head ${head + 1} looks from “${words[row]}” at “${words[column]}” with ${formatTerm(number)}.`,
        ],
        trail: [{ says: 'its softmax', step: 'softmax', place: { row, column, head } }],
      };
    }
    const x = rowOf(encoder.outputs, row);
    const y = rowOf(encoder.output, row);
    const { weight, bias } = encoder.projections.output;
    const own = `head ${head + 1}, number ${(joined % encoder.keyDim) + 1}`;
    const terms = termsOf(
      x,
      weight,
      out,
      (line) => `head ${Math.floor(line / encoder.keyDim) + 1}`,
    );
    const c = out + 1;
    const lines = [
      `y_${c} = Σ_i o_i W_i${c} + b_${c}`,
      `y_${c} = ${sumOf(terms, y[out], bias[out])}`,
    ];
    if (of !== 'y') {
      const number = weight.data[joined * weight.dims[1] + out];
      lines.push(
        `${own} adds ${formatTerm(x[joined])} × ${formatTerm(number)} = ${formatTerm(x[joined] * number)}`,
      );
    } else lines.push(sharesOf(terms, encoder));
    return {
      ...{ lines, terms },
      trail: [
        {
          says: `Where does ${own} come from?`,
          step: 'mix',
          place: { row, head, component: joined % encoder.keyDim },
        },
      ],
    };
  },
};

/** Contribution of each head to a number of y. */
function sharesOf(terms, { heads: count, keyDim }) {
  const shares = Array.from({ length: count }, (_, head) => {
    const own = terms.slice(head * keyDim, (head + 1) * keyDim);
    return `head ${head + 1} contributes ${formatTerm(own.reduce((all, [a, b]) => all + a * b, 0))}`;
  });
  return shares.join(', ');
}

function listOf(words) {
  const quoted = words.map((word) => `“${word}”`);
  return quoted.length < 2
    ? quoted.join('')
    : `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}`;
}
