// TransformerLayer: a configurable layer with the building blocks of published models.
import { boolean, list, number, oneOf, readOptions } from '../arguments/options.js';
import { tensor } from '../arguments/tensor.js';
import { factsOf, make } from '../module/module_object.js';
import { defaultEpsilon } from './norm.js';
import { layerReader } from './transformer_call.js';

const name = 'TransformerLayer';
const where = `${name}.fromWeights`;

/**
 * @import { Enums } from '../arguments/attention_options.js'
 * @import { Reader } from '../arguments/options.js'
 * @import { TensorInput } from '../arguments/tensor.js'
 * @import { Facts, Heap, Inputs } from '../module/heap.js'
 * @import { TransformerBases } from './transformer_object.js'
 */

/**
 * A reader of a nested object of weights or options, whose members have these kinds.
 *
 * @param {string} path
 * @param {Record<string, Reader<Inputs[string]>>} kinds
 * @param {string} [noun]
 * @param {string[]} [required]
 * @returns {Reader<Inputs>}
 */
function group(path, kinds, noun, required) {
  const named = Object.fromEntries(
    Object.entries(kinds).map(([item, kind]) => [
      item,
      (/** @type {{}} */ value) => kind(value, `${path}.${item}`),
    ]),
  );
  return (value) => readOptions(`${path} in ${where}`, value, named, required, noun);
}

/** @type {(names: string[]) => Record<string, typeof tensor>} */
const tensors = (names) => Object.fromEntries(names.map((item) => [item, tensor]));
const withBiases = (/** @type {string[]} */ names) =>
  names.flatMap((item) => [item, `${item}Bias`]);
const matrices = ['query', 'key', 'value', 'output'];
const ofAttention = [...withBiases(matrices), 'queryNorm', 'keyNorm'];

const weightKinds = {
  self: /* @__PURE__ */ group(
    'self',
    tensors([...ofAttention, 'relativeBias', 'positionKey', 'positionQuery']),
    'weight',
    matrices,
  ),
  cross: /* @__PURE__ */ group('cross', tensors(ofAttention), 'weight', matrices),
  .../* @__PURE__ */ tensors([
    ...withBiases(['selfNorm', 'crossNorm', 'feedForwardNorm', 'widen', 'gate', 'narrow']),
    ...withBiases(['selfOutputNorm', 'feedForwardOutputNorm']),
    'selfScale',
    'feedForwardScale',
  ]),
};

const rotaryKinds = {
  width: number,
  interleaved: boolean,
  base: number,
  frequencies: list,
  factor: number,
};
const relativeKinds = { maxDistance: number, bidirectional: boolean };

const otherKinds = {
  heads: number,
  kvHeads: number,
  normFirst: boolean,
  norm: /* @__PURE__ */ oneOf(['layer', 'rms']),
  epsilon: number,
  parallel: boolean,
  scale: number,
  rotary: /* @__PURE__ */ group('rotary', rotaryKinds),
  relativePositions: /* @__PURE__ */ group(
    'relativePositions',
    relativeKinds,
    'option',
    Object.keys(relativeKinds),
  ),
  positionBuckets: list,
  layout: /* @__PURE__ */ oneOf(['out × in', 'in × out']),
};

/** @param {Enums} enums */
const optionKinds = ({ Activation }) => ({
  ...otherKinds,
  activation: oneOf(Object.keys(Activation)),
});

/**
 * Fields with a prefix before their names, in camel case.
 *
 * @type {(prefix: string, fields: Inputs) => Inputs}
 */
const prefixed = (prefix, fields) =>
  Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [
      `${prefix}${field[0].toUpperCase()}${field.slice(1)}`,
      value,
    ]),
  );

/** Weights as fields of a new layer. */
function weightFields(/** @type {unknown} */ weights) {
  const read = readOptions(where, weights, weightKinds, ['self'], 'weight');
  const { self, cross, ...rest } = read;
  /** @type {Inputs} */
  const others = rest;
  const decoder = cross !== undefined;
  if (!decoder && (others.crossNorm ?? others.crossNormBias) !== undefined) {
    throw new RangeError('crossNorm is given without cross');
  }
  return { ...others, ...self, ...(decoder && prefixed('cross', cross)), decoder };
}

/**
 * @param {unknown} options
 * @param {Enums} enums
 */
function optionFields(options, enums) {
  const read = readOptions(where, options, optionKinds(enums), ['heads']);
  const { heads, kvHeads, scale, normFirst, parallel, rotary, relativePositions } = read;
  const { activation = 'relu', norm, epsilon = defaultEpsilon, layout } = read;
  return {
    heads,
    kvHeads,
    scale,
    normFirst,
    parallel,
    activation: enums.Activation[activation],
    rms: norm === 'rms',
    epsilon,
    inFirst: layout === 'in × out',
    positionBuckets: read.positionBuckets,
    ...(rotary && { rotary: true, ...prefixed('rotary', rotary) }),
    ...(relativePositions && { relative: true, ...relativePositions }),
  };
}

/**
 * The fields of a new layer from the arguments of fromWeights().
 *
 * @type {(weights: unknown, options: unknown, enums: Enums) => Inputs}
 */
export const readTransformerLayer = (weights, options, enums) => ({
  ...weightFields(weights),
  ...optionFields(options, enums),
});

/**
 * @param {Heap} heap
 * @param {TransformerBases} bases
 */
export function transformerLayer(heap, { WithMemory }) {
  const read = layerReader(name, heap);

  class TransformerLayer extends WithMemory {
    /** @param {Facts} facts */
    constructor(facts) {
      super(name, facts, ['fromWeights'], read);
    }

    /**
     * @param {unknown} weights
     * @param {unknown} options
     */
    static fromWeights(weights, options) {
      const fields = readTransformerLayer(weights, options, heap.enums);
      return new TransformerLayer(make(heap, 'newTransformerLayer', fields));
    }

    get kvHeads() {
      return factsOf(this, TransformerLayer).kvHeads;
    }

    get valueDim() {
      return factsOf(this, TransformerLayer).valueDim;
    }
  }
  return { TransformerLayer };
}
