// Sentences that grow side by side, a token at a time: what a search keeps. They share what they have in
// common: each layer has one cache, in which the tokens of all of them stand one after another, and each token
// sees those of its own sentence.
import { specialTokens } from './tokens.js';

export class Branches {
  #held;
  #logits;
  #places = [[]]; // for each sentence where its tokens stand in the caches
  #length = 0; // of the caches

  /** held: what is to be deleted; logits(ids, position, mask): of what follows tokens that go into the caches. */
  constructor(held, logits) {
    this.#held = held;
    this.#logits = logits;
  }

  /**
   * The logits of what follows each list of ids. lists: of one token more than those before, or a single empty
   * one at first; from: for each the number of the list before that it continues.
   */
  next(lists, from) {
    const ids = lists.map((list) => list.at(-1) ?? specialTokens.start);
    this.#places = lists.map((_, n) => [...(this.#places[from[n]] ?? []), this.#length + n]);
    this.#length += ids.length;
    const isAll = ids.length === 1 && this.#places[0].length === this.#length;
    return this.#logits(ids, lists[0].length, isAll ? undefined : this.#mask());
  }

  /** sentences × places: whether the place is one of the sentence's. */
  #mask() {
    const columns = this.#length;
    const data = new Uint8Array(this.#places.length * columns);
    this.#places.forEach((places, row) => {
      for (const place of places) data[row * columns + place] = 1;
    });
    return { data, dims: [this.#places.length, columns] };
  }

  delete() {
    for (const one of this.#held) one.delete();
  }
}
