// Step: embedding. A one-hot row times the table E selects one of its rows.

import { formatTerm, sumOf } from '../../number_formats.js';
import { createChoice, figure } from '../parts/figure.js';
import { rowOf } from '../../../tensors.js';
import { createProduct, termsOf } from '../parts/product.js';
import { element, write } from '../../element.js';

const count = (number) => number.toLocaleString('en');

export const embedding = {
  id: 'embedding',
  name: 'E',
  title: 'Words become numbers',
  formula: 'e = w E',
  says: ({ words, table: { size, dim, ids } }, { row }) => [
    `From here on a trained model reads “${sentenceOf(words)}” It knows ${count(size)} words, pieces of words and marks (<s> begins a sentence, </s> ends it), and has a number for each: “${words[row]}” is ${count(ids[row])}.`,
    `Write that as ${count(size - 1)} zeros and a single 1, and multiply by the table E: every row but one drops out. So a word becomes its row of E, ${dim} numbers that the model has learned.`,
    'Choose another word, or any number, to see what it is made of. Orange is above 0, purple below.',
  ],

  build({ lesson, pick }) {
    const { words, table } = lesson;
    const choice = createChoice('word', words, (row) => pick({ row, at: null }));
    const indices = Array.from({ length: table.windows[0].rows.dims[0] }, (_, at) => String(at));
    const product = createProduct({
      labels: indices,
      symbol: 'x',
      format: String,
      pick: (at) => pick({ at, wide: at.of === 'x' ? undefined : at.column }),
    });
    const labels = Array.from(product.element.querySelectorAll('tbody th bdi'));
    const caption = element('span');
    return {
      elements: [choice.element, figure('before', caption, product.element)],
      show({ row, wide, at: given }, palette) {
        const { first, rows } = table.windows[row];
        const numbers = labels.map((_, place) => first + place);
        const hot = Float32Array.from(numbers, (id) => Number(id === table.ids[row]));
        const place = hot.indexOf(1);
        const at = given ?? { of: 'y', row: place, column: wide };
        const e = rowOf(table.rows, row);
        choice.show(row);
        labels.forEach((label, line) => write(label, count(numbers[line])));
        write(
          caption,
          `“${words[row]}” as zeros and a 1, and ${numbers.length} of the ${count(table.size)} rows of E`,
        );
        product.show({
          ...{ x: hot, w: rows, y: e, palette, only: place },
          at: { ...at, row: at.of === 'y' ? place : at.row },
          shadeOf: (number) => (number === 1 ? palette.read : palette.plain),
          called: { x: 'w', w: 'E', y: `e of “${words[row]}”` },
          means: { x: 'one-hot row', w: 'E', y: `e of “${words[row]}”` },
          sides: { y: 'read' },
        });
        return spell({ lesson, row, at, numbers, hot, rows, e });
      },
    };
  },
};

export const sentenceOf = (words) => {
  const text = words.filter((word) => !word.startsWith('<')).join(' ');
  return text.replace(/ (?=[.,!?])/g, '');
};

function spell({ lesson: { words, table }, row, at, numbers, hot, rows, e }) {
  if (at.of === 'x') {
    const word = `“${words[row]}”`;
    const says =
      hot[at.row] === 1 ? `the number of ${word}: a 1` : `not the number of ${word}: a 0`;
    return { lines: [`row ${count(numbers[at.row])} is ${says}`] };
  }
  const place = hot.indexOf(1);
  const name = `e_${at.column + 1}`;
  const terms = termsOf(hot, rows, at.column, (line) => `row ${count(numbers[line])}`);
  const rest = table.size - terms.length;
  const lines = [
    `${name} = Σ_i w_i E_i${at.column + 1}`,
    `${name} = ${sumOf([terms[place]], e[at.column]).replace(/ = .*/, '')} + ${count(terms.length - 1 + rest)} times 0 × … = ${formatTerm(e[at.column])}`,
  ];
  if (at.of === 'w' && at.row !== place) {
    const number = rows.data[at.row * rows.dims[1] + at.column];
    lines.push(`row ${count(numbers[at.row])} has ${formatTerm(number)} there, times 0`);
  }
  return { lines, terms, termsTitle: `the ${terms.length} products shown` };
}
