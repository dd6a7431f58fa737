// Unigram (Kudo, 2018): the pieces of a word with the largest sum of scores, by dynamic programming over its positions.
import { byteTokenIds } from './byte_characters.js';
import { unitsAt } from './characters.js';
import { cached } from './encoded_word.js';
import { Trie } from './trie.js';
import { Vocabulary } from './vocabulary.js';

const encoder = new TextEncoder();
const unknownPenalty = 10; // below the lowest score

export class Unigram {
  #vocabulary;
  #scores;
  #trie = new Trie();
  #unknown;
  #unknownScore;
  /** @type {(number | undefined)[] | undefined} */
  #byteIds;
  #cached = cached((word) => this.#encode(word));

  /** @param {object} fields of the model; vocab: [text, score] by id */
  constructor({ vocab, unk_id: unknown, byte_fallback: hasBytes }) {
    this.#vocabulary = new Vocabulary(vocab.map(([text]) => text));
    this.#scores = Float64Array.from(vocab, ([, score]) => score);
    vocab.forEach(([text], id) => text !== '' && this.#trie.set(text, id));
    this.#unknown = unknown ?? undefined;
    this.#unknownScore = this.#scores.reduce((a, b) => Math.min(a, b), Infinity) - unknownPenalty;
    if (hasBytes) this.#byteIds = byteTokenIds(this.#vocabulary);
  }

  get vocabulary() {
    return this.#vocabulary;
  }

  /** The tokens of a word. */
  encode(word) {
    return this.#cached(word);
  }

  #encode(word) {
    const result = { ids: [], starts: [], ends: [] };
    for (const [start, end, id] of this.#bestPath(word)) this.#add(result, word, start, end, id);
    return result;
  }

  #requireUnknown() {
    if (this.#unknown !== undefined) return this.#unknown;
    throw new RangeError('the text has a character without a token, and Unigram has no unk_id');
  }

  /** [start, end, id] of each text, by the texts that end at each character, longest first; neighboring unknown characters are one. */
  #bestPath(word) {
    const scores = new Float64Array(word.length + 1);
    const starts = new Int32Array(word.length + 1).fill(-1);
    const ids = new Int32Array(word.length + 1);
    const propose = (start, end, id, score) => {
      const sum = scores[start] + score;
      if (starts[end] >= 0 && sum <= scores[end]) return;
      scores[end] = sum;
      starts[end] = start;
      ids[end] = id;
    };
    const trie = this.#trie;
    const { root } = trie;
    let node = root;
    for (let last = 0, end; last < word.length; last = end) {
      end = last + unitsAt(word, last);
      for (let at = last; at < end; at++) node = trie.next(node, word.charCodeAt(at));
      let isKnown = false; // the last character as a piece
      for (let one = trie.longest(node); one !== root; one = trie.nextLongest(one)) {
        const start = end - trie.lengthOf(one);
        if (start > 0 && starts[start] < 0) continue; // within a character
        const id = trie.valueOf(one);
        propose(start, end, id, this.#scores[id]);
        if (start === last) isKnown = true;
      }
      if (!isKnown) {
        propose(last, end, this.#unknown ?? -1, this.#unknownScore);
        if (ids[end] === -1) this.#requireUnknown();
      }
    }
    const path = [];
    for (let end = word.length; end > 0; end = starts[end]) {
      const last = path.at(-1);
      if (last && ids[end] === this.#unknown && last[2] === this.#unknown) last[0] = starts[end];
      else path.push([starts[end], end, ids[end]]);
    }
    return path.reverse();
  }

  #add({ ids, starts, ends }, word, start, end, id) {
    const add = (token) => {
      ids.push(token);
      starts.push(start);
      ends.push(end);
    };
    if (id !== this.#unknown) {
      add(id);
      return;
    }
    const text = word.slice(start, end);
    const known = this.#vocabulary.idOf(text);
    const bytes = known === undefined && this.#byteIds && this.#bytesOf(text);
    if (bytes) bytes.forEach(add);
    else add(known ?? id);
  }

  #bytesOf(text) {
    const ids = Array.from(encoder.encode(text), (byte) => this.#byteIds?.[byte]);
    return ids.includes(undefined) ? undefined : ids;
  }
}
