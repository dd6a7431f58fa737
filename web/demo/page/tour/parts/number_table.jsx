// A small matrix as a table of numbers with arrow-key navigation.

import { useRef } from '../../component.jsx';

/** @import { Cell } from '../../../positions.js' */

/**
 * `format(number, column)` returns the text of a number; `shadeOf(number)` returns { fill, text }; `at`: the chosen number
 * or null; `lit`: highlighted row and column; `blocked`: row and column of a hatched cell, or null; `pick(row, column)` is
 * called with the chosen number. `bare`: without labels, which stand outside the table; each cell then has a full name.
 * @typedef {object} ShownTable
 * @property {string} name
 * @property {string} label
 * @property {string[]} rows
 * @property {string[]} columns
 * @property {(number: number, column: number) => string} format
 * @property {(row: number, column: number) => void} pick
 * @property {boolean} [bare]
 * @property {ArrayLike<number>} data
 * @property {(number: number) => { fill: string, text: string }} shadeOf
 * @property {Cell | null} [at]
 * @property {Partial<Cell>} [lit]
 * @property {Cell | null} [blocked]
 */

/** @param {ShownTable} shown */
export function NumberTable(shown) {
  const { name, label, rows, columns, pick, bare = false, at, lit = {} } = shown;
  const table = useRef(/** @type {HTMLTableElement | null} */ (null));
  const stop = at ?? { row: lit.row ?? 0, column: lit.column ?? 0 };
  function choose(row, column) {
    const to = { row: within(row, rows), column: within(column, columns) };
    pick(to.row, to.column);
    /** @type {NodeListOf<HTMLElement> | undefined} */
    const cells = table.current?.querySelectorAll('td[role]');
    cells?.[to.row * columns.length + to.column].focus({ preventScroll: true });
  }
  return (
    <table ref={table} class={`number-table ${name}`} role="grid" aria-label={label}>
      {!bare && (
        <thead>
          <tr>
            <td />
            {columns.map((word, column) => (
              <th scope="col" class={column === lit.column ? 'is-seen' : ''}>
                <bdi>{word}</bdi>
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map((word, row) => (
          <tr>
            {!bare && (
              <th scope="row" class={row === lit.row ? 'is-read' : ''}>
                <bdi>{word}</bdi>
              </th>
            )}
            {columns.map((_, column) => (
              <NumberCell {...{ shown, row, column, choose }} isStop={isAt(stop, row, column)} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const within = (at, { length }) => Math.max(0, Math.min(length - 1, at));
const isAt = (place, row, column) => row === place?.row && column === place?.column;

function NumberCell({ shown, row, column, choose, isStop }) {
  const { rows, columns, format, bare, data, shadeOf, at, lit = {}, blocked } = shown;
  const number = data[row * columns.length + column];
  const { fill, text } = shadeOf(number);
  const isLit = row === lit.row || column === lit.column;
  const names = [isLit && 'lit', isAt(blocked, row, column) && 'blocked'];
  return (
    <td
      role="gridcell"
      class={names.filter(Boolean).join(' ')}
      tabIndex={isStop ? 0 : -1}
      aria-selected={isAt(at, row, column)}
      aria-label={bare ? `${rows[row]}, ${columns[column]}: ${format(number, column)}` : undefined}
      style={{ backgroundColor: fill, color: text }}
      onClick={() => choose(row, column)}
      onKeyDown={(event) => {
        const to = placeAfter(event, row, column, columns.length - 1);
        if (!to) return;
        event.preventDefault();
        event.stopPropagation();
        choose(...to);
      }}
    >
      {format(number, column)}
    </td>
  );
}

/** Row and column to which a key leads, which may be outside; undefined for other keys. */
function placeAfter({ key, ctrlKey, metaKey, altKey }, row, column, last) {
  const steps = {
    ArrowLeft: [row, column - 1],
    ArrowRight: [row, column + 1],
    ArrowUp: [row - 1, column],
    ArrowDown: [row + 1, column],
    Home: [row, 0],
    End: [row, last],
    Enter: [row, column],
    ' ': [row, column],
  };
  const isOurs = Object.hasOwn(steps, key) && !ctrlKey && !metaKey && !altKey;
  return isOurs ? steps[key] : undefined;
}
