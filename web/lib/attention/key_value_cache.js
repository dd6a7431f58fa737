// KeyValueCache: keys and values that stay in the module, packed as they arrive.
import { describe } from '../arguments/describe.js';
import { ModuleObject, addressIn, factsOf } from '../module/module_object.js';
import { attentionFields, attentionOptions } from '../arguments/attention_options.js';
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

const caches = new WeakSet();

export function keyValueCache(heap) {
  class KeyValueCache extends ModuleObject {
    #capacity;

    constructor(options) {
      const read = readOptions('KeyValueCache', options, kinds, {
        required: ['keyDim', 'capacity'],
      });
      const facts = heap.create('newCache', {
        batch: read.batch ?? 1,
        kvHeads: read.kvHeads ?? 1,
        keyDim: read.keyDim,
        valueDim: read.valueDim ?? read.keyDim,
        capacity: read.capacity,
        sliding: read.sliding,
      });
      super(heap, 'KeyValueCache', facts, []);
      caches.add(this);
      this.#capacity = read.capacity;
    }

    get #address() {
      return factsOf(this, KeyValueCache).object;
    }

    get #state() {
      return { ...heap.facts('cacheState', { cache: this.#address }), capacity: this.#capacity };
    }

    get capacity() {
      return this.#state.capacity;
    }

    get length() {
      return this.#state.length;
    }

    get keptLength() {
      return this.#state.kept;
    }

    append(key, value) {
      const cache = this.#address;
      const tensors = { key: readTensor('key', key), value: readTensor('value', value) };
      heap.call('append', { cache, ...tensors });
      return this.length;
    }

    attend(query, options) {
      const cache = this.#address;
      const fields = attentionFields(readOptions('attend', options, attentionOptions));
      return heap.call('attention', { ...fields, cache, query: readTensor('query', query) });
    }

    rewind(length) {
      if (typeof length !== 'number') {
        throw new TypeError(`length must be a number, found ${describe(length)}`);
      }
      heap.call('rewind', { cache: this.#address, length });
    }

    clear() {
      heap.call('rewind', { cache: this.#address, length: 0 });
    }
  }
  return { KeyValueCache };
}

export const isCache = (value) => caches.has(value);

/** For the kinds of readOptions(): the address of a cache in the module of `heap`. */
export function readCache(heap) {
  return (value, name) => {
    if (!isCache(value)) {
      throw new TypeError(`${name} must be a KeyValueCache, found ${describe(value)}`);
    }
    return addressIn(heap, value, name);
  };
}
