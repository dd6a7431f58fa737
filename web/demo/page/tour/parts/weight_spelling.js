// Text lines that derive a weight from the vectors of its pair or the scores of its row.

import { formatTerm, sumOf } from '../../number_formats.js';
import { rowOf } from '../../../tensors.js';
import { fixed, sum } from './numbers.js';

/** A weight from the scores of its row. */
export function spellSoftmax(scores, column, weight, words) {
  const seen = scores.filter((score) => score > -Infinity);
  const powers = Array.from(seen, Math.exp);
  const list = powers.map((power) => fixed(power));
  const total = fixed(sum(powers));
  if (scores[column] === -Infinity)
    return [`hidden, so it counts as −∞: α = exp(−∞) / ${total} = 0`];
  return [
    `exp(${formatTerm(scores[column])}) = ${formatTerm(Math.exp(scores[column]))}, for “${words[column]}”`,
    `sum of the row: ${list.join(' + ')} = ${total}`,
    `α = ${formatTerm(Math.exp(scores[column]))} / ${formatTerm(sum(powers))} = ${formatTerm(weight)}`,
  ];
}

/** The score of a pair, q·k and its division by √d_k, with all products: { lines, terms }. */
export function spellScore(attention, { head, row, column, names }) {
  const q = rowOf(attention.query, row, head);
  const k = rowOf(attention.key, column, head);
  /** @type {(number: number, c: number) => [number, number, string]} */
  const termOf = (number, c) => [number, k[c], `number ${c + 1}`];
  const terms = Array.from(q, termOf);
  const raw = rowOf(attention.raw, row, head)[column];
  const scaled = rowOf(attention.scaled, row, head)[column];
  return {
    terms,
    lines: [
      `q of “${names[0]}” · k of “${names[1]}” = ${sumOf(terms, raw)}`,
      `s = ${formatTerm(raw)} / √${attention.keyDim} = ${formatTerm(scaled)}`,
    ],
  };
}
