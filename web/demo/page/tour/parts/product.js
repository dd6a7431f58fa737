// Figure of a vector times a matrix, y = x · W: each number of x stands beside its row of W, each of y below its
// column.

import { element, writeFormula } from '../../element.js';
import { formatTerm } from '../../number_formats.js';
import { fixed, largest } from './numbers.js';
import { createNumberMatrix } from './number_matrix.js';
import { createNumberTable } from './number_table.js';

/** @import { Palette } from '../../palette.js' */
/** @import { Light } from './number_matrix.js' */
/** @import { ShownTable } from './number_table.js' */

/**
 * A text for each of the three: x, W and y.
 * @typedef {{ x: string, w: string, y: string }} Three
 */
/**
 * @typedef {object} ShownProduct
 * @property {ArrayLike<number>} x
 * @property {{ data: ArrayLike<number>, dims: readonly number[] }} w
 * @property {ArrayLike<number>} y
 * @property {{ of: 'x' | 'w' | 'y', row: number, column: number }} at
 * @property {number} [only]
 * @property {Light} [part]
 * @property {Palette} palette
 * @property {Three} called
 * @property {Three} means
 * @property {ShownTable['shadeOf']} [shadeOf]
 * @property {{ x?: string, y?: string }} [sides]
 */

/**
 * `pick({ of: 'x' | 'w' | 'y', row, column })` is called with the chosen number. `labels`: a word for each number of x,
 * which is then short and written out as `format` has it, in a column with the name `symbol`.
 * @param {{ pick: (at: { of: 'x' | 'w' | 'y', row: number, column: number }) => void, labels?: string[], symbol?: string,
 * format?: (number: number) => string }} made
 */
export function createProduct({ pick, labels, symbol, format = (number) => fixed(number) }) {
  const names = { x: element('p', { class: 'name' }), w: element('p', { class: 'name' }) };
  const yName = element('span');
  /** @param {number} row */
  const pickX = (row) => pick({ of: 'x', row, column: 0 });
  const few =
    labels &&
    createNumberTable({
      ...{ name: 'few', label: symbol, rows: labels, columns: [symbol], format },
      pick: pickX,
    });
  const many = createNumberMatrix({ name: 'standing', pick: pickX });
  const w = createNumberMatrix({
    name: 'w',
    pick: (row, column) => pick({ of: 'w', row, column }),
  });
  const y = createNumberMatrix({
    name: 'lying',
    pick: (_, column) => pick({ of: 'y', row: 0, column }),
  });
  const root = element(
    'div',
    { class: `product ${labels ? 'of-few' : 'of-many'}` },
    element('div', { class: 'before' }, names.x, (few ?? many).element),
    element('div', { class: 'before' }, names.w, w.element),
    element('p', { class: 'name' }, element('span', { class: 'when' }, 'after'), ' ', yName),
    element('div', { class: 'after' }, y.element),
  );
  if (labels) root.style.setProperty('--few', labels.length);

  return {
    element: root,
    /**
     * x and y are arrays, w is { data, dims }; `at`: { of, row, column } of the chosen number; `called`: symbols of the
     * three, `means`: their names in words. `only`: a row that is always highlighted; `part`: rows of x highlighted
     * instead of all.
     * @param {ShownProduct} shown
     */
    show({
      x: numbers,
      w: matrix,
      y: result,
      at,
      only,
      part,
      palette,
      called,
      means,
      shadeOf,
      sides = {},
    }) {
      const [rows, columns] = matrix.dims;
      for (const name of ['x', 'w']) writeFormula(names[name], called[name]);
      writeFormula(yName, called.y);
      const text = (name, number, place) => `${means[name]}, ${place}: ${formatTerm(number)}`;
      if (few && shadeOf) {
        const isChosen = at.of === 'x';
        few.show({
          data: numbers,
          shadeOf,
          at: isChosen ? { row: at.row, column: 0 } : null,
          lit: at.of === 'w' ? { row: at.row } : {},
        });
      } else {
        many.show({
          ...{ data: numbers, rows, columns: 1, top: largest(numbers), palette, side: sides.x },
          called: means.x,
          lit: at.of === 'y' ? [part ?? { column: 0 }] : [],
          at: at.of === 'y' ? {} : { row: at.row, column: 0 },
          textOf: (row) => text('x', numbers[row], `number ${row + 1}`),
        });
      }
      w.show({
        ...{ data: matrix.data, rows, columns, top: largest(matrix.data), palette },
        called: means.w,
        lit: [
          ...(at.of === 'y' ? [] : [{ row: at.row }]),
          ...(at.of === 'y' && only !== undefined ? [{ row: only }] : []),
          ...(at.of === 'x' ? [] : [{ column: at.column }]),
        ],
        at: at.of === 'w' ? { row: at.row, column: at.column } : {},
        textOf: (row, column) =>
          text('w', matrix.data[row * columns + column], `row ${row + 1}, column ${column + 1}`),
      });
      y.show({
        ...{ data: result, rows: 1, columns, top: largest(result), palette, side: sides.y },
        called: means.y,
        at: at.of === 'x' ? {} : { row: 0, column: at.column },
        textOf: (_, column) => text('y', result[column], `number ${column + 1}`),
      });
    },
  };
}

/**
 * Products whose sum is a number of y.
 * @param {ArrayLike<number>} x
 * @param {{ data: ArrayLike<number>, dims: readonly number[] }} w
 * @param {number} column
 * @param {(row: number) => string} [of]
 * @returns {[number, number, string?][]}
 */
export function termsOf(x, { data, dims: [, columns] }, column, of) {
  return Array.from(x, (number, row) => [number, data[row * columns + column], of?.(row)]);
}
