// Two tables over the same words, before and after an operation.

import { element } from '../../element.js';
import { figure, operation } from './figure.js';
import { createNumberTable } from './number_table.js';

/**
 * `before` and `after`: { caption, format, rows, columns }; `happens`: the operation between them. A number is chosen
 * in both: `pick(row, column, side)`.
 */
export function createPair({ before, after, happens, pick }) {
  const tables = Object.entries({ before, after }).map(
    ([side, { caption, format, rows, columns }]) => {
      const table = createNumberTable({
        ...{ name: side, label: caption, rows, columns, format },
        pick: (row, column) => pick(row, column, side),
      });
      const more = element('p', { class: 'more' });
      return { table, more, figure: figure(side, caption, table.element, more) };
    },
  );
  const [first, second] = tables;
  return {
    element: element(
      'div',
      { class: 'pair-of-tables' },
      first.figure,
      operation(happens),
      second.figure,
    ),
    more: { before: first.more, after: second.more },
    show({ before: old, after: made }) {
      first.table.show(old);
      second.table.show(made);
    },
  };
}
