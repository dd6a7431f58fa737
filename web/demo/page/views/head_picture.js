// Small picture of a head, with the selected or hovered row and column.

import { thumbnail } from 'attention-wasm/heatmap';
import { element } from '../element.js';
import { optionsOfHead } from './head_of_picture.js';

/** `hover({ row, column } | null)` is called by the pointer. */
export function createHeadPicture(hover) {
  const canvas = element('canvas', { 'aria-hidden': 'true' });
  const lines = {
    row: element('span', { class: 'at-row' }),
    column: element('span', { class: 'at-column' }),
  };
  const root = element('div', { class: 'small' }, canvas, lines.row, lines.column);
  let shape = { rows: 1, columns: 1 };

  /** { row, column } of an event of the pointer. */
  function placeOf({ clientX, clientY }) {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const at = (share, count) => Math.max(0, Math.min(count - 1, Math.floor(share * count)));
    return {
      row: at((clientY - top) / height, shape.rows),
      column: at((clientX - left) / width, shape.columns),
    };
  }

  /** @type {(line: HTMLElement, at: number | null, count: number) => void} */
  function mark(line, at, count) {
    line.hidden = at === null;
    if (at === null) return;
    line.style.setProperty('--at', String(at));
    line.style.setProperty('--size', String(1 / count));
  }

  root.addEventListener('pointermove', (event) => {
    if (event.pointerType !== 'touch') hover(placeOf(event));
  });
  root.addEventListener('pointerleave', () => hover(null));

  return {
    element: root,
    placeOf,
    show(head) {
      const { rows, columns, colors, scaling } = head;
      shape = { rows, columns };
      // The canvas must be in the document for its theme to be read.
      queueMicrotask(() => {
        if (!root.isConnected) return;
        thumbnail(canvas, { ...optionsOfHead(head, scaling), colors });
      });
    },
    /** Marks { row, column }, or nothing for null. */
    point(place) {
      const { rows, columns } = shape;
      mark(lines.row, place && place.row / rows, rows);
      mark(lines.column, place && place.column / columns, columns);
    },
  };
}

/** Drawn within LargeHead: `latest()` returns { head, place, hands }. */
export function createLargePicture(latest) {
  const picture = createHeadPicture((place) => latest().hands.hover(latest().head, place));
  picture.element.addEventListener('click', (event) => {
    latest().hands.choose(latest().head, picture.placeOf(event));
  });
  let drawn = null;
  return {
    element: picture.element,
    show({ head, place }) {
      picture.element.style.setProperty('--shape', `${head.columns} / ${head.rows}`);
      if (head !== drawn) picture.show(head);
      drawn = head;
      picture.point(place);
    },
  };
}
