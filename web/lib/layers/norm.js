// layerNorm() and rmsNorm(): rows brought to a common size, with weights that are given each time.
import { number, readOptions } from '../arguments/options.js';
import { readTensor, tensor } from '../arguments/tensor.js';

const usualEpsilon = 1e-5; // PyTorch's
const rmsKinds = { weight: tensor, epsilon: number };

export function norms(heap) {
  const norm = (where, kinds, rms) => (x, options) => {
    const { epsilon = usualEpsilon, ...weights } = readOptions(where, options, kinds);
    return heap.call('norm', { ...weights, x: readTensor('x', x), epsilon, rms }).output;
  };
  return {
    layerNorm: norm('layerNorm', { ...rmsKinds, bias: tensor }, false),
    rmsNorm: norm('rmsNorm', rmsKinds, true),
  };
}
