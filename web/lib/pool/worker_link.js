// A worker of the pool as seen from outside: asked, it answers with a promise; dead, it rejects what
// it was asked. Workers of the web and of Node.js alike.

import { listen } from './listen.js';

export class WorkerLink {
  #worker;
  #asked = new Map();
  #last = 0;
  #died;
  #reason; // why it cannot be used any more

  /** died: called once, when the worker cannot be used any more. */
  constructor(worker, died) {
    this.#worker = worker;
    this.#died = died;
    listen(worker, {
      message: (answer) => this.#answered(answer),
      death: (reason) => this.terminate(new Error(`a worker of the pool died: ${reason}`)),
    });
    // Waiting workers do not keep Node.js alive.
    worker.unref?.();
  }

  get isDead() {
    return this.#reason !== undefined;
  }

  /** Sends a task; the memory of `transfer` goes along. */
  ask(task, transfer = []) {
    if (this.isDead) return Promise.reject(this.#reason);
    return new Promise((resolve, reject) => {
      const id = ++this.#last;
      this.#worker.postMessage({ id, ...task }, transfer);
      this.#asked.set(id, { resolve, reject });
      this.#worker.ref?.();
    });
  }

  /** How many tasks are under way. */
  get load() {
    return this.#asked.size;
  }

  terminate(reason) {
    this.#end(reason);
    return this.#worker.terminate();
  }

  #answered({ id, result, error }) {
    // Tasks from before it died are answered already.
    if (!this.#asked.has(id)) return;
    const { resolve, reject } = this.#asked.get(id);
    this.#asked.delete(id);
    if (this.#asked.size === 0) this.#worker.unref?.();
    if (error === undefined) {
      resolve(result);
    } else {
      const Kind = { TypeError, RangeError }[error.name] ?? Error;
      reject(new Kind(error.message));
    }
  }

  #end(reason) {
    if (this.isDead) return;
    this.#reason = reason;
    this.#worker.unref?.();
    for (const { reject } of this.#asked.values()) reject(reason);
    this.#asked.clear();
    this.#died(this);
  }
}
