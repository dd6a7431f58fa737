// The large matrix of the model that learns, drawn within the component.

import { element } from '../element.js';

/** `latest()` returns { options, hovered, select }; `hovered`: the place under the pointer in a small matrix. */
export function createRunMap(latest) {
  const map = element('attention-map', {
    fill: true,
    select: ({ detail: { row, column } }) => latest().select({ row, column }),
  });
  let drawn = null;
  let pointed = null;
  return {
    element: map,
    show({ options, hovered }) {
      if (options && options !== drawn) map.update(options);
      if (hovered !== pointed) map.hover(hovered);
      drawn = options;
      pointed = hovered;
    },
  };
}
