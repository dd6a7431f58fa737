// Memory that went to a worker and came back with its answer, for the arguments of later calls: writing into pages that are
// mapped already takes half of the time. The results of workers go the other way: see WorkerClient.
import { ReleasedMemory } from '../module/released_memory.js';

/** Smaller arrays are allocated anew. */
export const minimumBytes = 2 ** 15;
// After a call, memory is kept for this long, in milliseconds.
const retention = 1000;

export class SpentMemory {
  #memory = new ReleasedMemory();
  #timer;
  #forget;

  /** @param {() => void} forget is called as well when memory was kept long enough */
  constructor(forget) {
    this.#forget = forget;
  }

  /** An array of `count` numbers with unspecified contents. */
  allocate = (count) => this.#memory.allocate(count);

  /** Retains arrays that nobody reads any more. */
  retain(arrays) {
    for (const array of arrays) this.#memory.retain(array);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.clear(), retention);
    this.#timer.unref?.();
  }

  clear() {
    clearTimeout(this.#timer);
    this.#memory.clear();
    this.#forget();
  }
}
