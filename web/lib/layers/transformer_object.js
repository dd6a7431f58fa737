// Base classes of the Transformer layers.
import { readOptions } from '../arguments/options.js';
import { readTensor } from '../arguments/tensor.js';
import { ModuleObject, factsOf } from '../module/module_object.js';
import { cacheOptions, projectedContext, readProjectOptions } from './multi_head_attention.js';

/**
 * @import { Facts, Heap } from '../module/heap.js'
 * @import { TensorLike } from '../types/arguments/tensor.js'
 * @import { CacheSize, KeyValueCacheClass } from './multi_head_attention.js'
 * @import { layerReader } from './transformer_call.js'
 * @typedef {ReturnType<typeof transformerObjects>} TransformerBases
 */

/**
 * The base classes of layers without and with cross-attention.
 *
 * @param {Heap} heap
 * @param {KeyValueCacheClass} KeyValueCache
 */
export function transformerObjects(heap, KeyValueCache) {
  class TransformerObject extends ModuleObject {
    /** @type {ReturnType<typeof layerReader>} */
    #read;

    /**
     * @param {string} name see ModuleObject, as the next two
     * @param {Facts} facts
     * @param {string[]} makers
     * @param {ReturnType<typeof layerReader>} read
     */
    constructor(name, facts, makers, read) {
      super(heap, name, facts, makers);
      this.#read = read;
    }

    get heads() {
      return factsOf(this, TransformerObject).heads;
    }

    get keyDim() {
      return factsOf(this, TransformerObject).keyDim;
    }

    get modelDim() {
      return factsOf(this, TransformerObject).modelDim;
    }

    createCache(/** @type {unknown} */ options) {
      const { kvHeads, keyDim, valueDim } = factsOf(this, TransformerObject);
      const read = readOptions('createCache', options, cacheOptions, ['capacity']);
      return new KeyValueCache({ ...read, kvHeads, keyDim, valueDim });
    }

    /**
     * @param {TensorLike} x
     * @param {unknown[]} args see layerReader()
     */
    forward(x, ...args) {
      factsOf(this, TransformerObject);
      const { fields } = this.#read(x, ...args);
      return heap.call('transformerLayer', { ...fields, layer: this });
    }
  }

  class WithMemory extends TransformerObject {
    /**
     * @param {TensorLike} memory
     * @param {unknown} [options]
     */
    projectMemory(memory, options) {
      const {
        crossKvHeads: kvHeads,
        crossKeyDim: keyDim,
        crossValueDim: valueDim,
      } = factsOf(this, WithMemory);
      const makeCache = (/** @type {CacheSize} */ size) =>
        new KeyValueCache({ ...size, kvHeads, keyDim, valueDim });
      const context = readTensor('memory', memory);
      const edits = readProjectOptions('projectMemory', options);
      // No code of the caller runs between reading this address and its use.
      const { cross } = heap.facts('memoryOfTransformer', { layer: this });
      return projectedContext(heap, makeCache, { layer: cross, context, cross: true, ...edits });
    }
  }

  return { TransformerObject, WithMemory };
}
