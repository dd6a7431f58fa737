// Figure of a vector times a matrix, y = x · W: each number of x stands beside its row of W, each of y below its
// column.

import { FormulaText } from '../../component.jsx';
import { formatTerm } from '../../number_formats.js';
import { fixed, largest } from './numbers.js';
import { NumberMatrix } from './number_matrix.jsx';
import { NumberTable } from './number_table.jsx';

/** @import { Palette } from '../../palette.js' */
/** @import { Light } from './matrix_drawing.js' */
/** @import { ShownTable } from './number_table.jsx' */

/**
 * A text for each of the three: x, W and y.
 * @typedef {{ x: string, w: string, y: string }} Three
 */
/** @typedef {{ of: 'x' | 'w' | 'y', row: number, column: number }} ProductPlace */
/**
 * `labels`: a word for each number of x, which stands in a column with the name `symbol`.
 * @typedef {{ labels: string[], symbol: string, format?: (number: number) => string, shadeOf: ShownTable['shadeOf'] }} FewNumbers
 */
/**
 * x and y are arrays, w is { data, dims }; `at`: { of, row, column } of the chosen number; `called`: symbols of the three,
 * `means`: their names in words. `only`: a row that is always highlighted; `part`: rows of x highlighted instead of all.
 * `few`: x is short, and written out as a table.
 * @typedef {object} ShownProduct
 * @property {ArrayLike<number>} x
 * @property {{ data: ArrayLike<number>, dims: readonly number[] }} w
 * @property {ArrayLike<number>} y
 * @property {ProductPlace} at
 * @property {number} [only]
 * @property {Light} [part]
 * @property {Palette} palette
 * @property {Three} called
 * @property {Three} means
 * @property {{ x?: string, y?: string }} [sides]
 * @property {(at: ProductPlace) => void} pick
 * @property {FewNumbers} [few]
 */

/** @param {ShownProduct} shown */
export function Product(shown) {
  const { x, w, y, at, only, palette, called, means, few, sides = {}, pick } = shown;
  const [rows, columns] = w.dims;
  const text = (name, number, place) => `${means[name]}, ${place}: ${formatTerm(number)}`;
  const inW = [
    ...(at.of === 'y' ? [] : [{ row: at.row }]),
    ...(at.of === 'y' && only !== undefined ? [{ row: only }] : []),
    ...(at.of === 'x' ? [] : [{ column: at.column }]),
  ];
  return (
    <div
      class={`product ${few ? 'of-few' : 'of-many'}`}
      style={few && { '--few': few.labels.length }}
    >
      <div class="before">
        <Name text={called.x} />
        {few ? (
          <Few {...few} x={x} at={at} pick={pick} />
        ) : (
          <Many {...shown} rows={rows} text={text} />
        )}
      </div>
      <div class="before">
        <Name text={called.w} />
        <NumberMatrix
          name="w"
          {...{ data: w.data, rows, columns, top: largest(w.data), palette }}
          called={means.w}
          lit={inW}
          at={at.of === 'w' ? { row: at.row, column: at.column } : {}}
          textOf={(row, column) =>
            text('w', w.data[row * columns + column], `row ${row + 1}, column ${column + 1}`)
          }
          pick={(row, column) => pick({ of: 'w', row, column })}
        />
      </div>
      <p class="name">
        <span class="when">after</span>{' '}
        <span>
          <FormulaText text={called.y} />
        </span>
      </p>
      <div class="after">
        <NumberMatrix
          name="lying"
          {...{ data: y, rows: 1, columns, top: largest(y), palette, side: sides.y }}
          called={means.y}
          at={at.of === 'x' ? {} : { row: 0, column: at.column }}
          textOf={(_, column) => text('y', y[column], `number ${column + 1}`)}
          pick={(_, column) => pick({ of: 'y', row: 0, column })}
        />
      </div>
    </div>
  );
}

const Name = ({ text }) => (
  <p class="name">
    <FormulaText text={text} />
  </p>
);

/** @param {FewNumbers & Pick<ShownProduct, 'x' | 'at' | 'pick'>} shown */
function Few({ x, at, labels, symbol, format = (number) => fixed(number), shadeOf, pick }) {
  return (
    <NumberTable
      {...{ name: 'few', label: symbol, rows: labels, columns: [symbol], format, shadeOf }}
      data={x}
      at={at.of === 'x' ? { row: at.row, column: 0 } : null}
      lit={at.of === 'w' ? { row: at.row } : {}}
      pick={(row) => pick({ of: 'x', row, column: 0 })}
    />
  );
}

/** @param {ShownProduct & { rows: number, text(name: string, number: number, place: string): string }} shown */
const Many = ({ x, at, part, rows, palette, means, sides = {}, text, pick }) => (
  <NumberMatrix
    name="standing"
    {...{ data: x, rows, columns: 1, top: largest(x), palette, side: sides.x }}
    called={means.x}
    lit={at.of === 'y' ? [part ?? { column: 0 }] : []}
    at={at.of === 'y' ? {} : { row: at.row, column: 0 }}
    textOf={(row) => text('x', x[row], `number ${row + 1}`)}
    pick={(row) => pick({ of: 'x', row, column: 0 })}
  />
);

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
