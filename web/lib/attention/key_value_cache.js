// KeyValueCache: keys and values in the module's memory, packed when they are appended.
import { describe } from '../arguments/describe.js';
import {
  ModuleObject,
  addressIn,
  factsOf,
  make,
  requireRawObject,
} from '../module/module_object.js';
import { attentionFields, attentionOptions, groupScores } from '../arguments/attention_options.js';
import { boolean, number, readOptions } from '../arguments/options.js';
import { readTensor } from '../arguments/tensor.js';

const kinds = {
  batch: number,
  kvHeads: number,
  keyDim: number,
  valueDim: number,
  capacity: number,
  sliding: boolean,
};

/**
 * @import { Tensor, TensorLike } from '../types/arguments/tensor.js'
 * @import { Heap } from '../module/heap.js'
 */

/** @type {WeakSet<object>} */
const caches = new WeakSet();

/** @param {Heap} heap */
export function keyValueCache(heap) {
  /**
   * The cache; throws if it was deleted.
   *
   * @param {KeyValueCache} cache
   */
  const alive = (cache) => {
    factsOf(cache, KeyValueCache);
    return cache;
  };

  class KeyValueCache extends ModuleObject {
    /** @type {number} */
    #capacity;

    /** @param {unknown} options */
    constructor(options) {
      const read = readOptions('KeyValueCache', options, kinds, ['keyDim', 'capacity']);
      const { batch = 1, kvHeads = 1, keyDim, valueDim = keyDim, capacity, sliding } = read;
      const sizes = { batch, kvHeads, keyDim, valueDim, capacity, sliding };
      super(heap, 'KeyValueCache', make(heap, 'newCache', sizes), []);
      caches.add(this);
      this.#capacity = capacity;
    }

    get capacity() {
      return alive(this).#capacity;
    }

    get length() {
      return heap.facts('cacheState', { cache: alive(this) }).length;
    }

    get keptLength() {
      return heap.facts('cacheState', { cache: alive(this) }).keyCount;
    }

    /**
     * @param {TensorLike} key
     * @param {TensorLike} value
     */
    append(key, value) {
      const cache = alive(this);
      const tensors = { key: readTensor('key', key), value: readTensor('value', value) };
      heap.call('append', { cache, ...tensors });
      return this.length;
    }

    /**
     * @param {TensorLike} query
     * @param {unknown} [options]
     */
    attend(query, options) {
      const cache = alive(this);
      const read = readOptions('attend', options, attentionOptions);
      const fields = attentionFields(read, heap.enums);
      fields.cache = cache;
      fields.query = readTensor('query', query);
      return groupScores(heap.call('attention', fields), read.scores);
    }

    rewind(/** @type {number} */ length) {
      const cache = alive(this);
      heap.call('rewind', { cache, length: number(length, 'length') });
    }

    copyEntry(/** @type {number} */ from, /** @type {number} */ to) {
      const cache = alive(this);
      heap.call('copyEntry', { cache, from: number(from, 'from'), to: number(to, 'to') });
    }

    clear() {
      heap.call('rewind', { cache: alive(this), length: 0 });
    }
  }
  return { KeyValueCache };
}

/**
 * Whether a value is a cache; throws for one behind a proxy.
 *
 * @param {unknown} value
 * @param {string} name
 * @returns {value is ModuleObject}
 */
export function isCache(value, name) {
  requireRawObject(value, name);
  return typeof value === 'object' && value !== null && caches.has(value);
}

/**
 * A reader for readOptions(): a cache in the module of `heap`.
 *
 * @param {Heap} heap
 * @returns {(value: unknown, name: string) => ModuleObject}
 */
export function readCache(heap) {
  return (value, name) => {
    if (!isCache(value, name)) {
      throw new TypeError(`${name} must be a KeyValueCache, found ${describe(value)}`);
    }
    addressIn(heap, value, name);
    return value;
  };
}
