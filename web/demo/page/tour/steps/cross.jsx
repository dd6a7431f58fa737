// Step: cross-attention. Queries come from another text, and its alignment with this one appears.

import { rowOf } from '../../../tensors.js';
import { fixed, headOf } from '../parts/numbers.js';
import { Alignment } from '../parts/alignment.jsx';
import { HeadChoice } from '../parts/choice.jsx';
import { Figure } from '../parts/figure.jsx';
import { TablePair } from '../parts/table_pair.jsx';
import { spellScore, spellSoftmax } from '../parts/weight_spelling.js';
import { sentenceOf } from './embedding.jsx';

/** @import { Step } from '../steps.js' */

/** @type {Step} */
export const cross = {
  id: 'cross',
  title: 'Two texts: cross-attention',
  formula: 'q = x_French W_Q,  k, v = x_English W_K, W_V',
  says: ({ words, french, cross: { weights }, layers }, { reads, crossHead }) => {
    const line = rowOf(weights, reads, crossHead);
    const most = line.indexOf(Math.max(...line));
    return [
      `One last change: the queries come from another text. The model writes “${sentenceOf(french)}” and for each word, just before it writes it, asks the English: where should I look?`,
      `“${french[reads]}” looks at “${words[most]}” with weight ${fixed(line[most])} (layer ${layers.cross}, head ${crossHead + 1}). French puts the color after the noun, and the weights follow it across. The model was never told which word belongs to which: it found this alignment by learning to translate.`,
      'Each row is named after the word about to be written, as on the page.',
      'Note: weights show where numbers come from. They are not explanations. The last step tests one.',
    ];
  },

  Figure({ lesson: { words, french, cross: attention, encoder }, place, palette, pick }) {
    const { row, column, head, reads, seen, crossHead, at } = place;
    const of = at?.of ?? 'after';
    const weights = headOf(attention.weights, crossHead);
    const [own, other] = [
      { row, column },
      { row: reads, column: seen },
    ];
    const shared = {
      ...{ columns: words, format: (x) => fixed(x) },
      shadeOf: (number) => palette.shadeOf(number),
    };
    return (
      <>
        <HeadChoice
          count={attention.heads}
          chosen={crossHead}
          pick={(next) => pick({ crossHead: next })}
        />
        <TablePair
          before={{
            ...{ ...shared, rows: words, caption: 'the English looks at itself', lit: own },
            data: headOf(encoder.weights, head),
            at: of === 'before' ? own : null,
          }}
          after={{
            ...{ ...shared, rows: french, caption: 'the French looks at the English', lit: other },
            data: weights,
            at: of === 'after' ? other : null,
          }}
          happens="queries from the French"
          pick={(line, along, side) =>
            pick(
              side === 'before'
                ? { row: line, column: along, at: { of: side } }
                : { reads: line, seen: along, at: { of: side } },
            )
          }
        />
        <Figure when="after" caption="who looks at whom: the stronger, the thicker">
          <Alignment
            {...{ rows: french, columns: words, weights, row: reads, column: seen }}
            pick={(line, along) => pick({ reads: line, seen: along, at: null })}
          />
        </Figure>
      </>
    );
  },

  spell({ words, french, cross: attention, encoder }, place) {
    const { row, column, head, reads, seen, crossHead, at } = place;
    if (at?.of === 'before') {
      const weight = rowOf(encoder.weights, row, head)[column];
      return {
        lines: spellSoftmax(rowOf(encoder.scaled, row, head), column, weight, words),
        trail: [{ says: 'its softmax', step: 'softmax', place: { row, column } }],
      };
    }
    const names = [french[reads], words[seen]];
    const { terms, lines } = spellScore(attention, {
      ...{ head: crossHead, row: reads, column: seen, names },
    });
    const scaled = rowOf(attention.scaled, reads, crossHead);
    const weight = rowOf(attention.weights, reads, crossHead)[seen];
    return { terms, lines: [...lines, ...spellSoftmax(scaled, seen, weight, words)] };
  },
};
