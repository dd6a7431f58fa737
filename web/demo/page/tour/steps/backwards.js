// Step: causal mask. Later words are hidden, and the rest of each row sums to 1 again.

import { formatTerm } from '../../number_formats.js';
import { rowOf } from '../../../tensors.js';
import { fixed, headOf, sum } from '../parts/numbers.js';
import { write } from '../../element.js';
import { createChoice } from '../parts/figure.js';
import { createPair } from '../parts/table_pair.js';
import { spellScore, spellSoftmax } from '../parts/weight_spelling.js';

export const backwards = {
  id: 'backwards',
  name: 'backwards',
  title: 'Looking only backwards',
  formula: 's_j = −∞ for j after the word',
  says: ({ french, written }, { later }) => [
    'So far every word saw the whole sentence. A writer cannot: what comes next is not there yet. While it is learning, the model must not peek, or it would only learn to copy.',
    `This is the half of the model that writes the French. Each row is named after the word just written and is about to write the next one: after “${written[later]}” comes “${french[later]}”.`,
    'Everything later gets the score −∞. Its weight is exp(−∞) = 0, exactly, and the rest of the row is scaled up so that it adds up to 1 again.',
  ],

  build({ lesson, pick }) {
    const { written, decoder } = lesson;
    const choice = createChoice(
      'head',
      Array.from({ length: decoder.heads }, (_, head) => String(head + 1)),
      (backHead) => pick({ backHead }),
      'other',
    );
    const sides = { rows: written, columns: written, format: (x) => fixed(x) };
    const pair = createPair({
      before: { ...sides, caption: 'as if all were visible' },
      after: { ...sides, caption: 'only backwards' },
      happens: 'hide what comes later',
      pick: (later, laterColumn, side) => pick({ later, laterColumn, at: { of: side } }),
    });
    return {
      elements: [choice.element, pair.element],
      show({ later, laterColumn, backHead, at }, palette) {
        const width = written.length;
        const [free, masked] = [
          headOf(decoder.weightsUnmasked, backHead),
          headOf(decoder.weights, backHead),
        ];
        const of = at?.of ?? 'after';
        const place = { row: later, column: laterColumn };
        choice.show(backHead);
        const shadeOf = (number) => (number === 0 ? palette.hidden : palette.shadeOf(number));
        pair.show({
          before: { data: free, at: of === 'before' ? place : null, lit: place, shadeOf },
          after: { data: masked, at: of === 'after' ? place : null, lit: place, shadeOf },
        });
        const line = masked.subarray(later * width, (later + 1) * width);
        write(pair.more.after, `row of “${written[later]}”: sum ${formatTerm(sum(line))}`);
        const all = of === 'before';
        const scores = rowOf(all ? decoder.scaled : decoder.masked, later, backHead);
        const weight = (all ? free : masked)[later * width + laterColumn];
        const names = [written[later], written[laterColumn]];
        const { terms, lines } = spellScore(decoder, {
          ...{ head: backHead, row: later, column: laterColumn, names },
        });
        return { terms, lines: [...lines, ...spellSoftmax(scores, laterColumn, weight, written)] };
      },
    };
  },
};
