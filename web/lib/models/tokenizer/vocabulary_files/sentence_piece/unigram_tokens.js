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
    const propose = (start, end, id, sum) => {
      if (starts[end] >= 0 && sum <= sums[end]) return;
      sums[end] = sum;
      starts[end] = start;
      ids[end] = id;
    };
    const trie = this.#trie;
    const { root } = trie;
    let node = root;
    for (let last = 0, end; last < text.length; last = end) {
      end = last + unitsAt(text, last);
      for (let at = last; at < end; at++) node = trie.next(node, text.charCodeAt(at));
      let isKnown = false; // the last character as a piece
      // Those that end here by their start, as there.
      for (let one = trie.longest(node); one !== root; one = trie.nextLongest(one)) {
        const start = end - trie.lengthOf(one);
        const id = trie.valueOf(one);
        propose(start, end, id, sums[start] + this.#scores[id]);
        if (start === last) isKnown = true;
      }
      if (!isKnown) propose(last, end, this.unknown, Math.fround(sums[last] + this.#unknownScore));
    }
    const path = [];
    for (let end = text.length; end > 0; end = starts[end]) {
      path.push([starts[end], end, ids[end]]);
    }
    return path.reverse();
  }
}
