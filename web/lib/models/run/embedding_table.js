// Token embeddings, vocabulary × width, stored once in the module's memory: rows embed token ids, and the product with
// the transposed table gives logits. Loaded in blocks of rows, so that no second copy is needed.
import { storageType, toStorage } from './weight_storage.js';

export class EmbeddingTable {
  #linear;
  #vocabulary;
  #tokenOf;

  constructor(linear, vocabulary, tokenOf) {
    this.#linear = linear;
    this.#vocabulary = vocabulary;
    this.#tokenOf = tokenOf;
  }

  /** tokenOf: a function from an id to its token, '' if there is none, for errors. */
  static async load(api, planned, weights, { storage, tokenOf }) {
    const [vocabulary, width] = planned.dims;
    const type = storageType(planned.type, storage);
    const linear = await api.Linear.reserve({ inDim: width, outDim: vocabulary, type });
    const table = new EmbeddingTable(linear, vocabulary, tokenOf);
    try {
      for await (const { first, tensor } of weights.rows(planned.name)) {
        await linear.fill(first, toStorage(api, tensor, storage));
      }
      return table;
    } catch (error) {
      table.delete();
      throw error;
    }
  }

  /** The embeddings of these ids, n × width, or a promise of them from a pool. */
  rows(ids) {
    const wrong = ids.findIndex((id) => id >= this.#vocabulary);
    if (wrong < 0) return this.#linear.rows(ids);
    const token = this.#tokenOf(ids[wrong]);
    const name = token === '' ? '' : `the token '${token}', `;
    throw new RangeError(
      `ids[${wrong}] is ${ids[wrong]}, ${name}but the embedding of the model has ${this.#vocabulary} rows`,
    );
  }

  /** x · tableᵀ, n × vocabulary, or a promise of it from a pool. */
  logits(x) {
    return this.#linear.forward(x);
  }

  delete() {
    this.#linear.delete();
  }
}
