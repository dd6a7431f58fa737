// Step: cross-attention. Queries come from another text, and its alignment with this one appears.

import { rowOf } from '../../../tensors.js';
import { fixed, headOf } from '../parts/numbers.js';
import { createChoice, figure } from '../parts/figure.js';
import { createAlignment } from '../parts/alignment.js';
import { createPair } from '../parts/table_pair.js';
import { spellScore, spellSoftmax } from '../parts/weight_spelling.js';
import { sentenceOf } from './embedding.js';

export const cross = {
  id: 'cross',
  name: 'two texts',
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

  build({ lesson, pick }) {
    const { words, french, cross: attention, encoder } = lesson;
    const choice = createChoice(
      'head',
      Array.from({ length: attention.heads }, (_, head) => String(head + 1)),
      (crossHead) => pick({ crossHead }),
      'other',
    );
    const format = (x) => fixed(x);
    const pair = createPair({
      before: { rows: words, columns: words, format, caption: 'the English looks at itself' },
      after: { rows: french, columns: words, format, caption: 'the French looks at the English' },
      happens: 'queries from the French',
      pick: (row, column, side) =>
        pick(
          side === 'before'
            ? { row, column, at: { of: side } }
            : { reads: row, seen: column, at: { of: side } },
        ),
    });
    const lines = createAlignment(french, words, (row, column) =>
      pick({ reads: row, seen: column, at: null }),
    );
    return {
      elements: [
        choice.element,
        pair.element,
        figure('after', 'who looks at whom: the stronger, the thicker', lines.element),
      ],
      show({ row, column, head, reads, seen, crossHead, at }, palette) {
        const of = at?.of ?? 'after';
        const shadeOf = (number) => palette.shadeOf(number);
        choice.show(crossHead);
        lines.show({ weights: headOf(attention.weights, crossHead), row: reads, column: seen });
        pair.show({
          before: {
            ...{ data: headOf(encoder.weights, head), shadeOf, lit: { row, column } },
            at: of === 'before' ? { row, column } : null,
          },
          after: {
            ...{
              data: headOf(attention.weights, crossHead),
              shadeOf,
              lit: { row: reads, column: seen },
            },
            at: of === 'after' ? { row: reads, column: seen } : null,
          },
        });
        if (of === 'before') {
          const weight = rowOf(encoder.weights, row, head)[column];
          return {
            lines: spellSoftmax(rowOf(encoder.scaled, row, head), column, weight, words),
            trail: [{ says: 'its softmax', step: 'softmax', place: { row, column } }],
          };
        }
        const names = [french[reads], words[seen]];
        const { terms, lines: scored } = spellScore(attention, {
          ...{ head: crossHead, row: reads, column: seen, names },
        });
        const scaled = rowOf(attention.scaled, reads, crossHead);
        const weight = rowOf(attention.weights, reads, crossHead)[seen];
        return { terms, lines: [...scored, ...spellSoftmax(scaled, seen, weight, words)] };
      },
    };
  },
};
