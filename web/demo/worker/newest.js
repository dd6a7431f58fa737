// One piece of work at a time: a newer one aborts the one that runs, and takes the place of the one that waits.

/** Returns a function that runs `work(signal)` after the work before it; work that was replaced has no result. */
export function createNewest() {
  let newest = new AbortController();
  let before = Promise.resolve();

  /** @param {(signal: AbortSignal) => Promise<void>} work */
  return async (work) => {
    newest.abort();
    newest = new AbortController();
    const { signal } = newest;
    const own = before.then(() => (signal.aborted ? undefined : work(signal)));
    before = own.catch(() => {});
    try {
      await own;
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
}
