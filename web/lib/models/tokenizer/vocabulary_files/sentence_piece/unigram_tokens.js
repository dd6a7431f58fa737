// SentencePiece's Unigram: the pieces with the largest sum of scores, by dynamic programming over the positions. Sums are
// float32 and ties are broken as there, so that ids are the same. Source: google/sentencepiece, unigram_model.cc,
// EncodeOptimized.
import { unitsAt } from '../../characters.js';
import { Trie } from '../../trie.js';
import { tokenTypes } from './model_file.js';

const encoder = new TextEncoder();
/** Bytes of a text in UTF-8. */
const utf8Length = (text) => encoder.encode(text).length;

const unknownPenalty = 10;
const smallest = 2 ** -126; // the initial maximum of scores there

export class UnigramTokens {
  #trie = new Trie();
  #scores;
  #unknownScore;
  unknown;

  /** @param {{ text: string, score: number, type: number }[]} pieces by id */
  constructor(pieces) {
    const normal = pieces.filter(({ type }) => type === tokenTypes.normal);
    const min = normal.reduce((a, { score }) => Math.min(a, score), Infinity);
    const max = normal.reduce((a, { score }) => Math.max(a, score), smallest);
    this.#unknownScore = Math.fround(min - unknownPenalty);
    this.#scores = Float64Array.from(pieces, ({ text, score, type }) =>
      type === tokenTypes.userDefined ? Math.fround(utf8Length(text) * max) - 0.1 : score,
    );
    pieces.forEach(({ text, type }, id) => {
      if (type === tokenTypes.normal || type === tokenTypes.userDefined) this.#trie.set(text, id);
      if (type === tokenTypes.unknown) this.unknown = id;
    });
  }

  /** [start, end, id] of each piece of a text. */
  encode(text) {
    const sums = new Float32Array(text.length + 1);
    const starts = new Int32Array(text.length + 1).fill(-1);
    const ids = new Int32Array(text.length + 1);
    for (let start = 0; start < text.length;) {
      const next = start + unitsAt(text, start);
      const before = sums[start];
      let isKnown = false; // as a piece of one character
      const propose = (end, id, sum) => {
        if (starts[end] >= 0 && sum <= sums[end]) return;
        sums[end] = sum;
        starts[end] = start;
        ids[end] = id;
      };
      this.#trie.forEachPrefix(text, start, (end, id) => {
        propose(end, id, before + this.#scores[id]);
        if (end === next) isKnown = true;
      });
      if (!isKnown) propose(next, this.unknown, Math.fround(before + this.#unknownScore));
      start = next;
    }
    const path = [];
    for (let end = text.length; end > 0; end = starts[end]) {
      path.push([starts[end], end, ids[end]]);
    }
    return path.reverse();
  }
}
