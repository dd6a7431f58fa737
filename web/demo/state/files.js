// The reader's files in the store: those that are to be opened or closed, those that are open, and the state before the
// first one, which closing the last one restores.

import { isOfTexts } from '../texts.js';
import { askPicture, choose } from './changes.js';

/** @import { OpenFiles } from '../worker/messages' */
/** @import { FileOrder, Files, State, Store } from './types' */

/** @type {Files} */
export const noFiles = {
  ...{ orders: [], last: 0, open: [], text: '', isProblem: false, said: 0 },
  ...{ before: null, brought: {}, linked: [] },
};

/** @type {(store: Store, part: Partial<Files>) => Store} */
const withFiles = (store, part) => ({ ...store, files: { ...store.files, ...part } });

/**
 * @param {Store} store
 * @param {string} text a sentence
 */
const saying = ({ files }, text, isProblem = false) => {
  return { text, isProblem, said: files.said + 1 };
};

/**
 * Changes fields of the state for the files.
 * @param {Store} store
 * @param {Partial<State>} part
 */
function bring(store, part) {
  const { brought } = store.files;
  return choose(withFiles(store, { brought: { ...brought, ...part } }), part);
}

/** @type {(store: Store, orders: Omit<FileOrder, 'id'>[]) => Store} */
const order = (store, orders) => {
  const { orders: before, last } = store.files;
  const added = orders.map((one, at) => ({ id: last + at + 1, ...one }));
  return withFiles(store, { orders: [...before, ...added], last: last + orders.length });
};

/**
 * Opens files, one after another.
 * @param {Store} store
 * @param {File[]} list
 */
export function openFiles(store, list) {
  const { chosen, files } = store;
  const isEmpty = files.open.length === 0;
  const isFirst = isEmpty && (chosen.source !== 'files' || Object.keys(files.brought).length === 0);
  const linked = chosen.source === 'files' ? chosen.file.split('/') : [];
  let next = withFiles(store, {
    ...(isFirst && { before: chosen, brought: {} }),
    ...(isEmpty && { linked }),
  });
  if (chosen.source !== 'files') next = bring(next, { source: 'files', part: '', head: 0 });
  if (!isOfTexts(chosen.mode)) next = bring(next, { mode: 'self' });
  return order(
    next,
    list.map((file) => ({ file })),
  );
}

/**
 * @param {Store} store
 * @param {number} id
 */
export const closeFile = (store, id) => order(store, [{ close: id }]);

/**
 * The worker's answer to the first order. A file that cannot be read changes nothing else.
 * @param {Store} store
 * @param {{ answer?: OpenFiles & { saved?: Partial<State> }, problem?: string }} came
 */
export function filesCame(store, { answer, problem }) {
  const next = withFiles(store, { orders: store.files.orders.slice(1) });
  if (!answer) return withFiles(next, saying(store, `${problem}.`, true));
  return askPicture(withOpen(next, answer));
}

/**
 * The worker was stopped: all files are closed.
 * @param {Store} store
 */
export function filesStopped(store) {
  const next = withFiles(store, { orders: [] });
  const text = 'The files are closed: the computation was stopped';
  return store.files.open.length > 0 ? withOpen(next, { text, files: [] }) : next;
}

/**
 * @param {Store} store
 * @param {OpenFiles & { saved?: Partial<State> }} answer
 */
function withOpen(store, { text, files, state, isNamed, saved }) {
  const names = files.map(({ name }) => name);
  const file = names.join('/');
  const last = names[names.length - 1];
  const { linked } = store.files;
  const next = withFiles(store, { open: files, ...saying(store, text) });
  const isEmpty = files.length === 0;
  if (state && linked.includes(last)) {
    // The address has the view of this very file, and names that were typed for it.
    const again = withFiles(next, { linked: linked.filter((name) => name !== last) });
    return isNamed ? bring(again, textsIn(state)) : again;
  }
  if (saved) return bring(next, { ...saved, ...state, source: 'files', part: '', file });
  const place = state?.text === undefined ? {} : { row: null, column: null, example: 1 };
  const brought = bring(next, { ...state, ...place, file });
  return isEmpty ? withoutFiles(brought) : brought;
}

/** @param {Partial<State>} state */
const textsIn = ({ text, context }) =>
  Object.fromEntries(Object.entries({ text, context }).filter(([, one]) => one !== undefined));

/**
 * Restores the fields that the reader has not changed since.
 * @param {Store} store
 */
function withoutFiles(store) {
  const { chosen, files } = store;
  const { before, brought } = files;
  const names = /** @type {(keyof State)[]} */ (Object.keys(brought));
  const unchanged = names.filter((name) => Object.is(chosen[name], brought[name]));
  const former = Object.fromEntries(unchanged.map((name) => [name, (before ?? chosen)[name]]));
  return choose(withFiles(store, { brought: {} }), former);
}
