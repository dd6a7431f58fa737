// Views of the picture. Each is loaded when it is first shown, except the matrix, which is part of the first load.

import { retryAfter } from './scheduling.js';
import { createMatrix } from './views/matrix.js';

const others = {
  lines: () => import('./views/lines.js').then(({ createLines }) => createLines),
  heads: () => import('./views/heads.js').then(({ createHeads }) => createHeads),
  table: () => import('./views/table.js').then(({ createTable }) => createTable),
  compare: () => import('./compare/compare.js').then(({ createCompare }) => createCompare),
};

/**
 * `root` has an element [data-view] for each supported view; the matrix is shown for others. `handlers.wait(promise)`
 * is called while a view loads.
 */
export function createViews(root, { wait, ...handlers }) {
  const roomOf = (name) => root.querySelector(`[data-view="${name}"]`);
  const names = ['matrix', ...Object.keys(others)].filter(roomOf);
  const made = { matrix: createMatrix(roomOf('matrix'), handlers) };
  const coming = new Set();
  let drawn = [];
  let latest = []; // arguments of show()

  async function fetch(name) {
    if (coming.has(name)) return;
    coming.add(name);
    try {
      const create = await wait(others[name]());
      made[name] = create(roomOf(name), { wait, ...handlers });
      show(...latest);
    } catch {
      // Loading may succeed later, for instance when the network is back.
      setTimeout(() => coming.delete(name), retryAfter);
    }
  }

  function show(picture, selection, settings, around) {
    latest = [picture, selection, settings, around];
    const { palette, ...plain } = settings;
    const next = [picture, palette, JSON.stringify([selection, plain])];
    if (next.every((value, at) => value === drawn[at])) return;
    const active = names.includes(settings.view) ? settings.view : 'matrix';
    for (const name of names) roomOf(name).hidden = name !== active || !picture;
    const view = made[active];
    if (picture && !view) {
      fetch(active);
      return;
    }
    drawn = next;
    if (picture) view.show(picture, selection, settings, around);
  }

  return {
    get: (name) => made[name],
    /**
     * Draws only if something changed.
     * @param {import('../types').Picture | null} picture
     * @param around { state, facts } of the picture
     */
    show,
  };
}
