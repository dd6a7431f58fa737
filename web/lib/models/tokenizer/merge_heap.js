// A heap of the possible merges of byte-pair encoding.

const none = -1;

/** The lowest rank comes first, then the leftmost position. */
export class MergeHeap {
  #keys = new Float64Array(64); // rank · 2^31 + position
  #size = 0;

  push(rank, position) {
    if (this.#size === this.#keys.length) {
      const keys = new Float64Array(2 * this.#size);
      keys.set(this.#keys);
      this.#keys = keys;
    }
    const keys = this.#keys;
    const key = rank * 2 ** 31 + position;
    let at = this.#size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (keys[parent] <= key) break;
      keys[at] = keys[parent];
      at = parent;
    }
    keys[at] = key;
  }

  /** The first key, which it removes; -1 if there is none. */
  pop() {
    if (this.#size === 0) return none;
    const keys = this.#keys;
    const first = keys[0];
    const key = keys[--this.#size];
    let at = 0;
    for (let child = 1; child < this.#size; child = 2 * at + 1) {
      if (child + 1 < this.#size && keys[child + 1] < keys[child]) child++;
      if (keys[child] >= key) break;
      keys[at] = keys[child];
      at = child;
    }
    keys[at] = key;
    return first;
  }
}
