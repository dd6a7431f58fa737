// MultiHeadAttention: projections, attention, and the output projection.
import { isCache, readCache } from '../attention/key_value_cache.js';
import {
  attentionFields,
  edits,
  groupScores,
  interventions,
  layerOptions,
} from '../arguments/attention_options.js';
import { boolean, isAbsent, number, readOptions, string } from '../arguments/options.js';
import {
  attentionNames,
  readStateDict,
  refusedNames,
  requireFields,
  requireProjections,
} from '../arguments/state_dict.js';
import { readTensor, tensor } from '../arguments/tensor.js';
import { ModuleObject, factsOf, make } from '../module/module_object.js';

/**
 * @import { AttentionFields, AttentionOptions, Enums } from '../arguments/attention_options.js'
 * @import { Options } from '../arguments/options.js'
 * @import { TensorInput } from '../arguments/tensor.js'
 * @import { keyValueCache } from '../attention/key_value_cache.js'
 * @import { Facts, Heap, Inputs } from '../module/heap.js'
 * @import { TensorLike } from '../types/arguments/tensor.js'
 * @typedef {ReturnType<typeof keyValueCache>['KeyValueCache']} KeyValueCacheClass
 * @typedef {{ batch: number, capacity: number }} CacheSize
 */

const projections = /** @type {const} */ (['query', 'key', 'value']);
const matrices = [...projections, 'output'];
/** @type {Record<string, typeof tensor>} */
const weightKinds = Object.fromEntries(
  [...matrices, ...matrices.map((name) => `${name}Bias`)].map((name) => [name, tensor]),
);
const torchNames = attentionNames();

export const cacheOptions = { batch: number, capacity: number, sliding: boolean };

/** Functions that turn the arguments of each static method into the fields of newMultiHead. */
export const multiHeadMakers = {
  /**
   * @param {unknown} weights
   * @param {unknown} options
   * @returns {Inputs}
   */
  fromWeights(weights, options) {
    const where = 'MultiHeadAttention.fromWeights';
    const fields = readOptions(where, weights, weightKinds, projections, 'weight');
    const kinds = { heads: number, kvHeads: number };
    return Object.assign(fields, readOptions(where, options, kinds, ['heads']));
  },

  /**
   * @param {unknown} stateDict
   * @param {unknown} options
   * @returns {Inputs}
   */
  fromTorch(stateDict, options) {
    const kinds = { heads: number, kvHeads: number, prefix: string };
    const read = readOptions('MultiHeadAttention.fromTorch', options, kinds, ['heads']);
    const { heads, kvHeads, prefix = '' } = read;
    const where = 'nn.MultiheadAttention';
    const fields = readStateDict(where, stateDict, prefix, torchNames, refusedNames());
    requireProjections(fields, prefix, '', torchNames);
    requireFields(fields, prefix, torchNames, ['out_proj.weight']);
    return Object.assign(fields, { outFirst: true, heads, kvHeads });
  },
};

/** The options of forward() except `cache`. */
export const multiHeadOptions = { ...layerOptions, headOutputs: boolean };

/**
 * Options and tensors as fields of a record. Self-attention if the context is absent or x itself.
 *
 * @param {AttentionOptions & { headOutputs?: boolean }} read
 * @param {unknown} x
 * @param {unknown} context
 * @param {Enums} enums
 */
export function multiHeadFields(read, x, context, enums) {
  const isSelf = isAbsent(context) || context === x;
  return {
    ...attentionFields(read, enums),
    returnHeadOutputs: read.headOutputs,
    x: readTensor('x', x),
    context: isSelf ? undefined : readTensor('context', context),
  };
}

/**
 * @param {Heap} heap
 * @param {KeyValueCacheClass} KeyValueCache
 */
