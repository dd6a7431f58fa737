// Access to every number of a canvas by mouse, touch and arrow keys. For screen readers it is a slider whose value is
// the current number.

/**
 * `move(row, column, how)` is called with `how` 'over' for hovering, else 'on'. `where`: the element whose box the
 * numbers fill.
 */
export function createNumberCursor(target, move) {
  let shape = { rows: 1, columns: 1 };
  let at = { row: 0, column: 0 };
  target.setAttribute('role', 'slider');
  target.tabIndex = 0;

  const within = (place, count) => Math.max(0, Math.min(count - 1, place));
  function placeOf({ clientX, clientY }) {
    const { left, top, width, height } = target.getBoundingClientRect();
    return {
      row: within(Math.floor(((clientY - top) / height) * shape.rows), shape.rows),
      column: within(Math.floor(((clientX - left) / width) * shape.columns), shape.columns),
    };
  }
  function go(row, column) {
    move(within(row, shape.rows), within(column, shape.columns), 'on');
  }

  target.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    const { row, column } = placeOf(event);
    go(row, column);
  });
  target.addEventListener('pointermove', (event) => {
    const { row, column } = placeOf(event);
    if (event.buttons === 1) go(row, column);
    else if (event.pointerType === 'mouse') move(row, column, 'over');
  });
  target.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    if (ctrlKey || metaKey || altKey || shiftKey) return;
    const page = Math.max(1, Math.round(shape.columns / 10));
    const { row, column } = at;
    const oneRow = shape.rows === 1;
    const steps = {
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      ArrowUp: oneRow ? [row, column + 1] : [row - 1, column],
      ArrowDown: oneRow ? [row, column - 1] : [row + 1, column],
      PageUp: oneRow
        ? [row, column + page]
        : [row - Math.max(1, Math.round(shape.rows / 10)), column],
      PageDown: oneRow
        ? [row, column - page]
        : [row + Math.max(1, Math.round(shape.rows / 10)), column],
      Home: [row, 0],
      End: [row, shape.columns - 1],
    };
    if (!Object.hasOwn(steps, key)) return;
    event.preventDefault();
    event.stopPropagation();
    go(...steps[key]);
  });

  return {
    /** `says`: text of the current number and its position. */
    show({ rows = 1, columns, row = 0, column = 0, says }) {
      shape = { rows, columns };
      at = { row: within(row, rows), column: within(column, columns) };
      const values = {
        min: 1,
        max: Math.max(1, rows * columns),
        now: at.row * columns + at.column + 1,
      };
      for (const [name, value] of Object.entries({ ...values, text: says })) {
        const attribute = `aria-value${name}`;
        if (target.getAttribute(attribute) !== String(value)) target.setAttribute(attribute, value);
      }
    },
  };
}
