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

  /** The hash of a text and a part of another behind it; before: the hash of that text. */
  #hashOf(text, start = 0, end = text.length, before = this.#factor) {
    let hash = before;
    for (let at = start; at < end; at++) {
      hash = Math.imul(hash ^ text.charCodeAt(at), this.#factor);
      hash ^= hash >>> 15;
    }
    return hash;
  }

  /** The slot of a token, or the free one for it. */
  #slotOf(token) {
    const last = this.#slots.length - 1;
    let slot = this.#hashOf(token) & last;
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

  /**
   * { id, last } of the longest token that is a prefix and a text from `start` to ends[last], with `last` of at least `first`;
   * undefined if there is none. One pass gives the hash of all of them.
   */
  longest(prefix, text, start, ends, first) {
    const hashes = [this.#hashOf(text, start, ends[first], this.#hashOf(prefix))];
    for (let n = first + 1; n < ends.length; n++) {
      hashes.push(this.#hashOf(text, ends[n - 1], ends[n], hashes.at(-1)));
    }
    const mask = this.#slots.length - 1;
    for (let last = ends.length - 1; last >= first; last--) {
      let slot = hashes[last - first] & mask;
      for (; this.#slots[slot] !== free; slot = (slot + 1) & mask) {
        const at = this.#slots[slot];
        if (this.#isJoined(at, prefix, text, start, ends[last])) return { id: this.#ids[at], last };
      }
    }
    return undefined;
  }

  /** Whether a token is a prefix and a part of a text. */
  #isJoined(at, prefix, text, start, end) {
    const from = at === 0 ? 0 : this.#ends[at - 1];
    return (
      this.#ends[at] - from === prefix.length + end - start &&
      this.#texts.startsWith(prefix, from) &&
      this.#texts.startsWith(text.slice(start, end), from + prefix.length)
    );
  }

  /** The token of an id, or undefined. */
  tokenOf(id) {
    const at = this.#orderOfId[id];
    return at === undefined ? undefined : this.#textAt(at);
  }
}
