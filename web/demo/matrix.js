// The matrix on the page: arranges it in its frame, has it drawn, and turns pointing and keys into
// cells. Its canvas is as large as the frame and sticks to it; the frame scrolls an element that is
// as large as the whole matrix, so that any size of matrix costs one frame's worth of drawing.

import { createLabels } from './labels.js';
import { drawMatrix } from './matrix_drawing.js';
import { layOut } from './matrix_layout.js';

const paper = { width: 640, height: 640 };

/** `onHover(cell | null)` and `onSelect(cell)` are given { row, column }. */
export function createMatrix(scroller, { onHover, onSelect }) {
  const extent = scroller.querySelector('.extent');
  const canvas = scroller.querySelector('canvas');
  const context = canvas.getContext('2d');
  const labels = createLabels(context);
  const speak = createSemantics(scroller);
  let view = null;
  let layout = null;
  let size = { width: 0, height: 0 };
  let family = '';
  let onPaper = false;

  /**
   * view: { queries, keys, weights, scores, topWeight, cell, selected, palette, description }, or
   * null for no matrix. `cell` has the cross-hair; `selected` is where the keys go on from.
   */
  function show(next) {
    const last = view;
    view = next;
    if (last?.queries !== next?.queries || last?.keys !== next?.keys) arrange();
    if (next && !isSame(last?.selected, next.selected)) reveal(next.selected);
    speak(view);
    draw();
  }

  function arrange() {
    layout = null;
    family = getComputedStyle(scroller).fontFamily;
    extent.style.width = extent.style.height = '';
    size = onPaper ? paper : { width: scroller.clientWidth, height: scroller.clientHeight };
    if (!view) return;
    layout = layOut({
      rows: view.queries,
      columns: view.keys,
      widthOf: (word, fontSize) => labels.widthOf(word, font(fontSize, 600)),
      ...size,
      shrink: onPaper,
    });
    if (layout.fits) return;
    extent.style.width = `${layout.total.width}px`;
    extent.style.height = `${layout.total.height}px`;
    // Without the room that scroll bars take where they take any.
    size = { width: scroller.clientWidth, height: scroller.clientHeight };
  }

  function font(fontSize, weight = 400) {
    return `${weight} ${fontSize}px ${family}`;
  }

  function draw() {
    const ratio = window.devicePixelRatio;
    const [width, height] = [size.width, size.height].map((length) => Math.round(length * ratio));
    if (canvas.width !== width || canvas.height !== height) {
      Object.assign(canvas, { width, height });
      canvas.style.width = `${size.width}px`;
      canvas.style.height = `${size.height}px`;
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, size.width, size.height);
    if (layout) drawMatrix({ context, view, layout, labels, font, size, origin: origin() });
  }

  // Where the first cell's corner is now, in the frame.
  function origin() {
    return { x: layout.left - scroller.scrollLeft, y: layout.top - scroller.scrollTop };
  }

  // ---- pointing -----------------------------------------------------------------------------------

  // On a label: its row or column, keeping the other half of the selected cell.
  function cellAt({ clientX, clientY }) {
    if (!layout) return null;
    const frame = canvas.getBoundingClientRect();
    const [x, y] = [clientX - frame.left, clientY - frame.top];
    const index = (distance, count) => {
      const at = Math.floor(distance / layout.cell);
      return at >= 0 && at < count ? at : null;
    };
    const column = index(x - origin().x, view.keys.length);
    const row = index(y - origin().y, view.queries.length);
    const [onRowLabel, onColumnLabel] = [x < layout.left, y < layout.top];
    if (onRowLabel && onColumnLabel) return null;
    if (onRowLabel) return row === null ? null : { ...view.selected, row };
    if (onColumnLabel) return column === null ? null : { ...view.selected, column };
    return row === null || column === null ? null : { row, column };
  }

  scroller.addEventListener('pointermove', (event) => {
    if (event.pointerType !== 'touch') onHover(cellAt(event));
  });
  scroller.addEventListener('pointerleave', () => onHover(null));
  scroller.addEventListener('click', (event) => {
    const cell = cellAt(event);
    if (cell) onSelect(cell);
  });
  scroller.addEventListener('scroll', draw, { passive: true });

  // ---- keys ---------------------------------------------------------------------------------------

  scroller.addEventListener('keydown', (event) => {
    if (!layout || event.altKey || event.metaKey) return;
    const target = keyTarget(event, view.selected, {
      rows: view.queries.length,
      columns: view.keys.length,
      page: Math.max(1, Math.floor((size.height - layout.top) / layout.cell) - 1),
    });
    if (!target) return;
    event.preventDefault();
    onSelect(target);
  });

  function reveal({ row, column }) {
    if (layout.fits) return;
    const { left, top, cell } = layout;
    const into = (from, least, most) => Math.min(0, from - least) + Math.max(0, from + cell - most);
    const [x, y] = [origin().x + column * cell, origin().y + row * cell];
    scroller.scrollLeft += into(x, left + 4, size.width - 4);
    scroller.scrollTop += into(y, top + 4, size.height - 4);
  }

  new ResizeObserver(() => {
    arrange();
    draw();
  }).observe(scroller);

  return {
    show,
    /** On paper nothing scrolls: the whole matrix, however small its cells become. */
    fitPaper(fit) {
      onPaper = fit;
      arrange();
      draw();
    },
  };
}

function isSame(one, other) {
  return one?.row === other.row && one?.column === other.column;
}

function keyTarget({ key, ctrlKey }, { row, column }, { rows, columns, page }) {
  const to = (r, c) => ({
    row: Math.max(0, Math.min(rows - 1, r)),
    column: Math.max(0, Math.min(columns - 1, c)),
  });
  const targets = {
    ArrowLeft: to(row, column - 1),
    ArrowRight: to(row, column + 1),
    ArrowUp: to(row - 1, column),
    ArrowDown: to(row + 1, column),
    PageUp: to(row - page, column),
    PageDown: to(row + page, column),
    Home: to(ctrlKey ? 0 : row, 0),
    End: to(ctrlKey ? rows : row, columns),
  };
  return Object.hasOwn(targets, key) ? targets[key] : null;
}

// What assistive technology meets: a grid of the true size, of which the selected cell is present.
function createSemantics(grid) {
  const row = document.createElement('div');
  row.className = 'unseen';
  row.setAttribute('role', 'row');
  grid.append(row);

  return function speak(view) {
    grid.setAttribute('aria-rowcount', view ? view.queries.length : 0);
    grid.setAttribute('aria-colcount', view ? view.keys.length : 0);
    const { row: r, column: c } = view?.selected ?? { row: 0, column: 0 };
    // Another id for another cell, so that moving to it is announced.
    const id = `cell-${r + 1}-${c + 1}`;
    const text = view?.description ?? 'No weights yet';
    if (row.firstChild?.id === id && row.textContent === text) return;
    const cell = document.createElement('div');
    cell.id = id;
    cell.setAttribute('role', 'gridcell');
    cell.setAttribute('aria-colindex', c + 1);
    cell.setAttribute('aria-selected', 'true');
    cell.textContent = text;
    row.setAttribute('aria-rowindex', r + 1);
    row.replaceChildren(cell);
    grid.setAttribute('aria-activedescendant', id);
  };
}
