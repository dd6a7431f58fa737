// Linear: y = x·W + b, with weights that stay in the module.
import { ModuleObject, factsOf, make } from '../module/module_object.js';
import { readOptions, string } from '../arguments/options.js';
import { readStateDict, requireFields } from '../arguments/state_dict.js';
import { readTensor, tensor } from '../arguments/tensor.js';

const torchNames = { weight: 'weight', bias: 'bias' };

export function linear(heap) {
  class Linear extends ModuleObject {
    constructor(facts) {
      super(heap, 'Linear', facts, ['fromWeights', 'fromTorch']);
    }

    static fromWeights(weights) {
      const kinds = { weight: tensor, bias: tensor };
      const fields = readOptions('Linear.fromWeights', weights, kinds, ['weight'], 'weight');
      return new Linear(make(heap, 'newLinear', fields));
    }

    static fromTorch(stateDict, options) {
      const { prefix = '' } = readOptions('Linear.fromTorch', options, { prefix: string });
      const fields = readStateDict('nn.Linear', stateDict, prefix, torchNames);
      requireFields(fields, prefix, torchNames, ['weight']);
      return new Linear(make(heap, 'newLinear', { ...fields, torch: true }));
    }

    get inDim() {
      return factsOf(this, Linear).inDim;
    }

    get outDim() {
      return factsOf(this, Linear).outDim;
    }

    forward(x) {
      factsOf(this, Linear);
      return heap.call('linear', { layer: this, x: readTensor('x', x) }).output;
    }
  }
  return { Linear };
}
