// Step: embedding. A one-hot row times the table E selects one of its rows.

import { formatTerm, sumOf } from '../../number_formats.js';
import { WordChoice } from '../parts/choice.jsx';
import { Figure } from '../parts/figure.jsx';
import { rowOf } from '../../../tensors.js';
import { Product, termsOf } from '../parts/product.jsx';

const count = (number) => number.toLocaleString('en');

/** @import { Step } from '../steps.js' */

/** @type {Step} */
export const embedding = {
  id: 'embedding',
  title: 'Words become numbers',
  formula: 'e = w E',
  says: ({ words, table: { size, dim, ids } }, { row }) => [
    `From here on a trained model reads “${sentenceOf(words)}” It knows ${count(size)} words, pieces of words and marks (<s> begins a sentence, </s> ends it), and has a number for each: “${words[row]}” is ${count(ids[row])}.`,
    `Write that as ${count(size - 1)} zeros and a single 1, and multiply by the table E: every row but one drops out. So a word becomes its row of E, ${dim} numbers that the model has learned.`,
    'Choose another word, or any number, to see what it is made of. Orange is above 0, purple below.',
  ],

  Figure({ lesson: { words, table }, place, palette, pick }) {
    const { row } = place;
    const { numbers, hot, rows, e, at, one } = rowIn(table, place);
    const caption = `“${words[row]}” as zeros and a 1, and ${numbers.length} of the ${count(table.size)} rows of E`;
    return (
      <>
        <WordChoice words={words} row={row} pick={pick} />
        <Figure when="before" caption={<span>{caption}</span>}>
          <Product
            {...{ x: hot, w: rows, y: e, palette, only: one }}
            few={{
              ...{ labels: numbers.map(count), symbol: 'x', format: String },
              shadeOf: (number) => (number === 1 ? palette.read : palette.plain),
            }}
            at={{ ...at, row: at.of === 'y' ? one : at.row }}
            called={{ x: 'w', w: 'E', y: `e of “${words[row]}”` }}
            means={{ x: 'one-hot row', w: 'E', y: `e of “${words[row]}”` }}
            sides={{ y: 'read' }}
            pick={(next) => pick({ at: next, wide: next.of === 'x' ? undefined : next.column })}
          />
        </Figure>
      </>
    );
  },

  spell: (lesson, place) => spell(lesson, place.row, rowIn(lesson.table, place)),
};

/** The rows of E that are shown with their numbers, the one-hot row and the index of its 1, and the chosen number. */
function rowIn(table, { row, wide, at: given }) {
  const { first, rows } = table.windows[row];
  const numbers = Array.from({ length: rows.dims[0] }, (_, at) => first + at);
  const hot = Float32Array.from(numbers, (id) => Number(id === table.ids[row]));
  const one = hot.indexOf(1);
  const at = given ?? { of: 'y', row: one, column: wide };
  return { numbers, hot, rows, e: rowOf(table.rows, row), at, one };
}

export const sentenceOf = (words) => {
  const text = words.filter((word) => !word.startsWith('<')).join(' ');
  return text.replace(/ (?=[.,!?])/g, '');
};

function spell({ words, table }, row, { at, numbers, hot, rows, e, one }) {
  if (at.of === 'x') {
    const word = `“${words[row]}”`;
    const says =
      hot[at.row] === 1 ? `the number of ${word}: a 1` : `not the number of ${word}: a 0`;
    return { lines: [`row ${count(numbers[at.row])} is ${says}`] };
  }
  const name = `e_${at.column + 1}`;
  const terms = termsOf(hot, rows, at.column, (line) => `row ${count(numbers[line])}`);
  const rest = table.size - terms.length;
  const lines = [
    `${name} = Σ_i w_i E_i${at.column + 1}`,
    `${name} = ${sumOf([terms[one]], e[at.column]).replace(/ = .*/, '')} + ${count(terms.length - 1 + rest)} times 0 × … = ${formatTerm(e[at.column])}`,
  ];
  if (at.of === 'w' && at.row !== one) {
    const number = rows.data[at.row * rows.dims[1] + at.column];
    lines.push(`row ${count(numbers[at.row])} has ${formatTerm(number)} there, times 0`);
  }
  return { lines, terms, termsTitle: `the ${terms.length} products shown` };
}
