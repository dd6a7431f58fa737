// What the store asks the worker, as a listener of the store; the answers change the store.

import { answered, differenceFound, failed, inspected, loading } from '../state/answers.js';
import { inspectionOf } from '../state/derived.js';
import { sweepQuestionOf, swept } from '../state/sweep.js';
import { Stopped } from '../worker/calls.js';

/** @import { PageWorker, Progress, Shown, Swept } from '../worker/messages' */
/** @import { PageStore, Store } from '../state/types' */

/**
 * `wait(promise)` marks the page as waiting.
 * @param {PageStore} store
 * @param {PageWorker} worker
 * @param {<T>(promise: Promise<T>) => Promise<T>} wait
 */
export function createAsking(store, worker, wait) {
  /** @param {Progress} step */
  function progress(step) {
    if (step.isLoading) store.update(loading, step);
  }

  /**
   * Whether the store has asked nothing newer of this kind.
   * @type {(name: keyof Store['asked'], count: number) => boolean}
   */
  const isLatest = (name, count) => store.get().asked[name] === count;

  /** @param {Error} error */
  function fail(error, isOfPicture = false) {
    if (error instanceof Stopped) return;
    store.update(failed, { message: error.message, isOfPicture });
  }

  /** @type {{ [Name in keyof Store['asked']]: (now: Store, count: number) => Promise<void> }} */
  const ask = {
    async picture({ chosen }, count) {
      /** @param {Shown} answer */
      const shown = (answer) =>
        store.update(answered, { ...answer, isLatest: isLatest('picture', count) });
      await worker
        .show(chosen, { shown, progress })
        .catch((error) => fail(error, isLatest('picture', count)));
    },

    async inspection(now, count) {
      const place = inspectionOf(now);
      const answer = place && (await worker.inspect(place).catch(fail));
      if (answer) store.update(inspected, { ...answer, isLatest: isLatest('inspection', count) });
    },

    async difference({ answer: { picture } }) {
      const place = await wait(worker.difference().catch(() => null));
      store.update(differenceFound, { picture, place });
    },

    async sweep(now, count) {
      /** @param {Swept} step */
      const take = (step) => {
        if (isLatest('sweep', count)) store.update(swept, step);
      };
      await worker
        .sweep(sweepQuestionOf(now), { swept: take, progress })
        .catch(({ message }) => take({ problem: message }));
    },
  };

  store.subscribe((now, before) => {
    for (const name of /** @type {(keyof Store['asked'])[]} */ (Object.keys(ask))) {
      if (now.asked[name] !== before.asked[name]) ask[name](now, now.asked[name]);
    }
  });
}
