// A heat map of the comparison, drawn within its panel.

import { element } from '../element.js';

/** `latest()` returns { options, selection, select, hover }; without `options` nothing is drawn yet. */
export function createComparedMap(latest) {
  const map = element('attention-map', {
    fill: true,
    select: ({ detail: { row, column } }) => latest().select({ row, column }),
    hover: ({ detail }) => latest().hover(detail && { row: detail.row, column: detail.column }),
  });
  let drawn = null;
  return {
    element: map,
    show({ options, selection }) {
      if (!options) return;
      const { row, column, hovered = null } = selection;
      if (options === drawn) map.select({ row, column });
      else map.update({ ...options, selected: { row, column } });
      drawn = options;
      map.hover(hovered);
    },
  };
}
