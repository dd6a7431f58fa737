// TransformerEncoderLayer and TransformerDecoderLayer, with the names and meanings of torch.nn.
import { isCache, readCache } from '../attention/key_value_cache.js';
import { ModuleObject, factsOf } from '../module/module_object.js';
import { cacheOptions, projectedContext } from './multi_head_attention.js';
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

// As the module counts them (kernels.h: Function).
const activations = { relu: 1, gelu: 4, gelu_tanh: 5 };

const loadOptions = {
  heads: number,
  prefix: string,
  normFirst: boolean,
  activation: oneOf(Object.keys(activations)),
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

/** The fields of a new layer, of the class called `where`. */
export function readLayer(where, stateDict, options) {
  const isDecoder = where === decoder;
  const read = readOptions(`${where}.fromTorch`, options, loadOptions, { required: ['heads'] });
  const { heads, prefix = '', normFirst, activation = 'relu', norm, epsilon = usualEpsilon } = read;
  const names = layerNames(isDecoder);
  const parts = isDecoder ? ['self_attn.', 'multihead_attn.'] : ['self_attn.'];
  const refused = Object.assign({}, ...parts.map(refusedNames));
  const fields = readStateDict(`nn.${where}`, stateDict, prefix, names, refused);
  for (const part of parts) {
    requireProjections(fields, prefix, part, names);
    requireFields(fields, prefix, names, [`${part}out_proj.weight`]);
  }
  const norms = isDecoder ? [1, 2, 3] : [1, 2];
  const needed = ['linear1.weight', 'linear2.weight', ...norms.map((n) => `norm${n}.weight`)];
  requireFields(fields, prefix, names, needed);
  return {
    ...fields,
    heads,
    decoder: isDecoder,
    normFirst,
    activation: activations[activation],
    rms: norm === 'rms',
    epsilon,
  };
}

/** Makes the layer in the module; returns its facts. */
const create = (heap, ...given) => heap.create('newTransformerLayer', readLayer(...given));

const { scores: _, logSumExp: __, ...selfOptions } = layerOptions;
const crossOptions = { crossMask: readMask, crossKeyLengths: list };

/** The kinds of the options of forward(), `cache` reading that of a cache. */
export const encoderOptions = (cache) => ({ ...selfOptions, cache });
export const decoderOptions = (cache) => ({ ...selfOptions, cache, ...crossOptions });

/** What the attention to the memory is given. */
export const crossFields = ({ crossMask, crossKeyLengths, weights }) => ({
  ...maskFields('crossMask', crossMask),
  crossKeyLengths,
  wantsCrossWeights: wantsWeights(weights),
});

/** What both layers are given: x, and the options and the cache of self-attention. */
const fieldsOf = (layer, x, read) => ({
  ...attentionFields(read),
  layer,
  x: readTensor('x', x),
  cache: read.cache,
  appends: read.cache !== undefined,
});

export function transformer(heap, KeyValueCache) {
  const cache = readCache(heap);
  const kinds = { [encoder]: encoderOptions(cache), [decoder]: decoderOptions(cache) };
  class TransformerLayer extends ModuleObject {
    constructor(name, facts) {
      super(heap, name, facts, ['fromTorch']);
    }

    get heads() {
      return factsOf(this, TransformerLayer).headCount;
    }

    get keyDim() {
      return factsOf(this, TransformerLayer).keyDim;
    }

    get modelDim() {
      return factsOf(this, TransformerLayer).modelDim;
    }

    createCache(options) {
      const read = readOptions('createCache', options, cacheOptions, { required: ['capacity'] });
      const { kvHeadCount: kvHeads, keyDim, valueDim } = factsOf(this, TransformerLayer);
      return new KeyValueCache({ ...read, kvHeads, keyDim, valueDim });
    }
  }

  class TransformerEncoderLayer extends TransformerLayer {
    constructor(facts) {
      super(encoder, facts);
    }

    static fromTorch(stateDict, options) {
      return new TransformerEncoderLayer(create(heap, encoder, stateDict, options));
    }

    forward(x, options) {
      const { object: layer } = factsOf(this, TransformerEncoderLayer);
      const read = readOptions('forward', options, kinds[encoder]);
      return heap.call('transformerLayer', fieldsOf(layer, x, read));
    }
  }

  class TransformerDecoderLayer extends TransformerLayer {
    constructor(facts) {
      super(decoder, facts);
    }

    static fromTorch(stateDict, options) {
      return new TransformerDecoderLayer(create(heap, decoder, stateDict, options));
    }

    forward(x, memory, options) {
      const { object: layer } = factsOf(this, TransformerDecoderLayer);
      const read = readOptions('forward', options, kinds[decoder]);
      const projected = isCache(memory);
      return heap.call('transformerLayer', {
        ...fieldsOf(layer, x, read),
        memory: projected ? undefined : readTensor('memory', memory),
        memoryCache: projected ? cache(memory, 'memory') : undefined,
        ...crossFields(read),
      });
    }

    projectMemory(memory) {
      const {
        object: layer,
        crossKvHeadCount: kvHeads,
        crossKeyDim: keyDim,
        crossValueDim: valueDim,
      } = factsOf(this, TransformerDecoderLayer);
      const makeCache = (size) => new KeyValueCache({ ...size, kvHeads, keyDim, valueDim });
      const { cross } = heap.facts('transformerParts', { layer });
      return projectedContext(heap, makeCache, {
        layer: cross,
        context: readTensor('memory', memory),
        cross: true,
      });
    }
  }

  return { TransformerEncoderLayer, TransformerDecoderLayer };
}
