// layerNorm() and rmsNorm(): row normalization, with the weights as arguments.
import { number, readOptions } from '../arguments/options.js';
import { readTensor, tensor } from '../arguments/tensor.js';

const defaultEpsilon = 1e-5; // PyTorch's
const rmsKinds = { weight: tensor, epsilon: number };

export function norms(heap) {
  const norm = (where, kinds, rms) => (x, options) => {
    const fields = readOptions(where, options, kinds);
    fields.epsilon ??= defaultEpsilon;
    fields.rms = rms;
    fields.x = readTensor('x', x);
    return heap.call('norm', fields).output;
  };
  return {
    layerNorm: norm('layerNorm', { ...rmsKinds, bias: tensor }, false),
    rmsNorm: norm('rmsNorm', rmsKinds, true),
  };
}
