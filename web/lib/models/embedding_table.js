// Token embeddings, vocabulary × width, stored once in the module's memory: rows embed token ids, and the product with
// the transposed table gives logits. Loaded in blocks of rows, so that no second copy is needed.
import { storageType, toStorage } from './weight_storage.js';

export class EmbeddingTable {
  #linear;
  #vocabulary;

  constructor(api, { dims: [vocabulary, width], type }, storage) {
    this.#vocabulary = vocabulary;
    this.#linear = api.Linear.reserve({
      inDim: width,
      outDim: vocabulary,
      type: storageType(type, storage),
    });
  }

  static async load(api, planned, weights, storage) {
    const table = new EmbeddingTable(api, planned, storage);
    try {
      for await (const { first, tensor } of weights.rows(planned.name)) {
        table.#linear.fill(first, toStorage(tensor, storage));
      }
      return table;
    } catch (error) {
      table.delete();
      throw error;
    }
  }

  /** The embeddings of these ids, n × width. */
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
