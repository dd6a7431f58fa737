// Properties of typed arrays, by the getters of the language: a subclass may override `length` and other properties.
const prototype = Object.getPrototypeOf(Uint8Array.prototype);
const getter = (key) => Object.getOwnPropertyDescriptor(prototype, key).get;
const nameOf = getter(Symbol.toStringTag);
const lengthOf = getter('length');
const bufferOf = getter('buffer');
const offsetOf = getter('byteOffset');

/** The name of a typed array's class, such as 'Float32Array'; undefined for any other value. */
export const typedArrayName = (value) => nameOf.call(value);

/** The current length; throws if the buffer was detached. name + suffix: the array's name for the error message. */
export function typedArrayLength(name, array, suffix = '') {
  const length = lengthOf.call(array);
  if (length === 0) {
    try {
      new Uint8Array(bufferOf.call(array));
    } catch {
      throw new TypeError(`${name}${suffix} belongs to an ArrayBuffer that was detached`);
    }
  }
  return length;
}

/** A view of the same numbers whose class is not a subclass. */
export const plainArray = (array, Class = globalThis[nameOf.call(array)]) =>
  new Class(bufferOf.call(array), offsetOf.call(array), lengthOf.call(array));

/**
 * The array, or a view of its first `length` elements where its buffer may grow: another thread may grow a
 * SharedArrayBuffer at any time, and with it a length-tracking view.
 */
export function ofFixedLength(array, length) {
  const buffer = bufferOf.call(array);
  if (buffer instanceof ArrayBuffer && !buffer.resizable) return array;
  return plainArray(array).subarray(0, length);
}

/** The bits of 16-bit numbers, as a view. */
export const halfBits = (array) => plainArray(array, Uint16Array);
