// Reads every visible cell and value of an <attention-map> by moving the pointer over it.

/** { values, rows, columns }: values by 'row,column', as text (so that −∞ is preserved); `frame` is a page or a frame. */
export function cellsOfMap(frame) {
  return frame.evaluate(() => {
    const map = /** @type {Element & { shadowRoot: ShadowRoot }} */ (
      document.querySelector('attention-map:not([hidden])')
    );
    const canvas = /** @type {Element} */ (map.shadowRoot.querySelector('canvas'));
    const { left, top, right, bottom } = canvas.getBoundingClientRect();
    const values = {};
    const [rows, columns] = [new Map(), new Map()];
    const listen = (event) => {
      const { detail } = /** @type {CustomEvent} */ (event);
      if (detail?.row === undefined || detail.column === undefined) return;
      values[`${detail.row},${detail.column}`] = String(detail.value);
      rows.set(detail.row, detail.rowLabel);
      columns.set(detail.column, detail.columnLabel);
    };
    map.addEventListener('hover', listen);
    // The pointer reaches visible cells only.
    const inSight = [Math.min(right, innerWidth), Math.min(bottom, innerHeight)];
    for (let y = Math.max(0, top) + 1; y < inSight[1]; y += 4) {
      for (let x = Math.max(0, left) + 1; x < inSight[0]; x += 4) {
        const place = {
          clientX: x,
          clientY: y,
          bubbles: true,
          pointerType: 'mouse',
          isPrimary: true,
        };
        canvas.dispatchEvent(new PointerEvent('pointermove', place));
      }
    }
    map.removeEventListener('hover', listen);
    const inOrder = (labels) => [...labels].sort(([a], [b]) => a - b).map(([, label]) => label);
    return { values, rows: inOrder(rows), columns: inOrder(columns) };
  });
}
