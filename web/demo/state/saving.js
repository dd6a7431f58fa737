// What the reader saves or copies of the page, in the store.

/** @import { Came, Saving, Store } from './types' */

/** @type {Saving} */
export const noSaving = { format: '', paper: 'page', says: '', said: 0, copied: null };

/** @type {(store: Store, part: Partial<Saving>) => Store} */
const withSaving = (store, part) => ({ ...store, saving: { ...store.saving, ...part } });

/**
 * Saves or copies what is shown.
 * @param {Store} store
 * @param {string} format one of exports/formats.js
 */
export function save(store, format) {
  const asked = { ...store.asked, saved: store.asked.saved + 1 };
  return withSaving({ ...store, asked }, { format, copied: null });
}

/**
 * Colors of pictures.
 * @param {Store} store
 * @param {Saving['paper']} paper
 */
export const choosePaper = (store, paper) => withSaving(store, { paper });

/**
 * A text to copy from, or what was done.
 * @param {Store} store
 * @param {Pick<Came<'saved'>, 'step' | 'answer'>} came
 */
export const savedCame = (store, { step, answer = '' }) =>
  withSaving(store, step ?? { says: answer, said: store.saving.said + 1 });
