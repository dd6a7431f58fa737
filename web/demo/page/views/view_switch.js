// The views of the picture: one is seen at a time, each is made when it is first looked at.

import { createHeads } from './heads.js';
import { createLines } from './lines.js';
import { createMatrix } from './matrix.js';
import { createTable } from './table.js';

const makers = {
  matrix: createMatrix,
  lines: createLines,
  heads: createHeads,
  table: createTable,
};

/** `root` holds an element [data-view] for each of them. */
export function createViews(root, handlers) {
  const made = {};
  const roomOf = (name) => root.querySelector(`[data-view="${name}"]`);
  const get = (name) => (made[name] ??= makers[name](roomOf(name), handlers));
  let drawn = [];
  return {
    get,
    /**
     * Draws only where something has changed since.
     * @param {import('../../types').Picture | null} picture
     */
    show(picture, selection, settings) {
      const { palette, ...plain } = settings;
      const next = [picture, palette, JSON.stringify([selection, plain])];
      if (next.every((value, at) => value === drawn[at])) return;
      drawn = next;
      for (const name of Object.keys(makers))
        roomOf(name).hidden = name !== settings.view || !picture;
      if (picture) get(settings.view).show(picture, selection, settings);
    },
  };
}
