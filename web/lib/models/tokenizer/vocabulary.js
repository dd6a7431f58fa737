// The tokens of a model and their ids: the texts of all tokens in one string, and a hash table of numbers. A Map of
// strings takes four times the memory, and holds each string of the parsed file.

const free = -1;
const oddNumber = () => Math.floor(Math.random() * 2 ** 31) * 2 + 1;

export class Vocabulary {
  #texts; // of all tokens, in order
  #ends; // of each in #texts
  #ids; // of each
  #orderOfId = []; // position in that order
  #slots; // the same positions, by hash
  #factor = oddNumber(); // random, so that no file can choose tokens that collide

  /**
   * @param {string[]} tokens of equal tokens or ids the last one is valid
   * @param {number[]} ids of the tokens; by default their positions
   */
  constructor(tokens, ids = tokens.map((_, at) => at)) {
    this.#texts = tokens.join('');
    this.#ends = new Int32Array(tokens.length);
    this.#ids = Int32Array.from(ids);
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(1.5 * tokens.length + 2))).fill(free);
    let end = 0;
    tokens.forEach((token, at) => {
      end += token.length;
      this.#ends[at] = end;
      this.#slots[this.#slotOf(token)] = at;
      this.#orderOfId[ids[at]] = at;
    });
    this.largest = this.#orderOfId.length - 1;
  }

  #textAt(at) {
    return this.#texts.slice(at === 0 ? 0 : this.#ends[at - 1], this.#ends[at]);
  }

  #isAt(at, token) {
    const start = at === 0 ? 0 : this.#ends[at - 1];
    return this.#ends[at] - start === token.length && this.#texts.startsWith(token, start);
  }

  /** The slot of a token, or the free one for it. */
  #slotOf(token) {
    let hash = token.length;
    for (let at = 0; at < token.length; at++) {
      hash = Math.imul(hash ^ token.charCodeAt(at), this.#factor);
      hash ^= hash >>> 15;
    }
    const last = this.#slots.length - 1;
    let slot = hash & last;
    while (this.#slots[slot] !== free && !this.#isAt(this.#slots[slot], token)) {
      slot = (slot + 1) & last;
    }
    return slot;
  }

  /** The id of a token, or undefined. */
  idOf(token) {
    const at = this.#slots[this.#slotOf(token)];
    return at === free ? undefined : this.#ids[at];
  }

  /** The token of an id, or undefined. */
  tokenOf(id) {
    const at = this.#orderOfId[id];
    return at === undefined ? undefined : this.#textAt(at);
  }
}
