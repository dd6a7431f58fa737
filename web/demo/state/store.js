// The store of the page: what the reader chose and what came back. Everything on the screen, in the address and in the
// worker's requests is derived from it. Data goes one way: input → update() → listeners; nobody writes while it is shown.

import { noFiles } from './files.js';
import { noModel } from './own_model.js';
import { noTour } from './tour.js';
import { noSaving } from './saving.js';

/** @import { Answer, PageStore, ShownAnswer, State, Store } from './types' */
/** @import { Source } from '../types' */

/**
 * @param {Store} initial result of initialStore()
 * @param {(store: Store) => Store} [follow] returns the store with what follows from a change
 * @returns {PageStore}
 */
export function createStore(initial, follow = (store) => store) {
  /** @type {((now: Store, before: Store) => void)[]} */
  const listeners = [];
  let now = initial;
  let isShowing = false;
  return {
    get: () => now,

    update(change, ...what) {
      if (isShowing) throw new Error('the store cannot be changed while it is shown');
      const before = now;
      now = follow(change(before, ...what));
      if (now === before) return;
      isShowing = true;
      try {
        for (const listener of listeners) listener(now, before);
      } finally {
        isShowing = false;
      }
    },

    subscribe(listener) {
      listeners.push(listener);
    },
  };
}

/**
 * Nothing has been answered.
 * @type {Answer}
 */
export const noAnswer = { picture: null, facts: null, inspection: null };

/**
 * @param {State} chosen
 * @param {Pick<ShownAnswer, 'picture' | 'facts'> | null} ready made for `chosen` when the page was built
 * @param {Source[]} sources
 * @returns {Store}
 */
export const initialStore = (chosen, ready = null, sources = []) => ({
  chosen,
  hovered: null,
  playing: null,
  piece: null,
  example: null,
  isTyped: false,
  isPlaced: true,
  asked: { picture: 0, stop: 0, inspection: 0, difference: 0, cancel: 0, saved: 0, sweep: 0 },
  awaited: { picture: false, inspection: false },
  answer: ready ? { ...ready, inspection: null } : noAnswer,
  answers: {},
  files: noFiles,
  ownModel: noModel,
  saving: noSaving,
  scores: null,
  readyFor: ready && chosen,
  sweep: null,
  tour: noTour,
  loading: null,
  problem: '',
  sources,
});
