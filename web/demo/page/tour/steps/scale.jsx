// Step: division by √d_k, with the variance of the scores and its effect on softmax.

import { formatTerm } from '../../number_formats.js';
import { rowOf } from '../../../tensors.js';
import { fixed, headOf, largest, mean, topsOf, variance } from '../parts/numbers.js';
import { TablePair } from '../parts/table_pair.jsx';

/** @import { Step } from '../steps.js' */

/** @type {Step} */
export const scale = {
  id: 'scale',
  title: 'Why divide by √d_k?',
  formula: 's = q·k / √d_k',
  says: ({ words, encoder }, { head }) => {
    const facts = factsOf(encoder, head);
    const d = encoder.keyDim;
    return [
      `A score is a sum of d_k = ${d} products. One product has a variance of ${fixed(facts.ofProducts)} here; the sum of ${d} independent ones would have ${d} times that, ${fixed(d * facts.ofProducts, 1)}. These ${words.length * words.length} scores have ${fixed(facts.ofScores, 1)}: here the products rise and fall together.`,
      `The longer the lists, the larger the variance. Dividing by √${d} = ${fixed(Math.sqrt(d))} divides the variance by ${d}, to ${fixed(facts.ofScaled)}, and so makes up for the length.`,
      `The next step needs that. Undivided, the scores would give nearly everything to one word: the largest weight of a row would be ${fixed(facts.topUnscaled)} on average. Divided, it is ${fixed(facts.top)}.`,
    ];
  },

  Figure({ lesson: { words, encoder }, place: { row, column, head, at }, palette, pick }) {
    const [raw, scaled] = [headOf(encoder.raw, head), headOf(encoder.scaled, head)];
    const top = largest(raw);
    const facts = factsOf(encoder, head);
    const of = at?.of ?? 'after';
    const place = { row, column };
    const shared = {
      ...{ rows: words, columns: words, lit: place },
      shadeOf: (number) => palette.signedShadeOf(number / top),
    };
    return (
      <TablePair
        before={{
          ...{ ...shared, caption: 'scores q·k', data: raw, at: of === 'before' ? place : null },
          format: (x) => fixed(x, 1),
          more: `variance ${fixed(facts.ofScores)}`,
        }}
        after={{
          ...{ ...shared, caption: 'scaled scores s', data: scaled },
          at: of === 'after' ? place : null,
          format: (x) => fixed(x),
          more: `variance ${fixed(facts.ofScaled)}`,
        }}
        happens={`÷ √${encoder.keyDim}`}
        pick={(line, along, side) => pick({ row: line, column: along, at: { of: side } })}
      />
    );
  },

  spell({ words, encoder }, { row, column, head }) {
    const [raw, scaled] = [headOf(encoder.raw, head), headOf(encoder.scaled, head)];
    const facts = factsOf(encoder, head);
    const cell = row * words.length + column;
    return {
      lines: [
        `s = ${formatTerm(raw[cell])} / √${encoder.keyDim} = ${formatTerm(raw[cell])} / ${formatTerm(Math.sqrt(encoder.keyDim))} = ${formatTerm(scaled[cell])}, for “${words[row]}” and “${words[column]}”`,
        `The variance is the mean of (number − ${fixed(mean(raw))})^2 over all ${raw.length} scores: ${fixed(facts.ofScores)}. Divided by √${encoder.keyDim} each, ${fixed(facts.ofScores)} / ${encoder.keyDim} = ${fixed(facts.ofScaled)}.`,
      ],
      trail: [
        {
          says: `Where does ${fixed(raw[cell], 1)} come from?`,
          step: 'score',
          place: { row, column },
        },
      ],
    };
  },
};

/** Statistics of one head. */
export function factsOf(encoder, head) {
  const rows = encoder.query.dims[1];
  const products = [];
  for (let row = 0; row < rows; ++row) {
    const q = rowOf(encoder.query, row, head);
    for (let column = 0; column < rows; ++column) {
      const k = rowOf(encoder.key, column, head);
      q.forEach((number, c) => products.push(number * k[c]));
    }
  }
  return {
    ofProducts: variance(products),
    ofScores: variance(headOf(encoder.raw, head)),
    ofScaled: variance(headOf(encoder.scaled, head)),
    topUnscaled: mean(topsOf(headOf(encoder.weightsUnscaled, head), rows)),
    top: mean(topsOf(headOf(encoder.weights, head), rows)),
  };
}
