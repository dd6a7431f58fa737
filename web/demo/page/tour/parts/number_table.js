// A small matrix as a table of numbers with arrow-key navigation.

import { element, write } from '../../element.js';

/** @import { Cell } from '../../../positions.js' */

/**
 * @typedef {object} ShownTable
 * @property {ArrayLike<number>} data
 * @property {(number: number) => { fill: string, text: string }} shadeOf
 * @property {Cell | null} [at]
 * @property {Partial<Cell>} [lit]
 * @property {Cell | null} [blocked]
 */

/**
 * `pick(row, column)` is called with the chosen number; `format(number, column)` returns its text. `bare`: without
 * labels, which stand outside the table; each cell then has a full accessible name.
 */
export function createNumberTable({ name, label, rows, columns, format, pick, bare = false }) {
  const head = columns.map((word) => element('th', { scope: 'col' }, element('bdi', {}, word)));
  const lines = rows.map((word) => element('th', { scope: 'row' }, element('bdi', {}, word)));
  const cells = rows.map((_, row) =>
    columns.map((_column, column) =>
      element('td', { role: 'gridcell', tabindex: '-1', click: () => choose(row, column) }),
    ),
  );
  const root = element(
    'table',
    { class: `number-table ${name}`, role: 'grid', 'aria-label': label },
    !bare && element('thead', {}, element('tr', {}, element('td', {}), head)),
    element(
      'tbody',
      {},
      lines.map((line, row) => element('tr', {}, !bare && line, cells[row])),
    ),
  );
  let at = { row: 0, column: 0 };

  function choose(row, column) {
    const [toRow, toColumn] = [
      Math.max(0, Math.min(rows.length - 1, row)),
      Math.max(0, Math.min(columns.length - 1, column)),
    ];
    pick(toRow, toColumn);
    cells[toRow][toColumn].focus({ preventScroll: true });
  }
  root.addEventListener('keydown', (event) => {
    const { row, column } = placeOf(event.target) ?? at;
    const steps = {
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      Home: [row, 0],
      End: [row, columns.length - 1],
      Enter: [row, column],
      ' ': [row, column],
    };
    if (!Object.hasOwn(steps, event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    choose(...steps[event.key]);
  });
  function placeOf(cell) {
    const row = cells.findIndex((line) => line.includes(cell));
    return row < 0 ? null : { row, column: cells[row].indexOf(cell) };
  }

  return {
    element: root,
    /**
     * `shadeOf(number)` returns { fill, text }; `at`: the chosen number or null; `lit`: highlighted row and column;
     * `blocked`: row and column of a hatched cell, or null.
     * @param {ShownTable} shown
     */
    show({ data, shadeOf, at: chosen = null, lit = {}, blocked = null }) {
      at = chosen ?? { row: lit.row ?? 0, column: lit.column ?? 0 };
      cells.forEach((line, row) =>
        line.forEach((cell, column) => {
          const number = data[row * columns.length + column];
          write(cell, format(number, column));
          if (bare)
            cell.setAttribute(
              'aria-label',
              `${rows[row]}, ${columns[column]}: ${format(number, column)}`,
            );
          const { fill, text } = shadeOf(number);
          cell.style.backgroundColor = fill;
          cell.style.color = text;
          const isChosen = chosen !== null && row === chosen.row && column === chosen.column;
          cell.setAttribute('aria-selected', String(isChosen));
          cell.tabIndex = row === at.row && column === at.column ? 0 : -1;
          cell.classList.toggle('lit', row === lit.row || column === lit.column);
          cell.classList.toggle('blocked', row === blocked?.row && column === blocked?.column);
        }),
      );
      lines.forEach((line, row) => line.classList.toggle('is-read', row === lit.row));
      head.forEach((word, column) => word.classList.toggle('is-seen', column === lit.column));
    },
  };
}
