// Buffers of released results, for reuse by later results: a large copy into pages that are mapped already takes a
// quarter of the time of one into new pages.
import { describe } from '../arguments/describe.js';
import { isFloat32Array, plainArray } from '../arguments/typed_array.js';

// Reusing smaller buffers is no faster than allocating them.
const minimumBytes = 2 ** 20;
const maximumBytes = 2 ** 29; // of all retained buffers

export class ReleasedMemory {
  /** @type {ArrayBuffer[]} */
  #buffers = []; // most recently released first

  /**
   * Detaches the buffer of a result, or of all results in an object, and retains it.
   *
   * @param {unknown} result
   */
  take(result, name = 'result') {
    const entries = typeof result === 'object' && result !== null ? Object.entries(result) : [];
    if (entries.length === 0) {
      throw new TypeError(`${name} must be a result of this API, found ${describe(result)}`);
    }
    const data = entries.find(([key]) => key === 'data');
    if (data) this.#takeArray(data[1], `${name}.data`);
    else for (const [key, value] of entries) this.take(value, `${name}.${key}`);
  }

  /**
   * A copy of numbers first … last - 1.
   *
   * @param {Float32Array<ArrayBuffer>} numbers
   * @param {number} first
   * @param {number} last
   */
  copyOf(numbers, first, last) {
    const copy = this.#takeBuffer(last - first);
    if (copy === undefined) return numbers.slice(first, last);
    copy.set(numbers.subarray(first, last));
    return copy;
  }

  /** An array of `count` numbers with unspecified contents. */
  allocate(/** @type {number} */ count) {
    return this.#takeBuffer(count) ?? new Float32Array(count);
  }

  #takeBuffer(/** @type {number} */ count) {
    const bytes = count * Float32Array.BYTES_PER_ELEMENT;
    const at = this.#buffers.findIndex(({ byteLength }) => byteLength === bytes);
    return at < 0 ? undefined : new Float32Array(this.#buffers.splice(at, 1)[0]);
  }

  #takeArray(/** @type {unknown} */ array, /** @type {string} */ name) {
    if (!isFloat32Array(array)) {
      throw new TypeError(`${name} must be a Float32Array, found ${describe(array)}`);
    }
    if (array.length === 0) return; // released before, or an empty result
    const { buffer, byteLength } = plainArray(array);
    if (byteLength !== buffer.byteLength) {
      throw new TypeError(`${name} is a part of other memory: only all of it can be released`);
    }
    // A transfer detaches the buffer: the array that the caller still has becomes empty.
    const taken = globalThis.structuredClone?.(buffer, { transfer: [buffer] });
    if (taken === undefined || byteLength < minimumBytes) return;
    this.#retain(taken);
  }

  /** Retains the memory of an array that nobody reads any more, of any size. */
  retain(/** @type {Float32Array<ArrayBuffer>} */ { buffer, byteLength }) {
    if (byteLength > 0 && byteLength === buffer.byteLength) this.#retain(buffer);
  }

  clear() {
    this.#buffers = [];
  }

  #retain(/** @type {ArrayBuffer} */ buffer) {
    this.#buffers.unshift(buffer);
    let bytes = 0;
    this.#buffers = this.#buffers.filter(({ byteLength: size }) => (bytes += size) <= maximumBytes);
  }
}
