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

  /** [start, end, id] of each text; neighboring unknown characters are one. */
  #bestPath(word) {
    const scores = new Float64Array(word.length + 1);
    const starts = new Int32Array(word.length + 1).fill(-1);
    const ids = new Int32Array(word.length + 1);
    for (let start = 0; start < word.length;) {
      const units = unitsAt(word, start);
      const before = scores[start];
      let isKnown = false; // as a piece of one character
      const propose = (end, id, score) => {
        if (starts[end] >= 0 && before + score <= scores[end]) return;
        scores[end] = before + score;
        starts[end] = start;
        ids[end] = id;
      };
      this.#trie.forEachPrefix(word, start, (end, id) => {
        propose(end, id, this.#scores[id]);
        if (end === start + units) isKnown = true;
      });
      if (!isKnown) {
        const id = this.#unknown ?? -1;
        propose(start + units, id, this.#unknownScore);
        if (ids[start + units] === -1) this.#requireUnknown();
      }
      start += units;
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
    const ids = Array.from(encoder.encode(text), (byte) => this.#byteIds[byte]);
    return ids.includes(undefined) ? undefined : ids;
  }
}
