// The canvas for assistive technology: a grid of the true size, of which the selected cell is
// present and says what it holds. It is the canvas's own content, which is there to be read, not seen.

let instances = 0;

export function createSemantics(canvas) {
  const name = `heatmap-${++instances}`;
  const row = document.createElement('div');
  row.setAttribute('role', 'row');
  canvas.append(row);
  const before = ['role', 'tabindex', 'aria-label'].map((key) => [key, canvas.getAttribute(key)]);
  canvas.setAttribute('role', 'grid');
  if (!canvas.hasAttribute('tabindex')) canvas.tabIndex = 0;

  return {
    /** An element in the canvas that is not seen, to ask the browser about colours. */
    probe: row,
    say({ label, rows, columns, selected, text }) {
      canvas.setAttribute('aria-label', label);
      canvas.setAttribute('aria-rowcount', rows);
      canvas.setAttribute('aria-colcount', columns);
      // Another id for another cell, so that moving to it is announced.
      const id = selected ? `${name}-${selected.row + 1}-${selected.column + 1}` : `${name}-none`;
      if (row.firstChild?.id === id && row.textContent === text) return;
      const cell = document.createElement('div');
      cell.id = id;
      cell.setAttribute('role', 'gridcell');
      if (selected) {
        row.setAttribute('aria-rowindex', selected.row + 1);
        cell.setAttribute('aria-colindex', selected.column + 1);
        cell.setAttribute('aria-selected', 'true');
      }
      cell.textContent = text;
      row.replaceChildren(cell);
      canvas.setAttribute('aria-activedescendant', id);
    },
    remove() {
      row.remove();
      for (const key of ['aria-rowcount', 'aria-colcount', 'aria-activedescendant']) {
        canvas.removeAttribute(key);
      }
      for (const [key, value] of before) {
        if (value === null) canvas.removeAttribute(key);
        else canvas.setAttribute(key, value);
      }
    },
  };
}
