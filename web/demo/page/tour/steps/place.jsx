// Step: positional encoding and layer norm, from rows of E to x.

import { formatTerm } from '../../number_formats.js';
import { WordChoice } from '../parts/choice.jsx';
import { Figure, Operation } from '../parts/figure.jsx';
import { rowOf } from '../../../tensors.js';
import { fixed, largest, mean, variance } from '../parts/numbers.js';
import { NumberMatrix } from '../parts/number_matrix.jsx';

const epsilon = 1e-5;

/** @import { VNode } from 'preact' */
/** @import { Tensor } from 'attention-wasm' */
/** @import { Step } from '../steps.js' */

/** @type {Step} */
export const place = {
  id: 'place',
  title: 'Where the word stands',
  formula: 'x = norm(√d · e + p)',
  says: ({ words, places: { rows } }, { row }) => [
    `The same word has the same row of E wherever it stands, so its position has to be added: the model multiplies e by √d, here √${rows.dims[1]} = ${fixed(Math.sqrt(rows.dims[1]), 1)}, and adds a pattern of waves, p, different at every position: “${words[row]}” gets that of position ${row + 1}.`,
    `Then the sum, h, is normalized: its ${rows.dims[1]} numbers are brought to mean 0 and variance 1, and each is multiplied by a learned factor and shifted by a learned amount. The result is x. All that follows starts from it.`,
  ],

  Figure({ lesson: { words, places }, place: { row, wide, at }, palette, pick }) {
    const of = at?.of ?? 'x';
    /** @type {(name: string, label: string, tensor: Tensor) => VNode} */
    const matrix = (name, label, { data, dims: [rows, columns] }) => (
      <div class="lined">
        <ol class="labels" aria-hidden="true">
          {words.map((word) => (
            <li>{word}</li>
          ))}
        </ol>
        <NumberMatrix
          {...{ name, label, data, rows, columns, palette, top: largest(data), side: 'read' }}
          lit={[{ row }, { column: wide }]}
          at={name === of ? { row, column: wide } : {}}
          textOf={(line, column) =>
            `${name} of ${words[line]}, number ${column + 1}: ${formatTerm(data[line * columns + column])}`
          }
          pick={(line, column) => pick({ row: line, wide: column, at: { of: name } })}
        />
      </div>
    );
    return (
      <>
        <WordChoice words={words} row={row} pick={pick} />
        <Figure when="before" caption="e of every word, one row each">
          {matrix('e', 'e of every word', places.rows)}
        </Figure>
        <Operation text="× √d, + p" />
        <Figure when="added" caption="p, the waves of every position">
          {matrix('p', 'waves of every position', places.waves)}
        </Figure>
        <Operation text="normalize" />
        <Figure when="after" caption="x of every word">
          {matrix('x', 'x of every word', places.x)}
        </Figure>
      </>
    );
  },

  spell: (lesson, { row, wide }) => spell(lesson, row, wide),
};

function spell({ words, places }, row, wide) {
  const at = (tensor) => rowOf(tensor, row)[wide];
  const numbers = rowOf(places.sum, row);
  const [middle, spread] = [mean(numbers), Math.sqrt(variance(numbers) + epsilon)];
  const c = wide + 1;
  return {
    lines: [
      `h_${c} = ${formatTerm(places.factor)} × ${formatTerm(at(places.rows))} + ${formatTerm(at(places.waves))} = ${formatTerm(numbers[wide])}, for “${words[row]}”`,
      `x_${c} = (${formatTerm(numbers[wide])} − ${formatTerm(middle)}) / ${formatTerm(spread)} × ${formatTerm(places.weight[wide])} + ${formatTerm(places.bias[wide])} = ${formatTerm(at(places.x))}`,
      `${formatTerm(middle)} is the mean of its ${numbers.length} numbers h, ${formatTerm(spread)} their standard deviation`,
    ],
    trail: [{ says: `Where does e_${c} come from?`, step: 'embedding', place: { row, wide } }],
  };
}
