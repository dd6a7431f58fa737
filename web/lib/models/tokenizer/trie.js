// Sets of texts with a value each, found in a text by the automaton of Aho and Corasick (1975) in time linear in the text
// and the number of matches: pieces of Unigram, added tokens.
import { PairTable } from './pair_table.js';

const none = -1;
const root = 0;

/**
 * A trie. Its nodes are states of the automaton: that of a position is the longest text of a node that ends there. Links to
 * the next shorter one are made when they are first used.
 */
export class Trie {
  #children = new PairTable(); // (node, UTF-16 unit) → node
  #values = [none]; // by node
  // By node, made at the first search: parent and the unit that leads from it, length, and two links, `none` until known.
  #parents;
  #units;
  #lengths;
  #shorter; // the node of the longest proper suffix
  #found; // the node of the longest proper suffix with a value; the root if there is none

  /** Sets the value, an integer of at least 0, of a text. */
  set(text, value) {
    let node = root;
    for (let at = 0; at < text.length; at++) {
      const created = this.#values.length;
      node = this.#children.getOrSet(node, text.charCodeAt(at), created);
      if (node === created) this.#values.push(none);
    }
    this.#values[node] = value;
    this.#parents = undefined;
  }

  /** The value of a text, or undefined. */
  get(text) {
    let node = root;
    for (let at = 0; at < text.length && node !== none; at++) {
      node = this.#children.get(node, text.charCodeAt(at));
    }
    const value = node === none ? none : this.#values[node];
    return value === none ? undefined : value;
  }

  get isEmpty() {
    return this.#values.length === 1;
  }

  /** The node before a text. */
  get root() {
    if (this.#parents === undefined) this.#prepare();
    return root;
  }

  #prepare() {
    const count = this.#values.length;
    this.#parents = new Int32Array(count);
    this.#units = new Uint16Array(count);
    this.#lengths = new Int32Array(count);
    this.#shorter = new Int32Array(count).fill(none);
    this.#found = new Int32Array(count).fill(none);
    this.#children.forEach((node, unit, child) => {
      this.#parents[child] = node;
      this.#units[child] = unit;
    });
    // Children are created after their parents.
    for (let node = 1; node < count; node++) {
      this.#lengths[node] = this.#lengths[this.#parents[node]] + 1;
      if (this.#lengths[node] === 1) this.#shorter[node] = root;
    }
    this.#shorter[root] = root;
    this.#found[root] = root;
  }

  /** The node behind one more unit of a text. */
  next(node, unit) {
    let from = node;
    let child = this.#children.get(from, unit);
    while (child === none && from !== root) {
      from = this.#shorterOf(from);
      child = this.#children.get(from, unit);
    }
    return child === none ? root : child;
  }

  /** The node of the longest text of the set that ends at a node; the root if there is none. */
  longest(node) {
    return this.#values[node] === none ? this.nextLongest(node) : node;
  }

  /** The node of the longest text that ends there and is shorter. */
  nextLongest(node) {
    return this.#found[node] === none ? this.#findFrom(node) : this.#found[node];
  }

  valueOf(node) {
    return this.#values[node];
  }

  lengthOf(node) {
    return this.#lengths[node];
  }

  #findFrom(node) {
    let at = node;
    do at = this.#shorterOf(at);
    while (this.#values[at] === none && this.#found[at] === none);
    const result = this.#values[at] === none ? this.#found[at] : at;
    for (let one = node; one !== at; one = this.#shorter[one]) this.#found[one] = result;
    return result;
  }

  #shorterOf(node) {
    return this.#shorter[node] === none ? this.#link(node) : this.#shorter[node];
  }

  /** Links a node, and first those that it needs: a stack, as these may be thousands. */
  #link(node) {
    const nodes = [node];
    const links = [none]; // of each, where its unit is searched next: suffixes of its parent
    while (nodes.length > 0) {
      const last = nodes.length - 1;
      const one = nodes[last];
      const link = links[last] === none ? this.#shorter[this.#parents[one]] : links[last];
      const child = link === none ? none : this.#children.get(link, this.#units[one]);
      if (child !== none || link === root) {
        this.#shorter[one] = child === none ? root : child;
        nodes.pop();
        links.pop();
        continue;
      }
      const needed = link === none ? this.#parents[one] : link;
      if (this.#shorter[needed] === none) {
        nodes.push(needed);
        links.push(none);
      } else links[last] = this.#shorter[needed];
    }
    return this.#shorter[node];
  }
}

const reversed = (text) => text.split('').reverse().join('');

/** A set of texts, of which the longest at each position is found: a trie of their reversals, searched from the end. */
export class LongestMatches {
  #trie = new Trie();

  set(text, value) {
    this.#trie.set(reversed(text), value);
  }

  get(text) {
    return this.#trie.get(reversed(text));
  }

  /** { start, end, value } of the longest text at each position that has one, from the left. */
  in(text) {
    const trie = this.#trie;
    if (trie.isEmpty) return [];
    const matches = [];
    let node = trie.root;
    for (let start = text.length - 1; start >= 0; start--) {
      node = trie.next(node, text.charCodeAt(start));
      const found = trie.longest(node);
      if (found === root) continue;
      matches.push({ start, end: start + trie.lengthOf(found), value: trie.valueOf(found) });
    }
    return matches.reverse();
  }
}
