// Step: scores, the dot product of every query with every key.

import { formatTerm, sumOf } from '../../number_formats.js';
import { Figure } from '../parts/figure.jsx';
import { rowOf } from '../../../tensors.js';
import { fixed, headOf, largest } from '../parts/numbers.js';
import { NumberMatrix } from '../parts/number_matrix.jsx';
import { NumberTable } from '../parts/number_table.jsx';

/** @import { Step } from '../steps.js' */

/** @type {Step} */
export const score = {
  id: 'score',
  title: 'Comparing: the score',
  formula: 'S = Q K^T',
  says: ({ words, encoder }, { row, column }) => [
    `“${words[row]}” asks with its q, “${words[column]}” answers with its k: multiply the two lists number by number, and add up. That is the score q·k. The better they fit, the higher it is.`,
    `Every word asks every word, itself included: ${words.length} × ${words.length} scores of ${encoder.keyDim} products each. Every score stands where the row of its q and the column of its k cross.`,
  ],

  Figure({ lesson: { words, encoder }, place, palette, pick }) {
    const { row, column, head, component, at } = place;
    const { keyDim } = encoder;
    const [q, k] = [headOf(encoder.query, head), headOf(encoder.key, head)];
    const [n, of] = [words.length, at?.of];
    const turned = Float32Array.from(
      { length: k.length },
      (_, index) => k[(index % n) * keyDim + Math.floor(index / n)],
    );
    const raw = headOf(encoder.raw, head);
    const [top, most] = [largest(q, k), largest(raw)];
    return (
      <div class="crossing" style={{ '--words': n }}>
        <Figure when="before" caption="K transposed: one column per word">
          <Labels words={words} where="across" at={column} name="is-seen" />
          <NumberMatrix
            {...{ name: 'keys', label: 'k of every word', data: turned, rows: keyDim, columns: n }}
            {...{ top, palette, side: 'seen' }}
            lit={[{ column }]}
            at={of ? { row: component, column } : {}}
            textOf={(c, line) =>
              `k of ${words[line]}, number ${c + 1}: ${formatTerm(k[line * keyDim + c])}`
            }
            pick={(c, line) => pick({ column: line, component: c, at: { of: 'key' } })}
          />
        </Figure>
        <Figure when="before" caption="Q: one row per word">
          <Labels words={words} where="down" at={row} name="is-read" />
          <NumberMatrix
            {...{ name: 'queries', label: 'q of every word', data: q, rows: n, columns: keyDim }}
            {...{ top, palette, side: 'read' }}
            lit={[{ row }]}
            at={of ? { row, column: component } : {}}
            textOf={(line, c) =>
              `q of ${words[line]}, number ${c + 1}: ${formatTerm(q[line * keyDim + c])}`
            }
            pick={(line, c) => pick({ row: line, component: c, at: { of: 'query' } })}
          />
        </Figure>
        <Figure when="after" caption="the scores">
          <NumberTable
            {...{ name: 'scores', label: 'Scores q·k', rows: words, columns: words, bare: true }}
            format={(number) => fixed(number, 1)}
            data={raw}
            shadeOf={(number) => palette.signedShadeOf(number / most)}
            at={of ? null : { row, column }}
            lit={{ row, column }}
            pick={(line, along) => pick({ row: line, column: along, at: null })}
          />
        </Figure>
      </div>
    );
  },

  spell,
};

const Labels = ({ words, where, at, name }) => (
  <ol class={`labels ${where}`} aria-hidden="true">
    {words.map((word, index) => (
      <li class={index === at ? name : ''}>{word}</li>
    ))}
  </ol>
);

function spell({ words, encoder }, { row, column, head, component, at }) {
  const total = rowOf(encoder.raw, row, head)[column];
  const [q, k] = [rowOf(encoder.query, row, head), rowOf(encoder.key, column, head)];
  /** @type {(number: number, c: number) => [number, number, string]} */
  const termOf = (number, c) => [number, k[c], `number ${c + 1}`];
  const terms = Array.from(q, termOf);
  const lines = [
    `q·k = Σ_c q_c k_c, for “${words[row]}” and “${words[column]}”`,
    `q·k = ${sumOf(terms, total)}`,
  ];
  const c = component + 1;
  if (at?.of) {
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
