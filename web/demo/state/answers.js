// Answers of the worker, as functions from a store to the next one.

import { askInspection, choose, selectExample } from './changes.js';
import { hasTextsOf } from './derived.js';
import { follow } from './selection.js';
import { noAnswer } from './store.js';

/** @import { Inspection } from '../types' */
/** @import { Difference, Shown } from '../worker/messages' */
/** @import { Answer, Loading, ShownAnswer, Store } from './types' */

/**
 * A picture, or parts of it. `isLatest`: it answers the latest request; `isWhole`: nothing more will come for
 * it. Answers to older requests are intermediate states: the worker does not send the same picture twice.
 * @param {Store} store
 * @param {Shown & { isLatest: boolean }} message
 * @returns {Store}
 */
export function answered(store, { isLatest, isWhole, ...answer }) {
  // Partial results of the texts of the ready picture do not replace it.
  if (!isWhole && store.readyFor && hasTextsOf(store.readyFor, store.chosen)) return store;
  // Those of an example would each select another pair, until its own word has come.
  if (!isWhole && store.example && store.answer.picture) return { ...store, loading: null };
  const { awaited } = store;
  const shown = /** @type {Answer} */ ({ ...store.answer, ...answer });
  const next = {
    ...store,
    readyFor: null,
    problem: '',
    loading: null,
    awaited: isWhole ? { picture: awaited.picture && !isLatest, inspection: false } : awaited,
    answer: shown,
  };
  return answer.picture && shown.picture ? withPlace(next, store.answer, shown) : next;
}

/**
 * The same words stay selected; the picture of an example selects its own.
 * @param {Store} store
 * @param {Answer} before
 * @param {ShownAnswer} now
 */
function withPlace(store, before, now) {
  const { row, column } = store.chosen;
  const isKept = before.picture && !store.isPlaced;
  let next = isKept ? choose(store, follow(before, now, { row, column })) : store;
  if (!next.awaited.picture) next = selectExample({ ...next, isPlaced: false });
  const hasAsked = next.asked !== store.asked;
  return hasAsked || next.awaited.picture ? next : askInspection(next);
}

/**
 * `isLatest`: it answers the latest request for an inspection.
 * @type {(store: Store, message: { isLatest: boolean, inspection: Inspection | null }) => Store}
 */
export const inspected = (store, { isLatest, inspection }) => ({
  ...store,
  awaited: { ...store.awaited, inspection: store.awaited.inspection && !isLatest },
  answer: { ...store.answer, inspection },
});

/**
 * A problem of the picture leaves nothing of the answers before, which belong to another text or model.
 * @param {Store} store
 * @param {{ message: string, isOfPicture?: boolean }} problem
 * @returns {Store}
 */
export function failed(store, { message, isOfPicture }) {
  const isReady = store.readyFor && hasTextsOf(store.readyFor, store.chosen);
  const { awaited } = store;
  return {
    ...store,
    loading: null,
    problem: `Nothing can be computed here: ${message}.`,
    awaited: { picture: awaited.picture && !isOfPicture, inspection: false },
    ...(isOfPicture && !isReady && { answer: noAnswer }),
  };
}

/**
 * The strongest difference from the text beside.
 * @param {Store} store
 * @param {{ picture: Answer['picture'], place: Difference | null }} found the picture is that for which it was asked
 */
export function differenceFound(store, { picture, place }) {
  if (!place || !picture || store.answer.picture !== picture) return store;
  const { part, ...rest } = place;
  return choose(store, { ...rest, average: false, ...(part !== picture.part && { part }) });
}

/**
 * A part of the model has come.
 * @type {(store: Store, progress: Loading) => Store}
 */
export const loading = (store, { text, fraction }) => ({ ...store, loading: { text, fraction } });