export function multiHeadAttention(heap, KeyValueCache) {
  const cache = readCache(heap);
  const forwardOptions = { ...multiHeadOptions, cache, interventions };

  class MultiHeadAttention extends ModuleObject {
    /** @param {Facts} facts */
    constructor(facts) {
      super(heap, 'MultiHeadAttention', facts, Object.keys(multiHeadMakers));
    }

    /**
     * @param {unknown} weights
     * @param {unknown} options
     */
    static fromWeights(weights, options) {
      const fields = multiHeadMakers.fromWeights(weights, options);
      return new MultiHeadAttention(make(heap, 'newMultiHead', fields));
    }

    /**
     * @param {unknown} stateDict
     * @param {unknown} options
     */
    static fromTorch(stateDict, options) {
      const fields = multiHeadMakers.fromTorch(stateDict, options);
      return new MultiHeadAttention(make(heap, 'newMultiHead', fields));
    }

    get heads() {
      return factsOf(this, MultiHeadAttention).heads;
    }

    get kvHeads() {
      return factsOf(this, MultiHeadAttention).kvHeads;
    }

    get keyDim() {
      return factsOf(this, MultiHeadAttention).keyDim;
    }

    get valueDim() {
      return factsOf(this, MultiHeadAttention).valueDim;
    }

    get modelDim() {
      return factsOf(this, MultiHeadAttention).modelDim;
    }

    /**
     * @param {TensorLike} x
     * @param {unknown} [context] a tensor or a cache
     * @param {unknown} [options]
     */
    forward(x, context, options) {
      factsOf(this, MultiHeadAttention);
      const read = readOptions('forward', options, forwardOptions);
      const contextIsCache = isCache(context, 'context');
      if (contextIsCache && read.cache !== undefined) {
        throw new TypeError('context is a KeyValueCache already, so no other cache can be given');
      }
      const results = heap.call('multiHead', {
        ...multiHeadFields(read, x, contextIsCache ? null : context, heap.enums),
        ...read.interventions,
        layer: this,
        cache: contextIsCache ? cache(context, 'context') : read.cache,
        appends: read.cache !== undefined,
      });
      return groupScores(results, read.scores);
    }

    /**
     * @param {TensorLike} x
     * @param {TensorLike | null} [context]
     */
    project(x, context) {
      factsOf(this, MultiHeadAttention);
      const tensors = {
        x: readTensor('x', x),
        context: isAbsent(context) ? undefined : readTensor('context', context),
      };
      return heap.call('project', { layer: this, ...tensors });
    }

    createCache(/** @type {unknown} */ options) {
      const { kvHeads, keyDim, valueDim } = factsOf(this, MultiHeadAttention);
      const read = readOptions('createCache', options, cacheOptions, ['capacity']);
      return new KeyValueCache({ ...read, kvHeads, keyDim, valueDim });
    }

    /**
     * @param {TensorLike} context
     * @param {unknown} [options]
     */
    projectContext(context, options) {
      const { kvHeads, keyDim, valueDim } = factsOf(this, MultiHeadAttention);
      const makeCache = (/** @type {CacheSize} */ size) =>
        new KeyValueCache({ ...size, kvHeads, keyDim, valueDim });
      const args = {
        layer: this,
        context: readTensor('context', context),
        ...readProjectOptions('projectContext', options),
      };
      return projectedContext(heap, makeCache, args);
    }
  }
  return { MultiHeadAttention };
}

const projectKinds = { interventions: edits };

/** The options of projectContext() and projectMemory() as fields of a record. */
export const readProjectOptions = (
  /** @type {string} */ where,
  /** @type {unknown} */ options,
) => ({
  ...readOptions(where, options, projectKinds).interventions,
});

/**
 * A full cache with the keys and values of a context.
 *
 * @param {Heap} heap
 * @param {(size: CacheSize) => InstanceType<KeyValueCacheClass>} makeCache
 * @param {Inputs} args
 */
export function projectedContext(heap, makeCache, args) {
  const { batch, length } = heap.facts('projectContext', args);
  const cache = makeCache({ batch, capacity: Math.max(1, length) });
  try {
    heap.call('projectContext', { ...args, cache });
  } catch (error) {
    cache.delete();
    throw error;
  }
  return cache;
}
