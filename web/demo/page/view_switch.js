// Shows one of the views of view_list.js. Each is loaded when it is first shown, except the matrix, which is part of the
// first load.

import { views } from '../view_list.js';
import { retryAfter } from './scheduling.js';
import { createMatrix } from './views/matrix.js';

/**
 * `root` has an element [data-view] for each view. `handlers.wait(promise)` is called while a view loads.
 */
export function createViews(root, { wait, ...handlers }) {
  const roomOf = (name) => root.querySelector(`[data-view="${name}"]`);
  const made = { matrix: createMatrix(roomOf('matrix'), handlers) };
  const coming = new Set();
  let drawn = [];
  let latest = []; // arguments of show()

  async function fetch(name) {
    if (coming.has(name)) return;
    coming.add(name);
    try {
      const { create } = await wait(import(`./views/${name}_view.js`));
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
    const { view: active } = settings;
    for (const { name } of views) roomOf(name).hidden = name !== active || !picture;
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
