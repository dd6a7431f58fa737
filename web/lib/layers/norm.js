// layerNorm() and rmsNorm(): rows brought to a common size, with weights that are given each time.
import { number, readOptions } from '../arguments/options.js';
import { readTensor, tensor } from '../arguments/tensor.js';

const usualEpsilon = 1e-5; // PyTorch's
const rmsKinds = { weight: tensor, epsilon: number };

export function norms(heap) {
  const norm = (where, kinds, rms) => (x, options) => {
    const fields = readOptions(where, options, kinds);
    fields.epsilon ??= usualEpsilon;
    fields.rms = rms;
    fields.x = readTensor('x', x);
    return heap.call('norm', fields).output;
  };
  return {
    layerNorm: norm('layerNorm', { ...rmsKinds, bias: tensor }, false),
    rmsNorm: norm('rmsNorm', rmsKinds, true),
  };
}
