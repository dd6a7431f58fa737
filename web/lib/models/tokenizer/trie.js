// A set of texts with a value each, searched by the prefixes of a text: pieces of Unigram, added tokens.
import { PairTable } from './pair_table.js';

const none = -1;

export class Trie {
  #children = new PairTable(); // (node, UTF-16 unit) → node
  #values = [none]; // by node

  /** Sets the value, an integer of at least 0, of a text. */
  set(text, value) {
    let node = 0;
    for (let at = 0; at < text.length; at++) {
      const created = this.#values.length;
      node = this.#children.getOrSet(node, text.charCodeAt(at), created);
      if (node === created) this.#values.push(none);
    }
    this.#values[node] = value;
  }

  /** Calls visit(end, value) for each text of the set that begins at `start`, from the shortest on. */
  forEachPrefix(text, start, visit) {
    let node = 0;
    for (let at = start; at < text.length;) {
      node = this.#children.get(node, text.charCodeAt(at++));
      if (node === none) return;
      if (this.#values[node] !== none) visit(at, this.#values[node]);
    }
  }

  /** { end, value } of the longest text of the set that begins at `start`; undefined if there is none. */
  longestPrefix(text, start) {
    let found;
    this.forEachPrefix(text, start, (end, value) => (found = { end, value }));
    return found;
  }
}
