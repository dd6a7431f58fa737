// Step: scores, the dot product of every query with every key.

import { formatTerm, sumOf } from '../../number_formats.js';
import { element } from '../../element.js';
import { figure } from '../parts/figure.js';
import { rowOf } from '../../../tensors.js';
import { fixed, headOf, largest } from '../parts/numbers.js';
import { createNumberMatrix } from '../parts/number_matrix.js';
import { createNumberTable } from '../parts/number_table.js';

export const score = {
  id: 'score',
  name: 'q · k',
  title: 'Comparing: the score',
  formula: 'S = Q K^T',
  says: ({ words, encoder }, { row, column }) => [
    `“${words[row]}” asks with its q, “${words[column]}” answers with its k: multiply the two lists number by number, and add up. That is the score q·k. The better they fit, the higher it is.`,
    `Every word asks every word, itself included: ${words.length} × ${words.length} scores of ${encoder.keyDim} products each. Every score stands where the row of its q and the column of its k cross.`,
  ],

  build({ lesson, pick }) {
    const { words, encoder } = lesson;
    const query = createNumberMatrix({
      ...{ name: 'queries', label: 'q of every word' },
      pick: (row, component) => pick({ row, component, at: { of: 'query' } }),
    });
    const key = createNumberMatrix({
      ...{ name: 'keys', label: 'k of every word' },
      pick: (component, column) => pick({ column, component, at: { of: 'key' } }),
    });
    const scores = createNumberTable({
      ...{ name: 'scores', label: 'Scores q·k', rows: words, columns: words, bare: true },
      format: (number) => fixed(number, 1),
      pick: (row, column) => pick({ row, column, at: null }),
    });
    const labels = (where) =>
      element(
        'ol',
        { class: `labels ${where}`, 'aria-hidden': 'true' },
        words.map((word) => element('li', {}, word)),
      );
    const [down, across] = [labels('down'), labels('across')];
    const crossing = element(
      'div',
      { class: 'crossing' },
      figure('before', 'K transposed: one column per word', across, key.element),
      figure('before', 'Q: one row per word', down, query.element),
      figure('after', 'the scores', scores.element),
    );
    crossing.style.setProperty('--words', words.length);
    return {
      elements: [crossing],
      show({ row, column, head, component, at }, palette) {
        const { keyDim } = encoder;
        const [q, k] = [headOf(encoder.query, head), headOf(encoder.key, head)];
        const [n, of] = [words.length, at?.of];
        const turned = Float32Array.from(
          { length: k.length },
          (_, place) => k[(place % n) * keyDim + Math.floor(place / n)],
        );
        const raw = headOf(encoder.raw, head);
        const top = largest(q, k);
        query.show({
          ...{ data: q, rows: n, columns: keyDim, top, palette, side: 'read' },
          lit: [{ row }],
          at: of ? { row, column: component } : {},
          textOf: (line, c) =>
            `q of ${words[line]}, number ${c + 1}: ${formatTerm(q[line * keyDim + c])}`,
        });
        key.show({
          ...{ data: turned, rows: keyDim, columns: n, top, palette, side: 'seen' },
          lit: [{ column }],
          at: of ? { row: component, column } : {},
          textOf: (c, line) =>
            `k of ${words[line]}, number ${c + 1}: ${formatTerm(k[line * keyDim + c])}`,
        });
        const most = largest(raw);
        scores.show({
          data: raw,
          shadeOf: (number) => palette.signedShadeOf(number / most),
          at: of ? null : { row, column },
          lit: { row, column },
        });
        [down, across].forEach((list, side) =>
          Array.from(list.children).forEach((item, place) => {
            item.classList.toggle(
              side === 0 ? 'is-read' : 'is-seen',
              place === (side === 0 ? row : column),
            );
          }),
        );
        return spell({ lesson, row, column, head, component, of, score: raw[row * n + column] });
      },
    };
  },
};

function spell({ lesson: { words, encoder }, row, column, head, component, of, score: total }) {
  const [q, k] = [rowOf(encoder.query, row, head), rowOf(encoder.key, column, head)];
  /** @type {(number: number, c: number) => [number, number, string]} */
  const termOf = (number, c) => [number, k[c], `number ${c + 1}`];
  const terms = Array.from(q, termOf);
  const lines = [
    `q·k = Σ_c q_c k_c, for “${words[row]}” and “${words[column]}”`,
    `q·k = ${sumOf(terms, total)}`,
  ];
  const c = component + 1;
  if (of) {
    lines.push(
      `number ${c} adds q_${c} k_${c} = ${formatTerm(q[component])} × ${formatTerm(k[component])} = ${formatTerm(q[component] * k[component])}`,
    );
  }
  const from = (kind, word, symbol) => ({
    says: `Where does ${symbol} of “${words[word]}” come from?`,
    step: 'projection',
    place: { row: word, kind, component },
  });
  return { lines, terms, trail: [from('query', row, 'q'), from('key', column, 'k')] };
}
