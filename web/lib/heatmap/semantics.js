// Accessibility: the canvas has the role of a grid of the matrix's size, which contains the selected cell with its text.
// The content of a canvas is not displayed, but read by assistive technology.

import { newElement, setAttributes } from './elements.js';

let instances = 0;

export function createSemantics(canvas) {
  const name = `heatmap-${++instances}-`;
  const row = newElement('div', { role: 'row' });
  canvas.append(row);
  const states = ['label', 'rowcount', 'colcount', 'activedescendant'].map((key) => `aria-${key}`);
  const before = ['role', 'tabindex', ...states].map((key) => [key, canvas.getAttribute(key)]);
  setAttributes(canvas, { role: 'grid', tabindex: canvas.getAttribute('tabindex') ?? 0 });

  return {
    /** An undisplayed element in the canvas, to compute colors with. */
    probe: row,
    update(label, { rows, columns }, selected, text) {
      setAttributes(canvas, {
        'aria-label': label,
        'aria-rowcount': rows,
        'aria-colcount': columns,
      });
      // Each cell has its own id, so that screen readers announce a change.
      const [at, column] = selected ? [selected.row + 1, selected.column + 1] : [];
      const id = name + (selected ? `${at}-${column}` : 'none');
      if (row.firstChild?.id === id && row.textContent === text) return;
      const cell = newElement('div', { role: 'gridcell' }, { id, textContent: text });
      if (selected) {
        row.setAttribute('aria-rowindex', at);
        setAttributes(cell, { 'aria-colindex': column, 'aria-selected': true });
      }
      row.replaceChildren(cell);
      canvas.setAttribute('aria-activedescendant', id);
    },
    remove() {
      row.remove();
      for (const [key, value] of before) {
        if (value === null) canvas.removeAttribute(key);
        else canvas.setAttribute(key, value);
      }
    },
  };
}
