// The large matrix of the model that learns, and its small ones, drawn within the component.

import { element } from '../element.js';
import { create } from '../views/heads_view.js';

/** @import { Selection } from '../../state/types' */

/** `latest()` returns { options, hovered, select }; `hovered`: the place under the pointer in a small matrix. */
export function createRunMap(latest) {
  const map = element('attention-map', {
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

/** `latest()` returns { picture, selection, unit, select, hover }, as in heads_view.js; `picture` is null at first. */
export function createRunHeads(latest) {
  const root = element('div');
  const heads = create(root, {
    name: 'learn',
    enlarges: false, // the large matrix is beside it
    /** @param {Selection} place a head, another pair of words, or both */
    select: (place) => latest().select(place),
    hover: (place) => latest().hover(place),
  });
  return {
    element: root,
    show({ picture, selection, unit }) {
      if (picture) heads.show(picture, selection, { unit });
    },
  };
}
