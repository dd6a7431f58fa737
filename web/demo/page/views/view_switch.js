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

/**
 * `root` holds an element [data-view] for each of those that it has, and shows the matrix for others;
 * `handlers.wait(promise)` until one is there.
 */
export function createViews(root, { wait, ...handlers }) {
  const roomOf = (name) => root.querySelector(`[data-view="${name}"]`);
  const names = ['matrix', ...Object.keys(others)].filter(roomOf);
  const made = { matrix: createMatrix(roomOf('matrix'), handlers) };
  const coming = new Set();
  let drawn = [];
  let asked = []; // what is to be drawn

  async function fetch(name) {
    if (coming.has(name)) return;
    coming.add(name);
    try {
      const create = await wait(others[name]());
      made[name] = create(roomOf(name), { wait, ...handlers });
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
    const wanted = names.includes(settings.view) ? settings.view : 'matrix';
    for (const name of names) roomOf(name).hidden = name !== wanted || !picture;
    const view = made[wanted];
    if (picture && !view) {
      fetch(wanted);
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
