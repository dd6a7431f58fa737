// Key/value caches in a worker that computes layers with others.
import { field } from './layer_shard.js';

export class ShardCaches {
  #heap;
  #addresses = new Map(); // by id

  constructor(heap) {
    this.#heap = heap;
  }

  /** The address of a cache, created on its first use; with a context, filled with its keys and values. */
  addressOf(attention, { id, batch = 1, capacity, context, edits, copies = [] }) {
    const heap = this.#heap;
    let cache = this.#addresses.get(id);
    if (cache === undefined) {
      const { kvHeads, keyDim, valueDim } = attention;
      const sizes = { kvHeads, keyDim, valueDim };
      const fields = context && { layer: attention.object, context: field('context', context) };
      const { batch: entries, length } = fields
        ? heap.facts('projectContext', fields)
        : { batch, length: capacity };
      cache = heap.create('newCache', { ...sizes, batch: entries, capacity: length }).object;
      this.#addresses.set(id, cache);
      if (fields) heap.call('projectContext', { ...fields, ...edits, cache });
    }
    for (const [from, to] of copies) heap.call('copyEntry', { cache, from, to });
    return cache;
  }

  free(ids) {
    for (const id of ids) {
      if (this.#addresses.has(id)) this.#heap.free(this.#addresses.get(id));
      this.#addresses.delete(id);
    }
  }
}
