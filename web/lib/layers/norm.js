// layerNorm() and rmsNorm(): row normalization, with the weights as arguments.
import { number, readOptions } from '../arguments/options.js';
import { readTensor, tensor } from '../arguments/tensor.js';

export const defaultEpsilon = 1e-5; // PyTorch's layer_norm_eps
const rmsKinds = { weight: tensor, epsilon: number };

/**
 * @import { Reader } from '../arguments/options.js'
 * @import { TensorInput } from '../arguments/tensor.js'
 * @import { TensorLike } from '../types/arguments/tensor.js'
 * @import { Heap, Result } from '../module/heap.js'
 * @typedef {typeof rmsKinds & { bias?: Reader<TensorInput> }} NormKinds
 */

/** @param {Heap} heap */
export function norms(heap) {
  /** @type {(where: string, kinds: NormKinds, rms: boolean) => (x: TensorLike, options?: unknown) => Result} */
  const norm = (where, kinds, rms) => (x, options) => {
    const { epsilon = defaultEpsilon, ...weights } = readOptions(where, options, kinds);
    const fields = { ...weights, epsilon, rms, x: readTensor('x', x) };
    return heap.call('norm', fields).output;
  };
  return {
    layerNorm: norm('layerNorm', { ...rmsKinds, bias: tensor }, false),
    rmsNorm: norm('rmsNorm', rmsKinds, true),
  };
}
