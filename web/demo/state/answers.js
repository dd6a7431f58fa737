// Answers of the worker, as functions from a store to the next one.

import { askInspection, askPicture, choose, selectExample } from './changes.js';
import { hasTextsOf } from './derived.js';
import { follow } from './selection.js';
import { noAnswer } from './store.js';

/**
 * A picture, or parts of it. `isLatest`: it answers the latest request; `isWhole`: nothing more will come for
 * it. Answers to older requests are intermediate states: the worker does not send the same picture twice.
 */
export function answered(store, { isLatest, isWhole, ...answer }) {
  // Partial results of the texts of the ready picture do not replace it.
  if (!isWhole && store.readyFor && hasTextsOf(store.readyFor, store.chosen)) return store;
  const { awaited } = store;
  const next = {
    ...store,
    readyFor: null,
    problem: '',
    loading: null,
    awaited: isWhole ? { picture: awaited.picture && !isLatest, inspection: false } : awaited,
    answer: { ...store.answer, ...answer },
  };
  return answer.picture ? withPlace(next, store.answer) : next;
}

/** The same words stay selected; the picture of an example selects its own. */
function withPlace(store, before) {
  const { row, column } = store.chosen;
  const isKept = before.picture && !store.isPlaced;
  let next = isKept ? choose(store, follow(before, store.answer, { row, column })) : store;
  if (!next.awaited.picture) next = selectExample({ ...next, isPlaced: false });
  const hasAsked = next.asked !== store.asked;
  return hasAsked || next.awaited.picture ? next : askInspection(next);
}

/** `isLatest`: it answers the latest request for an inspection. */
export const inspected = (store, { isLatest, inspection }) => ({
  ...store,
  awaited: { ...store.awaited, inspection: store.awaited.inspection && !isLatest },
  answer: { ...store.answer, inspection },
});

/** A problem of the picture leaves nothing of the answers before, which belong to another text or model. */
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

/** `place`: the strongest difference from the text beside, or null; `picture`: that for which it was asked. */
export function differenceFound(store, { picture, place }) {
  if (!place || store.answer.picture !== picture) return store;
  const { part, ...rest } = place;
  return choose(store, { ...rest, average: false, ...(part !== picture.part && { part }) });
}

/** A part of the model has come. */
export const loading = (store, { text, fraction }) => ({ ...store, loading: { text, fraction } });

/** The worker was replaced by a new one, which has not been asked anything. */
export const restarted = (store) =>
  askPicture({ ...store, loading: null, awaited: { picture: false, inspection: false } });
