// A hash table from pairs of integers to an integer, in one typed array: merges of BPE, edges of a trie. A Map with keys
// a · n + b takes five times the memory and time, because such keys exceed V8's small integers.

const empty = -1;
const oddNumber = () => Math.floor(Math.random() * 2 ** 31) * 2 + 1;

export class PairTable {
  #slots; // first, second, value
  #shift;
  #size = 0;
  // Random, so that no file can choose pairs that collide.
  #factors = [oddNumber(), oddNumber()];

  /** @param {number} count expected number of pairs */
  constructor(count = 0) {
    this.#allocate(Math.max(4, Math.ceil(Math.log2(count * 1.5 + 1))));
  }

  #allocate(bits) {
    this.#slots = new Int32Array(3 * 2 ** bits).fill(empty);
    this.#shift = 32 - bits;
  }

  /** The index of a pair's slot, or of the free slot for it. */
  #find(first, second) {
    const slots = this.#slots;
    const [one, two] = this.#factors;
    // The upper half joins the lower one before the second product: firsts in a row would else lie in a row for some factors.
    const pair = Math.imul(first, one) ^ (first >>> 15) ^ second;
    const hash = Math.imul(pair ^ (pair >>> 16), two);
    let at = 3 * ((hash ^ (hash >>> 1)) >>> this.#shift);
    while (slots[at] !== empty && (slots[at] !== first || slots[at + 1] !== second)) {
      at += 3;
      if (at === slots.length) at = 0;
    }
    return at;
  }

  /** The value of a pair of integers of at least 0; -1 if it has none. */
  get(first, second) {
    return this.#slots[this.#find(first, second) + 2];
  }

  set(first, second, value) {
    const at = this.#find(first, second);
    if (this.#slots[at] === empty) this.#fill(at, first, second, value);
    else this.#slots[at + 2] = value;
  }

  /** The value of a pair, after it got this one if it had none. */
  getOrSet(first, second, value) {
    const at = this.#find(first, second);
    if (this.#slots[at] !== empty) return this.#slots[at + 2];
    this.#fill(at, first, second, value);
    return value;
  }

  /** Calls visit(first, second, value) for each pair. */
  forEach(visit) {
    const slots = this.#slots;
    for (let at = 0; at < slots.length; at += 3) {
      if (slots[at] !== empty) visit(slots[at], slots[at + 1], slots[at + 2]);
    }
  }

  #fill(at, first, second, value) {
    this.#slots[at] = first;
    this.#slots[at + 1] = second;
    this.#slots[at + 2] = value;
    this.#size++;
    if (this.#size * 3 * 1.4 > this.#slots.length) this.#grow();
  }

  #grow() {
    const old = this.#slots;
    this.#allocate(33 - this.#shift);
    this.#size = 0;
    for (let at = 0; at < old.length; at += 3) {
      if (old[at] !== empty) this.set(old[at], old[at + 1], old[at + 2]);
    }
  }
}
