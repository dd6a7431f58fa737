// Byte-pair encoding (Sennrich et al., 2016): the characters of a word are tokens, and pairs of neighbors are merged, the
// pair of the lowest rank first, of equal ones the leftmost. A heap holds the possible merges, so a word of n characters
// takes O(n log n).
/** @import { EncodedWord } from './encoded_word.js' */
import { byteTokenIds } from './byte_characters.js';
import { unitsAt } from './characters.js';
import { cached, wholeWord } from './encoded_word.js';
import { MergeHeap } from './merge_heap.js';
import { PairTable } from './pair_table.js';

export { byteOfToken } from './byte_characters.js';

const none = -1;
const encoder = new TextEncoder();

/** Byte length in UTF-8 of a character. */
function bytesOf(character) {
  const code = character.codePointAt(0);
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

/** The tokens of a word while they are merged: a linked list. */
class Symbols {
  count = 0;
  ids = new Int32Array(64);
  lengths = new Int32Array(64); // 0 for those that were merged with the one before
  #next = new Int32Array(64);
  #previous = new Int32Array(64);
  #heap = new MergeHeap();

  clear() {
    this.count = 0;
  }

  add(id, length) {
    if (this.count === this.ids.length) this.#grow();
    this.ids[this.count] = id;
    this.lengths[this.count++] = length;
  }

  #grow() {
    const copy = (array) => {
      const larger = new Int32Array(2 * array.length);
      larger.set(array);
      return larger;
    };
    this.ids = copy(this.ids);
    this.lengths = copy(this.lengths);
    this.#next = new Int32Array(this.ids.length);
    this.#previous = new Int32Array(this.ids.length);
  }

  /** @param {PairTable} ranks of pairs; @param {Int32Array} merged ids by rank */
  merge(ranks, merged) {
    const { ids, lengths, count } = this;
    const next = this.#next;
    const previous = this.#previous;
    const heap = this.#heap;
    const propose = (left, right) => {
      const rank = ranks.get(ids[left], ids[right]);
      if (rank !== none) heap.push(rank, left);
    };
    for (let n = 0; n < count; n++) {
      previous[n] = n - 1;
      next[n] = n + 1;
      if (n > 0) propose(n - 1, n);
    }
    for (let key = heap.pop(); key !== none; key = heap.pop()) {
      const rank = Math.floor(key / 2 ** 31);
      const at = key - rank * 2 ** 31;
      const right = next[at];
      if (lengths[at] === 0 || right === count) continue;
      // Neighbors may have been merged since; the pair is still this one if its merge gives the same token.
      const current = ranks.get(ids[at], ids[right]);
      if (current === none || merged[current] !== merged[rank]) continue;
      ids[at] = merged[rank];
      lengths[at] += lengths[right];
      lengths[right] = 0;
      next[at] = next[right];
      if (next[at] < count) previous[next[at]] = at;
      if (previous[at] >= 0) propose(previous[at], at);
      if (next[at] < count) propose(at, next[at]);
    }
  }
}

export class BytePairs {
  #vocabulary;
  #ranks;
  #merged;
  #fields;
  /** @type {(number | undefined)[] | undefined} */
  #byteIds;
  #unknown;
  #symbols = new Symbols();
  #cached = cached((word) => this.#encode(word));

  /**
   * @param {object} fields of the model BPE; vocab: a Vocabulary, merges: of [first, second]
   */
  constructor({ vocab: vocabulary, merges, ...fields }) {
    this.#vocabulary = vocabulary;
    this.#fields = fields;
    this.#unknown = fields.unk_token;
    if (fields.byte_fallback) this.#byteIds = byteTokenIds(vocabulary);
    const prefix = fields.continuing_subword_prefix ?? '';
    this.#ranks = new PairTable(merges.length);
    this.#merged = new Int32Array(merges.length);
    merges.forEach(([first, second], rank) => {
      const id = (token) => {
        const found = vocabulary.idOf(token);
        if (found !== undefined) return found;
        throw new RangeError(
          `merges[${rank}] of BPE has the token '${token}', which vocab has not`,
        );
      };
      // The prefix of the second token is dropped by its length, whatever it begins with, as in the Rust library.
      this.#merged[rank] = id(first + second.slice(prefix.length));
      this.#ranks.set(id(first), id(second), rank);
    });
  }

