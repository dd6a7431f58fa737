// Incremental decoding: each layer caches keys and values, and the encoder's output is projected once. With `batch`,
// several sequences of equal length are extended together.
import { someRows } from './vector_rows.js';

/** The same matrix `count` times, as a batch. */
export const repeated = (matrix, count) => batchOf(Array(count).fill(matrix));

/** Matrices of the same dims as a batch. */
function batchOf(matrices) {
  const { length } = matrices[0].data;
  const data = new Float32Array(matrices.length * length);
  matrices.forEach((matrix, n) => data.set(matrix.data, n * length));
  return { data, dims: [matrices.length, ...matrices[0].dims] };
}

export class Decoding {
  #stack;
  #embedding;
  #head;
  #options;
  #interventions;
  #side;
  #memory;
  #caches = [];
  #length = 0;

  /**
   * @param {object} components components of a model
   * @param {object} options those of Stack.run(), for every step; memory: the encoder's output; capacity: max tokens; batch;
   *   interventions: of readInterventions()
   */
  constructor({ stacks, embeddings, head }, options) {
    const { memory, capacity, batch, interventions, ...others } = options;
    this.#side = stacks.self ? 'self' : 'decoder';
    this.#stack = stacks[this.#side].stack;
    this.#embedding = embeddings[this.#side];
    this.#head = head;
    this.#options = others;
    this.#interventions = interventions;
    try {
      const context = memory && batch ? repeated(memory, batch) : memory;
      this.#memory = context && this.#stack.projectMemory(context, interventions);
      this.#caches = this.#stack.createCaches(capacity, batch);
    } catch (error) {
      this.delete();
      throw error;
    }
  }

  /** Copies the caches of one batch entry to another. */
  copyText(from, to) {
    for (const cache of this.#caches) cache.copyEntry(from, to);
  }

  *#run(x, count) {
    const first = this.#length;
    const hasMemory = this.#memory !== undefined;
    const result = yield* this.#stack.run(x, {
      ...this.#options,
      caches: this.#caches,
      memory: this.#memory,
      interventions: this.#interventions?.ofCalls(this.#side, first, first + count, hasMemory),
    });
    this.#length += count;
    return result;
  }

  /** Appends ids to the only sequence; returns the stack's result and the logits after the last id. In steps. */
  *append(ids) {
    const x = yield* this.#embedding.of(ids, { offset: this.#length });
    const result = yield* this.#run(x, ids.length);
    const last = someRows(result.hidden, [ids.length - 1]);
    return { ...result, logits: yield* this.#head.logits(last, {}) };
  }

  /**
   * Appends one list of ids to each batch entry, all of equal length; returns the logits of these rows of the result. In
   * steps.
   */
  *appendEach(lists, rows) {
    const vectors = [];
    for (const ids of lists) {
      vectors.push(yield* this.#embedding.of(ids, { offset: this.#length }));
    }
    const { hidden } = yield* this.#run(batchOf(vectors), lists[0].length);
    return yield* this.#head.logits(someRows(hidden, rows), {});
  }

  delete() {
    for (const cache of [...this.#caches, ...(this.#memory ?? [])]) cache.delete();
  }
}
