// Tensors that are sent to workers, and results that are assembled from theirs.
import { sizeOf } from '../arguments/dims.js';
import { library } from './library.js';

/** A copy of the range [first, last) of one axis of a tensor; allocate: as copyBox() has it. */
export function slice(tensor, axis, range, allocate) {
  return library.copyBox(
    tensor,
    tensor.dims.map((dim, at) => (at === axis ? range : [0, dim])),
    allocate,
  );
}

/** A copy of a tensor, whose buffers can be transferred to a worker; allocate: as copyBox() has it. */
export const copied = (tensor, allocate) =>
  library.copyBox(
    tensor,
    tensor.dims.map((dim) => [0, dim]),
    allocate,
  );

/** A tensor of zeros, to write results into. */
export const emptyTensor = (dims) => ({ data: new Float32Array(sizeOf(dims)), dims });

/** Tensors of zeros by name, from dims by name. */
export const emptyTensors = (dims) =>
  Object.fromEntries(Object.entries(dims).map(([name, sizes]) => [name, emptyTensor(sizes)]));

/** A result as an argument of another call. */
export const asInput = ({ data, dims }) => ({
  data,
  dims,
  type: 'Float32Array',
  scales: undefined,
});

/**
 * emptyTensors() with all of its memory mapped: while workers compute, this thread has time for what would else be done when
 * their results arrive. In pages mapping takes longer than writing.
 */
export function mappedTensors(dims) {
  const tensors = emptyTensors(dims);
  for (const { data } of Object.values(tensors)) {
    for (let at = 0; at < data.length; at += numbersPerPage) data[at] = 0;
  }
  return tensors;
}

const numbersPerPage = 1024;
