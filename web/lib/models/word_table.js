// A table of words, vocabulary × width, that lives in the module once: its rows embed ids, and turned round it gives
// logits. It comes in parts, so that it is never twice in memory.
import { kept, keptType } from './kept_numbers.js';

export class WordTable {
  #linear;
  #vocabulary;

  constructor(api, { dims: [vocabulary, width], type }, how) {
    this.#vocabulary = vocabulary;
    this.#linear = api.Linear.reserve({
      inDim: width,
      outDim: vocabulary,
      type: keptType(type, how),
    });
  }

  static async load(api, planned, weights, how) {
    const table = new WordTable(api, planned, how);
    try {
      for await (const { first, tensor } of weights.rows(planned.name)) {
        table.#linear.fill(first, kept(tensor, how));
      }
      return table;
    } catch (error) {
      table.delete();
      throw error;
    }
  }

  /** Rows of these ids, n × width. */
  rows(ids) {
    const wrong = ids.findIndex((id) => id >= this.#vocabulary);
    if (wrong >= 0) {
      throw new RangeError(
        `ids[${wrong}] is ${ids[wrong]}, but the vocabulary has ${this.#vocabulary} tokens`,
      );
    }
    return this.#linear.rows(ids);
  }

  /** x · tableᵀ, n × vocabulary. */
  logits(x) {
    return this.#linear.forward(x);
  }

  delete() {
    this.#linear.delete();
  }
}
