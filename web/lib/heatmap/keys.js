// Keys: the cell that one goes to, and the zoom that one asks for.

import { clamp } from './layout.js';

/** { row, column }, or null for a key that goes nowhere; `page` is how many rows are in sight. */
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

/** A factor, 0 for everything in sight, or null. */
export function keyZoom({ key, ctrlKey, metaKey }) {
  if (ctrlKey || metaKey) return null;
  return { __proto__: null, '+': 1.5, '=': 1.5, '-': 1 / 1.5, _: 1 / 1.5, 0: 0 }[key] ?? null;
}
