// MultiHeadAttention: projections, attention, and the projection of the heads together.
import { isCache, readCache } from '../attention/key_value_cache.js';
import { attentionFields, inStages, layerOptions } from '../arguments/attention_options.js';
import { boolean, number, readOptions, string } from '../arguments/options.js';
import {
  attentionNames,
  readStateDict,
  refusedNames,
  requireFields,
  requireProjections,
} from '../arguments/state_dict.js';
import { readTensor, tensor } from '../arguments/tensor.js';
import { ModuleObject, factsOf, make } from '../module/module_object.js';

const projections = ['query', 'key', 'value'];
const matrices = [...projections, 'output'];
const weightKinds = Object.fromEntries(
  [...matrices, ...matrices.map((name) => `${name}Bias`)].map((name) => [name, tensor]),
);
const torchNames = attentionNames();

export const cacheOptions = { batch: number, capacity: number, sliding: boolean };

/** For each way to make a layer a function that reads its arguments: the fields of newMultiHead. */
export const multiHeadMakers = {
  fromWeights(weights, options) {
    const where = 'MultiHeadAttention.fromWeights';
    const fields = readOptions(where, weights, weightKinds, projections, 'weight');
    const kinds = { heads: number, kvHeads: number };
    return Object.assign(fields, readOptions(where, options, kinds, ['heads']));
  },

  fromTorch(stateDict, options) {
    const kinds = { heads: number, kvHeads: number, prefix: string };
    const read = readOptions('MultiHeadAttention.fromTorch', options, kinds, ['heads']);
    const { heads, kvHeads, prefix = '' } = read;
    const where = 'nn.MultiheadAttention';
    const fields = readStateDict(where, stateDict, prefix, torchNames, refusedNames());
    requireProjections(fields, prefix, '', torchNames);
    requireFields(fields, prefix, torchNames, ['out_proj.weight']);
    return Object.assign(fields, { torch: true, heads, kvHeads });
  },
};

/** The options of forward(), but for a cache. */
export const multiHeadOptions = { ...layerOptions, headOutputs: boolean };

/** Options and tensors as the fields of a record. Self-attention, whether the context is left out or x again. */
export function multiHeadFields(read, x, context, enums) {
  const isSelf = context === undefined || context === null || context === x;
  return {
    ...attentionFields(read, enums),
    wantsHeadOutputs: read.headOutputs,
    x: readTensor('x', x),
    context: isSelf ? undefined : readTensor('context', context),
  };
}

export function multiHeadAttention(heap, KeyValueCache) {
  const cache = readCache(heap);
  const forwardOptions = { ...multiHeadOptions, cache };

  class MultiHeadAttention extends ModuleObject {
    constructor(facts) {
      super(heap, 'MultiHeadAttention', facts, Object.keys(multiHeadMakers));
    }

    static fromWeights(...given) {
      return new MultiHeadAttention(
        make(heap, 'newMultiHead', multiHeadMakers.fromWeights(...given)),
      );
    }

    static fromTorch(...given) {
      return new MultiHeadAttention(
        make(heap, 'newMultiHead', multiHeadMakers.fromTorch(...given)),
      );
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

    forward(x, context, options) {
      factsOf(this, MultiHeadAttention);
      const read = readOptions('forward', options, forwardOptions);
      const looksIntoCache = isCache(context);
      if (looksIntoCache && read.cache !== undefined) {
        throw new TypeError('context is a KeyValueCache already, so no other cache can be given');
      }
      const results = heap.call('multiHead', {
        ...multiHeadFields(read, x, looksIntoCache ? null : context, heap.enums),
        layer: this,
        cache: looksIntoCache ? cache(context, 'context') : read.cache,
        appends: read.cache !== undefined,
      });
      return inStages(results, read.scores);
    }

    project(x, context) {
      factsOf(this, MultiHeadAttention);
      const tensors = { x: readTensor('x', x) };
      if (context !== undefined && context !== null) {
        tensors.context = readTensor('context', context);
      }
      return heap.call('project', { layer: this, ...tensors });
    }

    createCache(options) {
      const read = readOptions('createCache', options, cacheOptions, ['capacity']);
      const { kvHeads, keyDim, valueDim } = factsOf(this, MultiHeadAttention);
      return new KeyValueCache({ ...read, kvHeads, keyDim, valueDim });
    }

    projectContext(context) {
      const { kvHeads, keyDim, valueDim } = factsOf(this, MultiHeadAttention);
      const makeCache = (size) => new KeyValueCache({ ...size, kvHeads, keyDim, valueDim });
      const given = { layer: this, context: readTensor('context', context) };
      return projectedContext(heap, makeCache, given);
    }
  }
  return { MultiHeadAttention };
}

/** A cache that holds the keys and values of a context and has room for no more. */
export function projectedContext(heap, makeCache, given) {
  const { batch, length } = heap.facts('projectContext', given);
  const cache = makeCache({ batch, capacity: Math.max(1, length) });
  try {
    heap.call('projectContext', { ...given, cache });
  } catch (error) {
    cache.delete();
    throw error;
  }
  return cache;
}
