// Linear: y = x·W + b, with weights in the module's memory, in the precision of the input tensor.
import { ModuleObject, factsOf, make } from '../module/module_object.js';
import {
  boolean,
  isAbsent,
  list,
  number,
  oneOf,
  readOptions,
  string,
} from '../arguments/options.js';
import { readStateDict, requireFields } from '../arguments/state_dict.js';
import { readTensor, tensor } from '../arguments/tensor.js';

const torchNames = { weight: 'weight', bias: 'bias' };

/**
 * @import { TensorLike } from '../types/arguments/tensor.js'
 * @import { Facts, Heap } from '../module/heap.js'
 */

/** @param {Heap} heap */
export function linear(heap) {
  const { NumberType } = heap.enums;
  const reserveOptions = {
    inDim: number,
    outDim: number,
    bias: boolean,
    type: oneOf(Object.keys(NumberType)),
  };

  class Linear extends ModuleObject {
    /** @param {Facts} facts */
    constructor(facts) {
      super(heap, 'Linear', facts, ['fromWeights', 'fromTorch', 'reserve']);
    }

    static fromWeights(/** @type {unknown} */ weights) {
      const kinds = { weight: tensor, bias: tensor };
      const fields = readOptions('Linear.fromWeights', weights, kinds, ['weight'], 'weight');
      return new Linear(make(heap, 'newLinear', fields));
    }

    /**
     * @param {unknown} stateDict
     * @param {unknown} [options]
     */
    static fromTorch(stateDict, options) {
      const { prefix = '' } = readOptions('Linear.fromTorch', options, { prefix: string });
      const fields = readStateDict('nn.Linear', stateDict, prefix, torchNames);
      requireFields(fields, prefix, torchNames, ['weight']);
      return new Linear(make(heap, 'newLinear', { ...fields, outFirst: true }));
    }

    static reserve(/** @type {unknown} */ options) {
      const read = readOptions('Linear.reserve', options, reserveOptions, ['inDim', 'outDim']);
      const facts = make(heap, 'newLinear', {
        reservedIn: read.inDim,
        reservedOut: read.outDim,
        reservedType: NumberType[read.type ?? 'float32'],
        reservesBias: read.bias,
      });
      return new Linear(facts);
    }

    get inDim() {
      return factsOf(this, Linear).inDim;
    }

    get outDim() {
      return factsOf(this, Linear).outDim;
    }

    /**
     * @param {number} firstRow
     * @param {TensorLike} weightRows
     * @param {TensorLike | null} [biasPart]
     */
    fill(firstRow, weightRows, biasPart) {
      factsOf(this, Linear);
      const fields = {
        firstRow: number(firstRow, 'firstRow'),
        weight: readTensor('weightRows', weightRows),
        bias: isAbsent(biasPart) ? undefined : readTensor('biasPart', biasPart),
      };
      heap.call('fillLinear', { layer: this, ...fields });
    }

    rows(/** @type {readonly number[]} */ ids) {
      factsOf(this, Linear);
      return heap.call('linearRows', { layer: this, ids: list(ids, 'ids') }).output;
    }

    forward(/** @type {TensorLike} */ x) {
      factsOf(this, Linear);
      return heap.call('linear', { layer: this, x: readTensor('x', x) }).output;
    }
  }
  return { Linear };
}
