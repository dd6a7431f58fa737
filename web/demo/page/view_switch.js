// Shows one of the views of view_list.js. Each is loaded when it is first shown, except the matrix, which is part of the
// first load.

import { views } from '../view_list.js';
import { findIn } from './element.js';
import { retryAfter } from './scheduling.js';
import { createMatrix } from './views/matrix.js';

/** @import { Position, Selection, State } from '../state/types' */

/**
 * What readers do in views.
 * @typedef {object} Handlers
 * @property {(place: Selection) => void} select
 * @property {(place: Position | null) => void} hover
 * @property {(part: Partial<State>) => void} change
 * @property {(part: Partial<State>) => void} type
 * @property {() => void} [askDifference] on the whole page only
 * @property {() => void} [measureHeads] on the whole page only
 * @property {(format: string) => void} [save] on the whole page only
 */

/**
 * `root` has an element [data-view] for each view. `handlers.wait(promise)` is called while a view loads.
 * @param {HTMLElement} root
 * @param {Handlers & { wait: <T>(promise: Promise<T>) => Promise<T> }} handlers
 */
export function createViews(root, { wait, ...handlers }) {
  /** @param {string} name */
  const roomOf = (name) => findIn(root, `[data-view="${name}"]`);
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
      setTimeout(() => {
        coming.delete(name);
        show(...latest);
      }, retryAfter);
    }
  }

  function show(picture, selection, settings, around) {
    latest = [picture, selection, settings, around];
    const { palette, ...plain } = settings;
    const { scores, saving } = around;
    const next = [picture, palette, JSON.stringify([selection, plain]), scores, saving];
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
    /** Draws only if something changed; `around`: { state, facts } of the picture, which may be null, and `scores` of its
     * heads; `saving` of the store. */
    show,
  };
}
