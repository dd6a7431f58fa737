// Typed arrays as they are, not as they say: a subclass may lie about its length and its name, the
// getters that the language itself uses may not.
const prototype = Object.getPrototypeOf(Uint8Array.prototype);
const getter = (key) => Object.getOwnPropertyDescriptor(prototype, key).get;
const nameOf = getter(Symbol.toStringTag);
const lengthOf = getter('length');
const bufferOf = getter('buffer');
const offsetOf = getter('byteOffset');

/** 'Float32Array' and the like, undefined for anything that is not a typed array. */
export const typedArrayName = (value) => nameOf.call(value);

/** The number of elements at this moment; throws for an array, a part of `name`, whose buffer was transferred away. */
export function typedArrayLength(name, array, part = '') {
  const length = lengthOf.call(array);
  if (length === 0) {
    try {
      new Uint8Array(bufferOf.call(array));
    } catch {
      throw new TypeError(`${name}${part} belongs to an ArrayBuffer that was detached`);
    }
  }
  return length;
}

/** The same numbers as an array of the language's own class, whatever class theirs is. */
export const plainArray = (array, Class = globalThis[nameOf.call(array)]) =>
  new Class(bufferOf.call(array), offsetOf.call(array), lengthOf.call(array));

/**
 * The array, or one of so many of its elements where its buffer may grow: another thread may make a
 * SharedArrayBuffer longer at any time, and with it a view that tracks its length.
 */
export function ofFixedLength(array, length) {
  const buffer = bufferOf.call(array);
  if (buffer instanceof ArrayBuffer && !buffer.resizable) return array;
  return plainArray(array).subarray(0, length);
}

/** The bits of 16-bit numbers, in the array's own memory. */
export const halfBits = (array) => plainArray(array, Uint16Array);
