// SentencePiece's BPE: neighbors are merged if together they are a piece, the piece of the highest score first, of equal
// ones the leftmost. User-defined symbols are found first and never merged. Models of characters merge nothing. Source:
// google/sentencepiece, bpe_model.cc.
import { unitsAt } from '../../characters.js';
import { MergeHeap } from '../../merge_heap.js';
import { LongestMatches } from '../../trie.js';
import { tokenTypes } from './model_file.js';

const mergedTypes = [tokenTypes.normal, tokenTypes.userDefined, tokenTypes.unused];

/** The order of each piece's merge by id: equal scores have the same. */
function ranksOf(pieces) {
  const scores = [...new Set(pieces.map(({ score }) => score))].sort((a, b) => b - a);
  const rankOfScore = new Map(scores.map((score, rank) => [score, rank]));
  return Int32Array.from(pieces, ({ score }) => Number(rankOfScore.get(score)));
}

/** A text as a list of symbols, linked to their neighbors. */
class Symbols {
  starts = [];
  ends = [];
  next = [];
  previous = [];
  isFixed = [];

  add(start, end, isFixed) {
    const index = this.starts.length;
    this.starts.push(start);
    this.ends.push(end);
    this.isFixed.push(isFixed);
    this.previous.push(index - 1);
    this.next.push(index + 1);
  }

  /** Merges a symbol with the one behind it. */
  merge(left) {
    const right = this.next[left];
    this.ends[left] = this.ends[right];
    this.starts[right] = -1; // gone
    this.next[left] = this.next[right];
    if (this.next[left] < this.starts.length) this.previous[this.next[left]] = left;
  }
}

export class PairTokens {
  #ids; // of the pieces by text
  #list;
  #ranks;
  #symbols = new LongestMatches(); // user-defined
  #maxLength = 0; // of the pieces that are merged
  unknown;

  /** merges: false for a model of characters */
  constructor(pieces, { merges }) {
    this.#list = pieces;
    this.#ids = new Map(pieces.map(({ text }, id) => [text, id]));
    this.#ranks = ranksOf(pieces);
    this.unknown = pieces.findIndex(({ type }) => type === tokenTypes.unknown);
    for (const [id, { text, type }] of pieces.entries()) {
      if (type === tokenTypes.userDefined) this.#symbols.set(text, id);
      if (merges && mergedTypes.includes(type)) {
        this.#maxLength = Math.max(this.#maxLength, text.length);
      }
    }
  }

  /** The id of the piece that a merge may make; undefined if there is none. */
  #merged(text, start, end) {
    if (end - start > this.#maxLength) return undefined;
    const id = this.#ids.get(text.slice(start, end));
    return id !== undefined && mergedTypes.includes(this.#list[id].type) ? id : undefined;
  }

  #split(text) {
    const symbols = new Symbols();
    const matches = this.#symbols.in(text);
    let next = 0; // of the matches
    for (let at = 0; at < text.length;) {
      while (matches[next]?.start < at) next++;
      const isSymbol = matches[next]?.start === at;
      const end = isSymbol ? matches[next].end : at + unitsAt(text, at);
      symbols.add(at, end, isSymbol);
      at = end;
    }
    return symbols;
  }

  /** [start, end, id] of each piece of a text. */
  encode(text) {
    const symbols = this.#split(text);
    const { starts, ends, next, previous, isFixed } = symbols;
    const heap = new MergeHeap();
    const halves = new Map(); // of unused pieces: where the first ends
    const propose = (left) => {
      const right = next[left];
      if (left < 0 || right === starts.length || isFixed[left] || isFixed[right]) return;
      const id = this.#merged(text, starts[left], ends[right]);
      if (id === undefined) return;
      heap.push(this.#ranks[id], left);
      if (this.#list[id].type === tokenTypes.unused) halves.set(id, ends[left] - starts[left]);
    };
    for (let n = 0; n + 1 < starts.length; n++) propose(n);
    for (let key = heap.pop(); key >= 0; key = heap.pop()) {
      const rank = Math.floor(key / 2 ** 31);
      const left = key - rank * 2 ** 31;
      if (starts[left] < 0 || next[left] === starts.length) continue;
      // Neighbors may have been merged since.
      const id = this.#merged(text, starts[left], ends[next[left]]);
      if (id === undefined || this.#ranks[id] !== rank || isFixed[left] || isFixed[next[left]]) {
        continue;
      }
      symbols.merge(left);
      if (previous[left] >= 0) propose(previous[left]);
      propose(left);
    }
    const result = [];
    for (let n = 0; n < starts.length; n = next[n]) {
      this.#add(result, text, starts[n], ends[n], halves);
    }
    return result;
  }

  /** Adds the piece of a range; an unused one is divided into what it was made of. */
  #add(result, text, start, end, halves) {
    const id = this.#ids.get(text.slice(start, end)) ?? this.unknown;
    const length = this.#list[id].type === tokenTypes.unused ? halves.get(id) : undefined;
    if (length === undefined) {
      result.push([start, end, id]);
      return;
    }
    this.#add(result, text, start, start + length, halves);
    this.#add(result, text, start + length, end, halves);
  }
}
