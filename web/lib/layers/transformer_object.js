// Base classes of the Transformer layers.
import { readOptions } from '../arguments/options.js';
import { readTensor } from '../arguments/tensor.js';
import { ModuleObject, factsOf } from '../module/module_object.js';
import { cacheOptions, projectedContext, readProjectOptions } from './multi_head_attention.js';

/** The base classes of layers without and with cross-attention. */
export function transformerObjects(heap, KeyValueCache) {
  class TransformerObject extends ModuleObject {
    #read;

    /** read: see layerReader(); other arguments: see ModuleObject. */
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

    createCache(options) {
      const read = readOptions('createCache', options, cacheOptions, ['capacity']);
      const { kvHeads, keyDim, valueDim } = factsOf(this, TransformerObject);
      return new KeyValueCache({ ...read, kvHeads, keyDim, valueDim });
    }

    forward(...args) {
      factsOf(this, TransformerObject);
      const { fields } = this.#read(...args);
      return heap.call('transformerLayer', { ...fields, layer: this });
    }
  }

  class WithMemory extends TransformerObject {
    projectMemory(memory, options) {
      const {
        crossKvHeads: kvHeads,
        crossKeyDim: keyDim,
        crossValueDim: valueDim,
      } = factsOf(this, WithMemory);
      const makeCache = (size) => new KeyValueCache({ ...size, kvHeads, keyDim, valueDim });
      const context = readTensor('memory', memory);
      const edits = readProjectOptions('projectMemory', options);
      // No code of the caller runs between reading this address and its use.
      const { cross } = heap.facts('memoryOfTransformer', { layer: this });
      return projectedContext(heap, makeCache, { layer: cross, context, cross: true, ...edits });
    }
  }

  return { TransformerObject, WithMemory };
}
