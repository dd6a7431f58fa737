// Pointer and keyboard input of the table view, and its visible part.

/**
 * `placeOf(element)` returns { row, column } or null; `selected()` returns { selected, counts, isWhole } of the table,
 * whose `isMoved` is set when a key moves the selection.
 */
export function listenToTable(room, { select, hover, placeOf, selected }) {
  // Scrolling by keys below a resting pointer must not hover another cell.
  room.addEventListener('pointermove', ({ target, pointerType }) => {
    if (pointerType !== 'touch') hover(placeOf(target));
  });
  room.addEventListener('pointerleave', () => hover(null));
  room.addEventListener('click', ({ target }) => {
    const place = placeOf(target);
    // Marked text is for copying: no cell is selected.
    if (place && getSelection()?.isCollapsed) select(place);
  });
  room.addEventListener('keydown', (event) => {
    const shown = selected();
    if (event.altKey || event.metaKey || !shown) return;
    const place = targetOf(event, shown);
    if (!place) return;
    event.preventDefault();
    shown.isMoved = true;
    hover(null);
    select(place);
  });
}

/** Target of a key; a large picture has one row, whose words stand below each other. */
function targetOf({ key, ctrlKey }, { selected: { row, column }, counts, isWhole }) {
  const [lastRow, lastColumn] = counts.map((count) => count - 1);
  const steps = {
    ArrowUp: [row - 1, column],
    ArrowDown: [row + 1, column],
    ArrowLeft: [row, column - 1],
    ArrowRight: [row, column + 1],
    PageUp: [row - 10, column],
    PageDown: [row + 10, column],
    Home: [ctrlKey ? 0 : row, 0],
    End: [ctrlKey ? lastRow : row, lastColumn],
  };
  const turned = {
    __proto__: null,
    ...{ ArrowUp: 'ArrowLeft', ArrowDown: 'ArrowRight' },
    ...{ ArrowLeft: 'ArrowUp', ArrowRight: 'ArrowDown' },
  };
  if (!isWhole && key.startsWith('Page'))
    return within(row, column + 10 * (key === 'PageUp' ? -1 : 1));
  const name = isWhole ? key : (turned[key] ?? key);
  return Object.hasOwn(steps, name) ? within(...steps[name]) : null;

  function within(toRow, toColumn) {
    return {
      row: Math.max(0, Math.min(lastRow, toRow)),
      column: Math.max(0, Math.min(lastColumn, toColumn)),
    };
  }
}

const margin = 60; // max change of a column's width in CSS pixels while its numbers change

/** Predicates for the visible rows and columns; an empty table counts as visible. */
export function sightOf(room, head, body) {
  const { scrollTop, scrollLeft, clientWidth, clientHeight } = room;
  const first = body.firstChild;
  if (!first || clientWidth === 0) return { rows: () => true, columns: () => true };
  const height = first.offsetHeight;
  const rows = [scrollTop / height - 2, (scrollTop + clientHeight) / height + 1];
  const edges = Array.from(head.children, ({ offsetLeft, offsetWidth }) => [
    offsetLeft,
    offsetLeft + offsetWidth,
  ]);
  return {
    rows: (row) => row >= rows[0] && row <= rows[1],
    columns(column) {
      const [left, right] = edges[column + 1] ?? [Infinity, Infinity];
      return right >= scrollLeft - margin && left <= scrollLeft + clientWidth + margin;
    },
  };
}

/** Scrolls as little as possible; sticky headers cover the first line and column. */
export function revealCell(room, cell, { head, line }) {
  const [frame, box] = [room.getBoundingClientRect(), cell.getBoundingClientRect()];
  const top = frame.top + head.offsetHeight;
  const left = frame.left + (cell === line.firstChild ? 0 : line.firstChild.offsetWidth);
  if (box.top < top) room.scrollTop -= top - box.top;
  else if (box.bottom > frame.top + room.clientHeight) {
    room.scrollTop += box.bottom - frame.top - room.clientHeight;
  }
  if (box.left < left) room.scrollLeft -= left - box.left;
  else if (box.right > frame.left + room.clientWidth) {
    room.scrollLeft += box.right - frame.left - room.clientWidth;
  }
}
