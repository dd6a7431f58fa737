// The canvas for assistive technology: a grid of the true size, of which the selected cell is
// present and says what it holds. It is the canvas's own content, which is there to be read, not seen.

import { makeElement, setAttributes } from './made_element.js';

let instances = 0;

export function createSemantics(canvas) {
  const name = `heatmap-${++instances}-`;
  const row = makeElement('div', { role: 'row' });
  canvas.append(row);
  const states = ['label', 'rowcount', 'colcount', 'activedescendant'].map((key) => `aria-${key}`);
  const before = ['role', 'tabindex', ...states].map((key) => [key, canvas.getAttribute(key)]);
  setAttributes(canvas, { role: 'grid', tabindex: canvas.getAttribute('tabindex') ?? 0 });

  return {
    /** An element in the canvas that is not seen, to ask the browser about colours. */
    probe: row,
    say(label, { rows, columns }, selected, text) {
      setAttributes(canvas, {
        'aria-label': label,
        'aria-rowcount': rows,
        'aria-colcount': columns,
      });
      // Another id for another cell, so that moving to it is announced.
      const [at, column] = selected ? [selected.row + 1, selected.column + 1] : [];
      const id = name + (selected ? `${at}-${column}` : 'none');
      if (row.firstChild?.id === id && row.textContent === text) return;
      const cell = makeElement('div', { role: 'gridcell' }, { id, textContent: text });
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
