// Conversion of a tensor of any accepted type to float32, as a copy.

/**
 * @import { TensorInput } from '../arguments/tensor.js'
 * @import { Heap } from './heap.js'
 */

/**
 * Uses the conversion of the module: a rotary embedding of width 0 changes no number.
 *
 * @param {Heap} heap
 * @param {TensorInput} tensor
 * @returns {TensorInput & { data: Float32Array<ArrayBuffer> }}
 */
export function toFloat32(heap, tensor) {
  const { name, data, dims } = tensor;
  const wide = { name, type: 'Float32Array', dims, scales: undefined };
  if (data.length === 0) return { ...wide, data: new Float32Array(0) };
  const width = dims[dims.length - 1];
  const x = { ...tensor, dims: [data.length / width, width] };
  return { ...wide, data: heap.call('rotaryEmbedding', { x, width: 0 }).output.data };
}
