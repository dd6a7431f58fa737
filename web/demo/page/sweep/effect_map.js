// The map of effects as an <attention-map>, drawn within the panel: its cells are selected, pointed at and opened.

import { element } from '../element.js';

/** `latest()` returns { grid, cell, open, lookAtEffect }; `cell`: { index, target } of the selected one, or null. */
export function createEffectMap(latest) {
  const map = element('attention-map');
  const isOnCanvas = (event) => event.composedPath()[0].localName === 'canvas';
  const cellAt = (at) => (at?.row === undefined ? null : latest().grid.cellAt(at));
  const open = (cell) => cell && latest().open(cell);
  let drawn = null;

  map.addEventListener('select', ({ detail }) => {
    latest().lookAtEffect({ cell: cellAt(detail), pointed: null });
  });
  map.addEventListener('hover', ({ detail }) => latest().lookAtEffect({ pointed: cellAt(detail) }));
  map.addEventListener('click', (event) => {
    const at = isOnCanvas(event) ? map.cellAt(event) : null;
    if (at?.column !== undefined) open(cellAt(at));
  });
  map.addEventListener('keydown', (event) => {
    if (!['Enter', ' '].includes(event.key) || !isOnCanvas(event)) return;
    event.preventDefault();
    if (map.selected) open(cellAt(map.selected));
  });

  return {
    element: map,
    show({ grid, cell }) {
      const selected = cell && grid.placeOf(cell);
      if (grid !== drawn) {
        drawn = grid;
        map.style.setProperty('--columns', grid.options.columnLabels.length);
        map.update({ ...grid.options, ...(selected && { selected }) });
      } else if (selected) map.select(selected);
    },
  };
}
