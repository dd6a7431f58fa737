// The memory of a run of layers in a worker.
import { sizeOf } from '../arguments/dims.js';

/** Matrices of a run: the memory of those that are not returned is used again by later ones. */
export class RunMemory {
  #released;
  #dims; // of any matrix with the rows of the run
  #returned = new WeakSet();

  constructor(released, dims) {
    this.#released = released;
    this.#dims = dims;
  }

  copyOf(data) {
    return this.#released.copyOf(data, 0, data.length);
  }

  /** Keeps a matrix that the run returns. */
  keep(rows) {
    this.#returned.add(rows.data);
    return rows;
  }

  /** Takes a matrix that is not read any more. */
  release({ data }) {
    if (!this.#returned.has(data)) this.#released.retain(data);
  }

  /** x + added, in the memory of `added` unless that is returned. */
  sum({ data: x }, added) {
    const data = this.#returned.has(added.data) ? this.copyOf(added.data) : added.data;
    for (let at = 0; at < x.length; at++) data[at] += x[at];
    return { data, dims: added.dims };
  }

  /** A matrix whose numbers are not set. */
  allocate(width) {
    const dims = this.dimsOf(width);
    return { data: this.#released.allocate(sizeOf(dims)), dims };
  }

  /** The dims of a matrix with the rows of the run. */
  dimsOf(width) {
    return [...this.#dims.slice(0, -1), width];
  }

  /** Sets columns from `first` on. */
  setColumns({ data, dims }, first, columns) {
    const width = dims.at(-1);
    const own = columns.length / (data.length / width);
    for (let from = 0, to = first; from < columns.length; from += own, to += width) {
      data.set(columns.subarray(from, from + own), to);
    }
  }
}