  get vocabulary() {
    return this.#vocabulary;
  }

  /** The tokens of a word. */
  encode(word) {
    return this.#cached(word);
  }

  #encode(word) {
    if (this.#fields.ignore_merges) {
      const id = this.#vocabulary.idOf(word);
      if (id !== undefined) return wholeWord(id, word);
    }
    const symbols = this.#symbols;
    const isRegular = this.#addCharacters(word);
    if (!isRegular) this.#addBytesAndUnknown(word);
    symbols.merge(this.#ranks, this.#merged);
    /** @type {EncodedWord} */
    const result = { ids: [], starts: [], ends: [] };
    let end = 0;
    for (let n = 0; n < symbols.count; n++) {
      if (symbols.lengths[n] === 0) continue;
      result.ids.push(symbols.ids[n]);
      result.starts.push(end);
      end += symbols.lengths[n];
      result.ends.push(end);
    }
    return isRegular ? result : inUnits(word, result);
  }

  /** A character of a word as the vocabulary spells it. */
  #spelled(character, isFirst, isLast) {
    const { continuing_subword_prefix: prefix, end_of_word_suffix: suffix } = this.#fields;
    return (isFirst ? '' : (prefix ?? '')) + character + (isLast ? (suffix ?? '') : '');
  }

  /** Adds the token of each character, with its units; false if one has none. */
  #addCharacters(word) {
    this.#symbols.clear();
    for (let at = 0; at < word.length;) {
      const units = unitsAt(word, at);
      const character = word.slice(at, at + units);
      const end = at + units;
      const id = this.#vocabulary.idOf(this.#spelled(character, at === 0, end === word.length));
      if (id === undefined) return false;
      this.#symbols.add(id, units);
      at = end;
    }
    return true;
  }

  /**
   * Adds the tokens of characters, the byte tokens of those that have none, or the unknown token, with their bytes. Without
   * an unknown token such characters are left out, and all positions behind them are too small, as in the Rust library.
   */
  #addBytesAndUnknown(word) {
    const symbols = this.#symbols;
    symbols.clear();
    let unknown = 0; // bytes that the unknown token waits to cover
    const addUnknown = () => {
      if (unknown > 0) symbols.add(this.#unknownId(), unknown);
      unknown = 0;
    };
    let at = 0;
    for (const character of word) {
      const isFirst = at === 0;
      at += character.length;
      const spelled = this.#spelled(character, isFirst, at === word.length);
      const id = this.#vocabulary.idOf(spelled);
      const bytes = id === undefined && this.#byteIds && this.#bytesOf(spelled);
      if (id !== undefined) {
        addUnknown();
        symbols.add(id, bytesOf(character));
      } else if (bytes) {
        for (const byte of bytes) symbols.add(byte, 1);
      } else if (this.#unknown !== null) {
        if (!this.#fields.fuse_unk) addUnknown();
        unknown += bytesOf(character);
      }
    }
    addUnknown();
  }

  /** The byte tokens of a text; undefined if one is missing. */
  #bytesOf(text) {
    const ids = Array.from(encoder.encode(text), (byte) => this.#byteIds?.[byte]);
    return ids.includes(undefined) ? undefined : ids;
  }

  #unknownId() {
    const id = this.#vocabulary.idOf(this.#unknown);
    if (id !== undefined) return id;
    throw new RangeError(
      `the text has a character without a token, and the vocabulary has no '${this.#unknown}'`,
    );
  }
}

/** Tokens with positions in bytes of UTF-8 as tokens with positions in units, of whole characters. */
function inUnits(word, { ids, starts, ends }) {
  const unitOfByte = [];
  let at = 0;
  for (const character of word) {
    for (let n = bytesOf(character); n > 0; n--) unitOfByte.push(at);
    at += character.length;
  }
  // Bytes of affixes count as well, so positions may be beyond the word: they are of its last character.
  const startOf = (byte) => unitOfByte[byte] ?? unitOfByte.at(-1);
  return {
    ids,
    starts: starts.map(startOf),
    ends: ends.map((end) => {
      const last = unitOfByte[end - 1];
      return last === undefined ? word.length : last + unitsAt(word, last);
    }),
  };
}
