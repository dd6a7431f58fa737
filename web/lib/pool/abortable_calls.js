// Calls with an AbortSignal: one listener for all calls of a signal, removed when the last of them settles.

export class AbortableCalls {
  #aborted;
  #waiting = new Map(); // by signal: { listener, rejects }, the reject functions of its calls

  /** aborted(signal): called after the calls of a signal were rejected. */
  constructor(aborted) {
    this.#aborted = aborted;
  }

  /** The promise of work(); rejects with the signal's reason on abort. Listens before work() is called. */
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
