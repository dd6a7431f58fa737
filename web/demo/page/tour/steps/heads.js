// Step: several heads, concatenated and multiplied by W_O.

import { formatTerm, sumOf } from '../../number_formats.js';
import { rowOf } from '../../../tensors.js';
import { fixed } from '../parts/numbers.js';
import { element, write } from '../../element.js';
import { createChoice, figure, operation } from '../parts/figure.js';
import { createNumberTable } from '../parts/number_table.js';
import { createProduct, termsOf } from '../parts/product.js';

const named = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];

export const heads = {
  id: 'heads',
  name: 'heads',
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

  build({ lesson, pick }) {
    const { words, encoder } = lesson;
    const choice = createChoice('word', words, (row) => pick({ row, at: null }));
    const looks = createNumberTable({
      ...{ name: 'looks', label: 'Weights of the word in each head', columns: words },
      rows: Array.from({ length: encoder.heads }, (_, head) => `head ${head + 1}`),
      format: (number) => fixed(number),
      pick: (head, column) => pick({ head, column, at: { of: 'look' } }),
    });
    const product = createProduct({
      pick: (at) =>
        pick({
          at: { of: at.of },
          ...(at.of === 'y' ? {} : { joined: at.row, head: Math.floor(at.row / encoder.keyDim) }),
          ...(at.of === 'x' ? {} : { out: at.column }),
        }),
    });
    const caption = element('span');
    const captionOfLooks = element('span');
    return {
      elements: [
        choice.element,
        figure('before', captionOfLooks, looks.element),
        operation('Σ α v in each head, end to end'),
        figure('after', caption, product.element),
      ],
      show({ row, column, head, joined, out, at: given }, palette) {
        const weights = Float32Array.from(
          Array.from({ length: encoder.heads }, (_, one) => [
            ...rowOf(encoder.weights, row, one),
          ]).flat(),
        );
        const top = Math.max(...weights);
        const of = given?.of ?? 'y';
        choice.show(row);
        write(captionOfLooks, `where each head looks from “${words[row]}”`);
        looks.show({
          ...{ data: weights, shadeOf: (number) => palette.shadeOf(number / top) },
          at: of === 'look' ? { row: head, column } : null,
          lit: { row: head },
        });
        const x = rowOf(encoder.outputs, row);
        const y = rowOf(encoder.output, row);
        const { weight, bias } = encoder.projections.output;
        write(caption, `the outputs of ${encoder.heads} heads, end to end before W`);
        caption.append(element('sub', {}, 'O'));
        const at = { of: of === 'look' ? 'y' : of, row: joined, column: out };
        product.show({
          ...{ x, w: weight, y, at, palette },
          part: { row: head * encoder.keyDim, span: encoder.keyDim },
          called: { x: 'o', w: 'W_O', y: 'y' },
          means: {
            x: `outputs of the heads of ${words[row]}`,
            w: 'W O',
            y: `the result of ${words[row]}`,
          },
          sides: { x: 'read', y: 'read' },
        });
        const own = `head ${head + 1}, number ${(joined % encoder.keyDim) + 1}`;
        if (of === 'look') {
          const number = rowOf(encoder.weights, row, head)[column];
          return {
            lines: [
              `Head ${head + 1} looks from “${words[row]}” at “${words[column]}” with ${formatTerm(number)}.`,
            ],
            trail: [{ says: 'its softmax', step: 'softmax', place: { row, column, head } }],
          };
        }
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
