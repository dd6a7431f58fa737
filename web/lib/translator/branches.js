// Sentences that grow side by side, a token at a time: what a search keeps. They share what they have in
// common: each layer has one cache, in which the tokens of all of them stand one after another, and each token
// sees those of its own sentence.
import { specialTokens } from './tokens.js';

export class Branches {
  #layers;
  #projected;
  #caches;
  #embed;
  #logits;
  #places = [[]]; // for each sentence where its tokens stand in the caches
  #length = 0; // of the caches

  /**
   * @param {object} of layers of the decoder; projected: the memory for each; capacity: tokens of all sentences,
   *   the start included; embed(ids, position); logits(output)
   */
  constructor({ layers, projected, capacity, embed, logits }) {
    this.#layers = layers;
    this.#projected = projected;
    this.#caches = layers.map((layer) => layer.createCache({ capacity }));
    this.#embed = embed;
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
    const rows = ids.length;
    let x = this.#embed(ids, lists[0].length);
    const mask = rows === 1 && this.#places[0].length === this.#length ? undefined : this.#mask();
    this.#layers.forEach((layer, n) => {
      x = layer.forward(x, this.#projected[n], { cache: this.#caches[n], mask }).output;
    });
    return this.#logits(x);
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
    for (const cache of [...this.#projected, ...this.#caches]) cache.delete();
  }
}
