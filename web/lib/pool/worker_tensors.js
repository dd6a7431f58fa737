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

/** A result as an argument of another call. */
export const asInput = ({ data, dims }) => ({
  data,
  dims,
  type: 'Float32Array',
  scales: undefined,
});

/**
 * Tensors by name, from dims by name, whose numbers are unspecified and must all be written: in released memory, if that is
 * given and has arrays of their size, or in new memory, all of which is mapped. While workers compute, this thread has time
 * for what would else be done when their results arrive; in pages mapping takes longer than writing.
 */
export function mappedTensors(dims, released) {
  const tensors = Object.fromEntries(
    Object.entries(dims).map(([name, sizes]) => [
      name,
      { data: released?.allocate(sizeOf(sizes)) ?? new Float32Array(sizeOf(sizes)), dims: sizes },
    ]),
  );
  for (const { data } of Object.values(tensors)) {
    for (let at = 0; at < data.length; at += numbersPerPage) data[at] = 0;
  }
  return tensors;
}

const numbersPerPage = 1024;
