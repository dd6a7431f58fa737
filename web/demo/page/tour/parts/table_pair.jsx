// Two tables over the same words, before and after an operation.

import { Figure, Operation } from './figure.jsx';
import { NumberTable } from './number_table.jsx';

/** @import { ComponentChildren } from 'preact' */
/** @import { ShownTable } from './number_table.jsx' */
/**
 * `above` and `more` stand above and below the table.
 * @typedef {Omit<ShownTable, 'name' | 'label' | 'pick'> & { caption: string, above?: ComponentChildren, more?: string }} Side
 */

/**
 * `happens`: the operation between them. A number is chosen in both: `pick(row, column, side)`. `isOpen`: there is no
 * second matrix.
 * @param {{ before: Side, after: Side, happens: string, pick(row: number, column: number, side: string): void,
 * isOpen?: boolean, children?: ComponentChildren }} shown
 */
export const TablePair = ({ before, after, happens, pick, isOpen, children }) => (
  <div class={isOpen ? 'pair-of-tables is-open' : 'pair-of-tables'}>
    <TableOfPair name="before" side={before} pick={pick} />
    <Operation text={happens} />
    <TableOfPair name="after" side={after} pick={pick} />
    {children}
  </div>
);

/** @param {{ name: string, side: Side, pick(row: number, column: number, side: string): void }} shown */
const TableOfPair = ({ name, side: { caption, above, more = '', ...table }, pick }) => (
  <Figure when={name} caption={caption}>
    {above}
    <NumberTable
      {...table}
      name={name}
      label={caption}
      pick={(row, column) => pick(row, column, name)}
    />
    <p class="more">{more}</p>
  </Figure>
);
