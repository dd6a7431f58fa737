// MultiHeadAttention: projections, attention, and the projection of the heads together.
import { isCache, readCache } from '../attention/key_value_cache.js';
import { ModuleObject, addressIn, factsOf } from '../module/module_object.js';
import { attentionFields, layerOptions } from '../arguments/attention_options.js';
import { boolean, number, readOptions, string } from '../arguments/options.js';
import {
  attentionNames,
  readStateDict,
  refusedNames,
  requireFields,
  requireProjections,
} from '../arguments/state_dict.js';
import { readTensor, tensor } from '../arguments/tensor.js';

const projections = ['query', 'key', 'value'];
const matrices = [...projections, 'output'];
const weightKinds = Object.fromEntries(
  [...matrices, ...matrices.map((name) => `${name}Bias`)].map((name) => [name, tensor]),
);
const torchNames = attentionNames();

export const cacheOptions = { batch: number, capacity: number, sliding: boolean };

/** The fields of a new layer from weights of one's own. */
export function readWeights(where, weights, options) {
  const fields = readOptions(where, weights, weightKinds, {
    noun: 'weight',
    required: projections,
  });
  const kinds = { heads: number, kvHeads: number };
  const read = readOptions(where, options, kinds, { required: ['heads'] });
  return { ...fields, ...read };
}

/** The fields of a new layer from the state dict of nn.MultiheadAttention. */
export function readTorch(where, stateDict, options) {
  const kinds = { heads: number, kvHeads: number, prefix: string };
  const {
    heads,
    kvHeads,
    prefix = '',
  } = readOptions(where, options, kinds, {
    required: ['heads'],
  });
  const fields = readStateDict(
    'nn.MultiheadAttention',
    stateDict,
    prefix,
    torchNames,
    refusedNames(),
  );
  requireProjections(fields, prefix, '', torchNames);
  requireFields(fields, prefix, torchNames, ['out_proj.weight']);
  return { ...fields, torch: true, heads, kvHeads };
}

/** What any multi-head layer tells of itself, wherever it computes. */
export class MultiHeadLayer extends ModuleObject {
  constructor(heap, facts) {
    super(heap, 'MultiHeadAttention', facts, ['fromWeights', 'fromTorch']);
  }

  get heads() {
    return factsOf(this, MultiHeadLayer).headCount;
  }

  get kvHeads() {
    return factsOf(this, MultiHeadLayer).kvHeadCount;
  }

  get keyDim() {
    return factsOf(this, MultiHeadLayer).keyDim;
  }

  get valueDim() {
    return factsOf(this, MultiHeadLayer).valueDim;
  }

  get modelDim() {
    return factsOf(this, MultiHeadLayer).modelDim;
  }
}

export function multiHeadAttention(heap, KeyValueCache) {
  const cache = readCache(heap);
  const forwardOptions = { ...layerOptions, headOutputs: boolean, cache };

  class MultiHeadAttention extends MultiHeadLayer {
    constructor(facts) {
      super(heap, facts);
    }

    static fromWeights(weights, options) {
      const fields = readWeights('MultiHeadAttention.fromWeights', weights, options);
      return new MultiHeadAttention(heap.create('newMultiHead', fields));
    }

    static fromTorch(stateDict, options) {
      const fields = readTorch('MultiHeadAttention.fromTorch', stateDict, options);
      return new MultiHeadAttention(heap.create('newMultiHead', fields));
    }

    forward(x, context, options) {
      const { object: layer } = factsOf(this, MultiHeadAttention);
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
      const fields = { layer: factsOf(this, MultiHeadAttention).object, x: readTensor('x', x) };
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
      const { object: layer } = factsOf(this, MultiHeadAttention);
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
    const cache = addressIn(heap, made, 'the cache');
    heap.call('projectContext', { ...given, cache });
  } catch (error) {
    made.delete();
    throw error;
  }
  return made;
}
