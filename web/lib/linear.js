// Linear: y = x·W + b, with weights that stay in the module.
import { ModuleObject } from './module_object.js';
import { readOptions, string } from './options.js';
import { readStateDict, requireFields } from './state_dict.js';
import { readTensor, tensor } from './tensor.js';

const torchNames = { weight: 'weight', bias: 'bias' };

export function linear(heap) {
  const unlocked = Symbol();

  class Linear extends ModuleObject {
    #facts;

    constructor(lock, facts) {
      if (lock !== unlocked) {
        throw new TypeError('a Linear is made by Linear.fromWeights() or .fromTorch()');
      }
      super(heap, facts.object);
      this.#facts = facts;
    }

    static fromWeights(weights) {
      const kinds = { weight: tensor, bias: tensor };
      const fields = readOptions('Linear.fromWeights', weights, kinds, {
        noun: 'weight',
        required: ['weight'],
      });
      return new Linear(unlocked, heap.create('newLinear', fields));
    }

    static fromTorch(stateDict, options) {
      const { prefix = '' } = readOptions('Linear.fromTorch', options, { prefix: string });
      const fields = readStateDict('nn.Linear', stateDict, prefix, torchNames);
      requireFields(fields, prefix, torchNames, ['weight']);
      return new Linear(unlocked, heap.create('newLinear', { ...fields, torch: true }));
    }

    /** What is known of the layer, while it is there. */
    get #known() {
      return { ...this.#facts, layer: ModuleObject.addressIn(heap, this, 'this Linear') };
    }

    get inDim() {
      return this.#known.inDim;
    }

    get outDim() {
      return this.#known.outDim;
    }

    forward(x) {
      const { layer } = this.#known;
      return heap.call('linear', { layer, x: readTensor('x', x) }).output;
    }
  }
  return { Linear };
}
