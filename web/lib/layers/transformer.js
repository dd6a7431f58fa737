// TransformerEncoderLayer and TransformerDecoderLayer, with the names and meanings of torch.nn.
import { isCache, readCache } from '../attention/key_value_cache.js';
import {
  attentionFields,
  layerOptions,
  maskFields,
  wantsWeights,
} from '../arguments/attention_options.js';
import { boolean, list, number, oneOf, readOptions, string } from '../arguments/options.js';
import {
  attentionNames,
  readStateDict,
  refusedNames,
  requireFields,
  requireProjections,
} from '../arguments/state_dict.js';
import { readMask, readTensor } from '../arguments/tensor.js';
import { ModuleObject, factsOf, make } from '../module/module_object.js';
import { cacheOptions, projectedContext } from './multi_head_attention.js';

const loadOptions = {
  heads: number,
  prefix: string,
  normFirst: boolean,
  activation: oneOf(['relu', 'gelu', 'gelu_tanh']),
  norm: oneOf(['layer', 'rms']),
  epsilon: number,
};

const usualEpsilon = 1e-5; // PyTorch's layer_norm_eps

const inCross = (name) => `cross${name[0].toUpperCase()}${name.slice(1)}`;

/** Names in the state dict of a layer with so many norms, and their fields. */
function layerNames(isDecoder) {
  const names = {
    ...attentionNames('self_attn.'),
    ...(isDecoder && attentionNames('multihead_attn.', inCross)),
    'linear1.weight': 'widen',
    'linear1.bias': 'widenBias',
    'linear2.weight': 'narrow',
    'linear2.bias': 'narrowBias',
  };
  for (let n = 1; n <= (isDecoder ? 3 : 2); n++) {
    names[`norm${n}.weight`] = `norm${n}`;
    names[`norm${n}.bias`] = `norm${n}Bias`;
  }
  return names;
}

const encoder = 'TransformerEncoderLayer';
const decoder = 'TransformerDecoderLayer';

/** The fields of a new layer of the class called `where`, for a module with these enumerations. */
export function readLayer(where, enums, stateDict, options) {
  const isDecoder = where === decoder;
  const read = readOptions(`${where}.fromTorch`, options, loadOptions, ['heads']);
  const { heads, prefix = '', normFirst, activation = 'relu', norm, epsilon = usualEpsilon } = read;
  const names = layerNames(isDecoder);
  const parts = isDecoder ? ['self_attn.', 'multihead_attn.'] : ['self_attn.'];
  const refused = Object.assign({}, ...parts.map((part) => refusedNames(part)));
  const fields = readStateDict(`nn.${where}`, stateDict, prefix, names, refused);
  for (const part of parts) {
    requireProjections(fields, prefix, part, names);
    requireFields(fields, prefix, names, [`${part}out_proj.weight`]);
  }
  const norms = isDecoder ? [1, 2, 3] : [1, 2];
  const needed = ['linear1.weight', 'linear2.weight', ...norms.map((n) => `norm${n}.weight`)];
  requireFields(fields, prefix, names, needed);
  return Object.assign(fields, {
    heads,
    decoder: isDecoder,
    normFirst,
    activation: enums.Activation[activation],
    rms: norm === 'rms',
    epsilon,
  });
}

const { scores: _, logSumExp: __, ...selfOptions } = layerOptions;
const crossOptions = { crossMask: readMask, crossKeyLengths: list };

/** The fields of attention to the memory. */
export const crossFields = ({ crossMask, crossKeyLengths, weights }, enums) => ({
  ...maskFields('crossMask', crossMask),
  crossKeyLengths,
  wantsCrossWeights: wantsWeights(weights, enums),
});

/**
 * How the arguments of forward() of the class called `where` are read: into the options as readOptions()
 * gives them, and the fields of a record. The memory is a tensor or what projectMemory() made.
 */
export function layerReader(where, heap) {
  const cache = readCache(heap);
  const isDecoder = where === decoder;
  const kinds = { ...selfOptions, cache, ...(isDecoder && crossOptions) };
  const noMemory = { memory: undefined, memoryCache: undefined };
  const memoryFields = (memory) =>
    isCache(memory)
      ? { ...noMemory, memoryCache: cache(memory, 'memory') }
      : { ...noMemory, memory: readTensor('memory', memory) };
  return (x, ...rest) => {
    const read = readOptions('forward', rest[isDecoder ? 1 : 0], kinds);
    const fields = {
      ...attentionFields(read, heap.enums),
      x: readTensor('x', x),
      cache: read.cache,
      appends: read.cache !== undefined,
      ...(isDecoder ? memoryFields(rest[0]) : noMemory),
      ...(isDecoder && crossFields(read, heap.enums)),
    };
    return { read, fields };
  };
}

export function transformer(heap, KeyValueCache) {
  const create = (name, ...given) =>
    make(heap, 'newTransformerLayer', readLayer(name, heap.enums, ...given));
  const readers = { [encoder]: layerReader(encoder, heap), [decoder]: layerReader(decoder, heap) };

  class TransformerLayer extends ModuleObject {
    #name;

    constructor(name, facts) {
      super(heap, name, facts, ['fromTorch']);
      this.#name = name;
    }

    get heads() {
      return factsOf(this, TransformerLayer).heads;
    }

    get keyDim() {
      return factsOf(this, TransformerLayer).keyDim;
    }

    get modelDim() {
      return factsOf(this, TransformerLayer).modelDim;
    }

    createCache(options) {
      const read = readOptions('createCache', options, cacheOptions, ['capacity']);
      const { kvHeads, keyDim, valueDim } = factsOf(this, TransformerLayer);
      return new KeyValueCache({ ...read, kvHeads, keyDim, valueDim });
    }

    forward(...given) {
      factsOf(this, TransformerLayer);
      const { fields } = readers[this.#name](...given);
      return heap.call('transformerLayer', { ...fields, layer: this });
    }
  }

  class TransformerEncoderLayer extends TransformerLayer {
    constructor(facts) {
      super(encoder, facts);
    }

    static fromTorch(stateDict, options) {
      return new TransformerEncoderLayer(create(encoder, stateDict, options));
    }
  }

  class TransformerDecoderLayer extends TransformerLayer {
    constructor(facts) {
      super(decoder, facts);
    }

    static fromTorch(stateDict, options) {
      return new TransformerDecoderLayer(create(decoder, stateDict, options));
    }

    projectMemory(memory) {
      const {
        crossKvHeads: kvHeads,
        crossKeyDim: keyDim,
        crossValueDim: valueDim,
      } = factsOf(this, TransformerDecoderLayer);
      const makeCache = (size) => new KeyValueCache({ ...size, kvHeads, keyDim, valueDim });
      const context = readTensor('memory', memory);
      // Nothing of the caller's runs between asking for this address and its use.
      const { cross } = heap.facts('transformerParts', { layer: this });
      return projectedContext(heap, makeCache, { layer: cross, context, cross: true });
    }
  }

  return { TransformerEncoderLayer, TransformerDecoderLayer };
}
