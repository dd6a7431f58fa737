// All-gather in memory that the workers of a run share, where that is allowed: Node.js and isolated pages. A step costs
// no message, and a worker that waits sleeps until the last of the others has written.
//
// The memory has a counter per worker, the number of steps that it has written, and two areas for matrices, which steps use
// in turn. When all workers have written step n + 1, all have read step n, so that step n + 2 may use its area again.
import { sizeOf } from '../arguments/dims.js';

const bytesPerNumber = 4;
// How long a worker polls before it sleeps, in milliseconds. Ten times as long makes a token of GPT-2 take 1.6 times as long on a
// busy machine, where the other worker waits for a core, and gains nothing on an idle one.
const pollingTime = 0.05;

const ended = -(2 ** 31); // sets the sign of a counter

/** True if this thread may share memory with others. */
export const allowsSharedMemory = () =>
  typeof SharedArrayBuffer === 'function' && globalThis.crossOriginIsolated !== false;

/** The memory of a run; count: maximum of numbers in the matrices of a step. */
export const sharedMemory = (workers, count) =>
  new SharedArrayBuffer((workers + 2 * count) * bytesPerNumber);

/** Ends a run: workers that wait for columns throw, and so do those that will. */
export function endRun(memory, workers) {
  const counters = new Int32Array(memory, 0, workers);
  for (let at = 0; at < workers; at++) {
    Atomics.or(counters, at, ended);
    Atomics.notify(counters, at);
  }
}

/** Throws if memory cannot be shared with this thread, or if it must not sleep. */
export function requireSharedMemory(memory) {
  Atomics.wait(new Int32Array(memory), 0, 1, 0);
}

/** A worker's side of a run. */
export class SharedColumns {
  #counters;
  #areas;
  #at;
  #step = 0;

  /** at: index of this worker; workers: their number. */
  constructor(memory, at, workers) {
    this.#counters = new Int32Array(memory, 0, workers);
    const numbers = new Float32Array(memory, workers * bytesPerNumber);
    const count = numbers.length / 2;
    this.#areas = [numbers.subarray(0, count), numbers.subarray(count)];
    this.#at = at;
  }

  /** All-gather of a step: its matrices from this worker's columns; takes their memory. memory: of the run. */
  allGather(own, memory) {
    const area = this.#areas[this.#step % 2];
    let end = 0;
    const matrices = own.map(({ ends }) => {
      const dims = memory.dimsOf(ends.at(-1));
      return { data: area.subarray(end, (end += sizeOf(dims))), dims };
    });
    matrices.forEach((matrix, n) => {
      memory.setColumns(matrix, own[n].ends[this.#at - 1] ?? 0, own[n].data);
      memory.release(own[n]);
    });
    this.#finishStep();
    return matrices.map(({ data, dims }) => ({ data: memory.copyOf(data), dims }));
  }

  /** Waits until all workers have written. */
  #finishStep() {
    const step = ++this.#step;
    Atomics.add(this.#counters, this.#at, 1);
    Atomics.notify(this.#counters, this.#at);
    for (let from = 0; from < this.#counters.length; from++) this.#await(from, step);
  }

  #await(from, step) {
    const end = performance.now() + pollingTime;
    for (;;) {
      const written = Atomics.load(this.#counters, from);
      if (written < 0) throw new Error('the run was aborted');
      if (written >= step) return;
      if (performance.now() >= end) Atomics.wait(this.#counters, from, written);
    }
  }
}
