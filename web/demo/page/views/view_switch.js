// The views of the picture: one is seen at a time, each is fetched and made when it is first looked at. The matrix
// is there from the start.

import { retryAfter } from '../later.js';
import { createMatrix } from './matrix.js';

const others = {
  lines: () => import('./lines.js').then(({ createLines }) => createLines),
  heads: () => import('./heads.js').then(({ createHeads }) => createHeads),
  table: () => import('./table.js').then(({ createTable }) => createTable),
  compare: () => import('../compare/compare.js').then(({ createCompare }) => createCompare),
};
const names = ['matrix', ...Object.keys(others)];

/** `root` holds an element [data-view] for each of them; `handlers.wait(promise)` until one is there. */
export function createViews(root, { wait, ...handlers }) {
  const roomOf = (name) => root.querySelector(`[data-view="${name}"]`);
  const made = { matrix: createMatrix(roomOf('matrix'), handlers) };
  const coming = new Set();
  let drawn = [];
  let asked = []; // what is to be drawn

  async function fetch(name) {
    if (coming.has(name)) return;
    coming.add(name);
    try {
      const create = await wait(others[name]());
      made[name] = create(roomOf(name), handlers);
      show(...asked);
    } catch {
      // Without a network it may come later.
      setTimeout(() => coming.delete(name), retryAfter);
    }
  }

  function show(picture, selection, settings, around) {
    asked = [picture, selection, settings, around];
    const { palette, ...plain } = settings;
    const next = [picture, palette, JSON.stringify([selection, plain])];
    if (next.every((value, at) => value === drawn[at])) return;
    for (const name of names) roomOf(name).hidden = name !== settings.view || !picture;
    const view = made[settings.view];
    if (picture && !view) {
      fetch(settings.view);
      return;
    }
    drawn = next;
    if (picture) view.show(picture, selection, settings, around);
  }

  return {
    get: (name) => made[name],
    /**
     * Draws only where something has changed since.
     * @param {import('../../types').Picture | null} picture
     * @param around { state, facts } that the picture was made of
     */
    show,
  };
}
