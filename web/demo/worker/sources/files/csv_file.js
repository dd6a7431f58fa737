// CSV matrix: one line per row, with commas, semicolons or tabs between numbers; a line of column labels and a column
// of row labels are optional.

import Papa from 'papaparse';

const isNumber = (cell) => cell.trim() !== '' && !Number.isNaN(numberIn(cell));
const numberIn = (cell) => Number(cell.trim().replace(/^([-+]?)(inf|infinity)$/i, '$1Infinity'));

/**
 * @returns {{ data, dims, rows: string[] | null, columns: string[] | null }}
 * @throws an Error with a sentence for the reader
 */
export function readCSV(text) {
  const { data: lines, errors } = Papa.parse(text.replace(/^\uFEFF/, ''), {
    skipEmptyLines: 'greedy',
    delimitersToGuess: [',', ';', '\t'],
  });
  const broken = errors.find(({ type }) => type === 'Quotes');
  if (broken) throw new Error(`line ${(broken.row ?? 0) + 1}: a quotation mark is never closed`);
  if (lines.length === 0) throw new Error('it is empty');
  const [first] = lines;
  // A header line: its first field is empty, as this page writes it, or none of its fields is a number.
  const isLabeled = first[0].trim() === '' || first.every((cell) => !isNumber(cell));
  const body = isLabeled ? lines.slice(1) : lines;
  if (body.length === 0) throw new Error('it has a line of labels and no numbers');
  const hasRowLabels =
    (isLabeled && first[0].trim() === '' && first.length > 1) ||
    body.every((cells) => cells.length > 1 && !isNumber(cells[0]) && !isBad(cells[0]));
  const skip = hasRowLabels ? 1 : 0;
  const width = body[0].length - skip;
  const data = new Float32Array(body.length * width);
  body.forEach((cells, row) => {
    const line = row + (isLabeled ? 2 : 1);
    if (cells.length - skip !== width) {
      throw new Error(
        `line ${line} has ${cells.length - skip} numbers, where the first has ${width}`,
      );
    }
    cells.slice(skip).forEach((cell, column) => {
      if (!isNumber(cell) && !isBad(cell)) {
        throw new Error(`row ${row + 1}, column ${column + 1} is “${shortened(cell)}”, no number`);
      }
      data[row * width + column] = numberIn(cell);
    });
  });
  return {
    data,
    dims: [body.length, width],
    rows: hasRowLabels ? body.map(([label]) => label) : null,
    columns: isLabeled && first.length === width + skip ? first.slice(skip) : null,
  };
}

// Spellings of "not a number" in other programs; rejected when the numbers are checked.
const isBad = (cell) => /^[-+]?(nan|inf|infinity)$/i.test(cell.trim());
const shortened = (text) => (text.length > 24 ? `${text.slice(0, 24)}…` : text);
