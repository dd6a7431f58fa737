// Memory of results that their owner is done with, for results to come: a large copy into pages that are there
// already takes a quarter of the time of one into fresh pages.
import { describe } from '../arguments/describe.js';
import { plainArray, typedArrayName } from '../arguments/typed_array.js';

// Smaller ones are found nowhere faster than fresh.
const minimumBytes = 2 ** 20;
const maximumBytes = 2 ** 29;

export class ReleasedMemory {
  #buffers = []; // the last released first

  /** Takes the memory of a result away from it, or of whatever holds results. */
  take(result, name = 'result') {
    const parts = typeof result === 'object' && result !== null ? Object.entries(result) : [];
    if (parts.length === 0) {
      throw new TypeError(`${name} must be what a function returned, found ${describe(result)}`);
    }
    if (Object.hasOwn(result, 'data')) this.#takeArray(result.data, `${name}.data`);
    else for (const [key, part] of parts) this.take(part, `${name}.${key}`);
  }

  /** A copy of some of the numbers, with memory of its own. */
  copyOf(numbers, first, last) {
    const copy = this.#takeBuffer(last - first);
    if (copy === undefined) return numbers.slice(first, last);
    copy.set(numbers.subarray(first, last));
    return copy;
  }

  /** Memory for so many numbers. */
  room(count) {
    return this.#takeBuffer(count) ?? new Float32Array(count);
  }

  #takeBuffer(count) {
    const bytes = count * Float32Array.BYTES_PER_ELEMENT;
    const at = this.#buffers.findIndex(({ byteLength }) => byteLength === bytes);
    return at < 0 ? undefined : new Float32Array(this.#buffers.splice(at, 1)[0]);
  }

  #takeArray(array, name) {
    if (typedArrayName(array) !== 'Float32Array') {
      throw new TypeError(`${name} must be a Float32Array, found ${describe(array)}`);
    }
    if (array.length === 0) return; // released before, or nothing
    const { buffer, byteLength } = plainArray(array);
    if (byteLength !== buffer.byteLength) {
      throw new TypeError(`${name} is a part of other memory: only all of it can be released`);
    }
    // Whoever still uses the array sees that it is empty.
    const taken = globalThis.structuredClone?.(buffer, { transfer: [buffer] });
    if (taken === undefined || byteLength < minimumBytes) return;
    this.#buffers.unshift(taken);
    let bytes = 0;
    this.#buffers = this.#buffers.filter((kept) => (bytes += kept.byteLength) <= maximumBytes);
  }
}
