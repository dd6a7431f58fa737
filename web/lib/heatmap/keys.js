// Keyboard control: the cell that a key selects, and the zoom that it requests.

import { clamp } from './layout.js';

/** The cell { row, column } that a key selects, or null for other keys; page: rows per page key. */
export function keyTarget({ key, ctrlKey, metaKey }, { row, column }, { rows, columns, page }) {
  const to = (r, c) => ({ row: clamp(r, 0, rows - 1), column: clamp(c, 0, columns - 1) });
  const far = ctrlKey || metaKey;
  const targets = {
    ArrowLeft: to(row, far ? 0 : column - 1),
    ArrowRight: to(row, far ? columns : column + 1),
    ArrowUp: to(far ? 0 : row - 1, column),
    ArrowDown: to(far ? rows : row + 1, column),
    PageUp: to(row - page, column),
    PageDown: to(row + page, column),
    Home: to(far ? 0 : row, 0),
    End: to(far ? rows : row, columns),
  };
  return Object.hasOwn(targets, key) ? targets[key] : null;
}

/** The zoom factor of a key; 0 shows the whole matrix, null: not a zoom key. */
export function keyZoom({ key, ctrlKey, metaKey }) {
  if (ctrlKey || metaKey) return null;
  return { __proto__: null, '+': 1.5, '=': 1.5, '-': 1 / 1.5, _: 1 / 1.5, 0: 0 }[key] ?? null;
}
