// TransformerEncoderLayer and TransformerDecoderLayer, compatible with torch.nn.
import { boolean, number, oneOf, readOptions, string } from '../arguments/options.js';
import {
  attentionNames,
  readStateDict,
  refusedNames,
  requireFields,
  requireProjections,
} from '../arguments/state_dict.js';
import { make } from '../module/module_object.js';
import { defaultEpsilon } from './norm.js';
import { layerReader } from './transformer_call.js';

/**
 * @import { Enums } from '../arguments/attention_options.js'
 * @import { Facts, Heap, Inputs } from '../module/heap.js'
 * @import { TransformerBases } from './transformer_object.js'
 */

const loadOptions = {
  heads: number,
  prefix: string,
  normFirst: boolean,
  activation: oneOf(['relu', 'gelu', 'gelu_tanh']),
  norm: oneOf(['layer', 'rms']),
  epsilon: number,
};

const crossName = (/** @type {string} */ name) => `cross${name[0].toUpperCase()}${name.slice(1)}`;

/** The fields of the names in the state dict of an encoder or decoder layer. */
function layerNames(/** @type {boolean} */ isDecoder) {
  /** @type {Record<string, string>} */
  const names = {
    ...attentionNames('self_attn.'),
    ...(isDecoder && attentionNames('multihead_attn.', crossName)),
    'linear1.weight': 'widen',
    'linear1.bias': 'widenBias',
    'linear2.weight': 'narrow',
    'linear2.bias': 'narrowBias',
  };
  const norms = ['selfNorm', ...(isDecoder ? ['crossNorm'] : []), 'feedForwardNorm'];
  norms.forEach((field, index) => {
    names[`norm${index + 1}.weight`] = field;
    names[`norm${index + 1}.bias`] = `${field}Bias`;
  });
  return names;
}

const encoder = 'TransformerEncoderLayer';
const decoder = 'TransformerDecoderLayer';

/**
 * The fields of a new layer of the class called `where`; enums: the module's enumerations.
 *
 * @param {string} where
 * @param {Enums} enums
 * @param {unknown} stateDict
 * @param {unknown} options
 * @returns {Inputs}
 */
export function readLayer(where, enums, stateDict, options) {
  const isDecoder = where === decoder;
  const read = readOptions(`${where}.fromTorch`, options, loadOptions, ['heads']);
  const {
    heads,
    prefix = '',
    normFirst,
    activation = 'relu',
    norm,
    epsilon = defaultEpsilon,
  } = read;
  const names = layerNames(isDecoder);
  const submodules = isDecoder ? ['self_attn.', 'multihead_attn.'] : ['self_attn.'];
  const refused = Object.assign({}, ...submodules.map((submodule) => refusedNames(submodule)));
  const fields = readStateDict(`nn.${where}`, stateDict, prefix, names, refused);
  for (const submodule of submodules) {
    requireProjections(fields, prefix, submodule, names);
    requireFields(fields, prefix, names, [`${submodule}out_proj.weight`]);
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

/**
 * @param {Heap} heap
 * @param {TransformerBases} bases
 */
export function transformer(heap, { TransformerObject, WithMemory }) {
  /** @type {(name: string, stateDict: unknown, options: unknown) => Facts} */
  const create = (name, stateDict, options) =>
    make(heap, 'newTransformerLayer', readLayer(name, heap.enums, stateDict, options));
  const readEncoder = layerReader(encoder, heap);
  const readDecoder = layerReader(decoder, heap);

  class TransformerEncoderLayer extends TransformerObject {
    /** @param {Facts} facts */
    constructor(facts) {
      super(encoder, facts, ['fromTorch'], readEncoder);
    }

    /**
     * @param {unknown} stateDict
     * @param {unknown} options
     */
    static fromTorch(stateDict, options) {
      return new TransformerEncoderLayer(create(encoder, stateDict, options));
    }
  }

  class TransformerDecoderLayer extends WithMemory {
    /** @param {Facts} facts */
    constructor(facts) {
      super(decoder, facts, ['fromTorch'], readDecoder);
    }

    /**
     * @param {unknown} stateDict
     * @param {unknown} options
     */
    static fromTorch(stateDict, options) {
      return new TransformerDecoderLayer(create(decoder, stateDict, options));
    }
  }

  return { TransformerEncoderLayer, TransformerDecoderLayer };
}
