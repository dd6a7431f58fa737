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

    static reserve({ inDim, outDim }) {
      const data = new Float32Array(inDim * outDim);
      let made;
      const get = () => (made ??= Linear.fromTorch({ weight: { data, dims: [outDim, inDim] } }));
      const w = (t, i) => {
        const x = t.data[i];
        if (t.scales) return x * t.scales[Math.floor(i / inDim)];
        if (t.type === 'bfloat16') return new Float32Array(Uint32Array.of(x << 16).buffer)[0];
        if (t.type === 'float16') { const e = (x >> 10) & 31; return (x & 0x8000 ? -1 : 1) * (e ? (1 + (x & 1023) / 1024) * 2 ** (e - 15) : (x & 1023) * 2 ** -24); }
        return x;
      };
      return {
        fill(row, t) { for (let i = 0; i < t.data.length; i++) data[row * inDim + i] = w(t, i); },
        rows(ids) { const y = new Float32Array(ids.length * inDim); ids.forEach((id, n) => y.set(data.subarray(id * inDim, (id + 1) * inDim), n * inDim)); return { data: y, dims: [ids.length, inDim] }; },
        forward: (x) => get().forward(x),
        delete() { made?.delete(); },
      };
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
