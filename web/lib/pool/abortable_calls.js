// Calls that a signal may abort: one listener for all calls of a signal, and none once they are settled.

export class AbortableCalls {
  #aborted;
  #waiting = new Map(); // for each signal its listener, and what rejects each call

  /** aborted: called with a signal when its calls were rejected. */
  constructor(aborted) {
    this.#aborted = aborted;
  }

  /** What work() promises or, if the signal is aborted before, its reason. Listens before the work begins. */
  settled(signal, work) {
    if (!signal) return work();
    return new Promise((resolve, reject) => {
      this.#of(signal).rejects.add(reject);
      work()
        .then(resolve, reject)
        .finally(() => this.#forget(signal, reject));
    });
  }

  #of(signal) {
    let calls = this.#waiting.get(signal);
    if (!calls) {
      const rejects = new Set();
      const listener = () => {
        for (const reject of rejects) reject(signal.reason);
        this.#aborted(signal);
      };
      signal.addEventListener('abort', listener);
      this.#waiting.set(signal, (calls = { rejects, listener }));
    }
    return calls;
  }

  #forget(signal, reject) {
    const { rejects, listener } = this.#waiting.get(signal);
    rejects.delete(reject);
    if (rejects.size > 0) return;
    this.#waiting.delete(signal);
    signal.removeEventListener('abort', listener);
  }
}
