// MultiHeadAttention: projections, attention, and the projection of the heads together.
import { describe } from './describe.js';
import { isCache, readCache } from './key_value_cache.js';
import { ModuleObject } from './module_object.js';
import { attentionFields, boolean, layerOptions, number, readOptions } from './options.js';
import {
  attentionNames,
  readStateDict,
  refusedNames,
  requireFields,
  requireProjections,
} from './state_dict.js';
import { readTensor, tensor } from './tensor.js';

const matrices = ['query', 'key', 'value', 'output'];
const weightKinds = Object.fromEntries(
  [...matrices, ...matrices.map((name) => `${name}Bias`)].map((name) => [name, tensor]),
);
const torchNames = attentionNames();

/** For the kinds of readOptions(). */
export function string(value, name) {
  if (typeof value === 'string') return value;
  throw new TypeError(`${name} must be a string, found ${describe(value)}`);
}

export const cacheOptions = { batch: number, capacity: number, sliding: boolean };

export function multiHeadAttention(heap, KeyValueCache) {
  const cache = readCache(heap);
  const forwardOptions = { ...layerOptions, headOutputs: boolean, cache };
  const unlocked = Symbol();

  class MultiHeadAttention extends ModuleObject {
    #facts;

    constructor(lock, facts) {
      if (lock !== unlocked) {
        throw new TypeError(
          'a MultiHeadAttention is made by MultiHeadAttention.fromWeights() or .fromTorch()',
        );
      }
      super(heap, facts.object);
      this.#facts = facts;
    }

    static fromWeights(weights, options) {
      const where = 'MultiHeadAttention.fromWeights';
      const fields = readOptions(where, weights, weightKinds, {
        noun: 'weight',
        required: matrices,
      });
      const read = readOptions(
        where,
        options,
        { heads: number, kvHeads: number },
        { required: ['heads'] },
      );
      return new MultiHeadAttention(unlocked, heap.create('newMultiHead', { ...fields, ...read }));
    }

    static fromTorch(stateDict, options) {
      const kinds = { heads: number, kvHeads: number, prefix: string };
      const read = readOptions('MultiHeadAttention.fromTorch', options, kinds, {
        required: ['heads'],
      });
      const { heads, kvHeads, prefix = '' } = read;
      const module = 'nn.MultiheadAttention';
      const fields = readStateDict(module, stateDict, prefix, torchNames, refusedNames());
      requireProjections(fields, prefix, '', torchNames);
      requireFields(fields, prefix, torchNames, ['out_proj.weight']);
      const record = { ...fields, torch: true, heads, kvHeads };
      return new MultiHeadAttention(unlocked, heap.create('newMultiHead', record));
    }

    get #address() {
      return ModuleObject.addressIn(heap, this, 'this MultiHeadAttention');
    }

    /** What is known of the layer, while it is there. */
    get #known() {
      return { ...this.#facts, layer: this.#address };
    }

    get heads() {
      return this.#known.headCount;
    }

    get kvHeads() {
      return this.#known.kvHeadCount;
    }

    get keyDim() {
      return this.#known.keyDim;
    }

    get valueDim() {
      return this.#known.valueDim;
    }

    get modelDim() {
      return this.#known.modelDim;
    }

    forward(x, context, options) {
      const layer = this.#address;
      const read = readOptions('forward', options, forwardOptions);
      const fields = { ...attentionFields(read), layer, x: readTensor('x', x) };
      if (isCache(context)) {
        if (read.cache !== undefined) {
          throw new TypeError('context is a KeyValueCache already, so no other cache can be given');
        }
        fields.cache = cache(context, 'context');
      } else {
        // Self-attention, whether the context is left out or named again.
        const isSelf = context === undefined || context === null || context === x;
        if (!isSelf) fields.context = readTensor('context', context);
        fields.cache = read.cache;
        fields.appends = read.cache !== undefined;
      }
      return heap.call('multiHead', { ...fields, wantsHeadOutputs: read.headOutputs });
    }

    project(x, context) {
      const fields = { layer: this.#address, x: readTensor('x', x) };
      if (context !== undefined && context !== null) {
        fields.context = readTensor('context', context);
      }
      return heap.call('project', fields);
    }

    createCache(options) {
      const read = readOptions('createCache', options, cacheOptions, { required: ['capacity'] });
      const { kvHeads, keyDim, valueDim } = this;
      return new KeyValueCache({ ...read, kvHeads, keyDim, valueDim });
    }

    projectContext(context) {
      const layer = this.#address;
      const { kvHeads, keyDim, valueDim } = this;
      const makeCache = (size) => new KeyValueCache({ ...size, kvHeads, keyDim, valueDim });
      return projectedContext(heap, makeCache, { layer, context: readTensor('context', context) });
    }
  }
  return { MultiHeadAttention };
}

/** A cache that holds the keys and values of a context and has room for no more. */
export function projectedContext(heap, makeCache, given) {
  const { batch, length } = heap.facts('projectContext', given);
  const made = makeCache({ batch, capacity: Math.max(1, length) });
  try {
    const cache = ModuleObject.addressIn(heap, made, 'the cache');
    heap.call('projectContext', { ...given, cache });
  } catch (error) {
    made.delete();
    throw error;
  }
  return made;
}
