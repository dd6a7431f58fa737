// Step: causal mask. Later words are hidden, and the rest of each row sums to 1 again.

import { formatTerm } from '../../number_formats.js';
import { rowOf } from '../../../tensors.js';
import { fixed, headOf, sum } from '../parts/numbers.js';
import { HeadChoice } from '../parts/choice.jsx';
import { TablePair } from '../parts/table_pair.jsx';
import { spellScore, spellSoftmax } from '../parts/weight_spelling.js';

/** @import { Step } from '../steps.js' */

/** @type {Step} */
export const backwards = {
  id: 'backwards',
  title: 'Looking only backwards',
  formula: 's_j = −∞ for j after the word',
  says: ({ french, written }, { later }) => [
    'So far every word saw the whole sentence. A writer cannot: what comes next is not there yet. While it is learning, the model must not peek, or it would only learn to copy.',
    `This is the half of the model that writes the French. Each row is named after the word just written and is about to write the next one: after “${written[later]}” comes “${french[later]}”.`,
    'Everything later gets the score −∞. Its weight is exp(−∞) = 0, exactly, and the rest of the row is scaled up so that it adds up to 1 again.',
  ],

  Figure({ lesson: { written, decoder }, place, palette, pick }) {
    const { later, laterColumn, backHead, at } = place;
    const width = written.length;
    const masked = headOf(decoder.weights, backHead);
    const of = at?.of ?? 'after';
    const lit = { row: later, column: laterColumn };
    const shared = {
      ...{ rows: written, columns: written, lit, format: (x) => fixed(x) },
      shadeOf: (number) => (number === 0 ? palette.hidden : palette.shadeOf(number)),
    };
    const line = masked.subarray(later * width, (later + 1) * width);
    return (
      <>
        <HeadChoice
          count={decoder.heads}
          chosen={backHead}
          pick={(next) => pick({ backHead: next })}
        />
        <TablePair
          before={{
            ...{ ...shared, caption: 'as if all were visible' },
            data: headOf(decoder.weightsUnmasked, backHead),
            at: of === 'before' ? lit : null,
          }}
          after={{
            ...{ ...shared, caption: 'only backwards', data: masked },
            at: of === 'after' ? lit : null,
            more: `row of “${written[later]}”: sum ${formatTerm(sum(line))}`,
          }}
          happens="hide what comes later"
          pick={(row, column, side) => pick({ later: row, laterColumn: column, at: { of: side } })}
        />
      </>
    );
  },

  spell({ written, decoder }, { later, laterColumn, backHead, at }) {
    const isAll = at?.of === 'before';
    const scores = rowOf(isAll ? decoder.scaled : decoder.masked, later, backHead);
    const weights = rowOf(isAll ? decoder.weightsUnmasked : decoder.weights, later, backHead);
    const names = [written[later], written[laterColumn]];
    const { terms, lines } = spellScore(decoder, {
      ...{ head: backHead, row: later, column: laterColumn, names },
    });
    const weight = weights[laterColumn];
    return { terms, lines: [...lines, ...spellSoftmax(scores, laterColumn, weight, written)] };
  },
};
