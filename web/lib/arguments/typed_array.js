// Properties of typed arrays, by the getters of the language: a subclass may override `length` and other properties.

/**
 * @typedef {Int8Array | Uint8Array | Uint8ClampedArray | Int16Array | Uint16Array | Int32Array | Uint32Array
 *   | Float32Array | Float64Array} NumberArray typed arrays of numbers; Float16Array has the type of a Float32Array here
 * @typedef {NumberArray | BigInt64Array | BigUint64Array} TypedArray
 */

/**
 * @template Value
 * @typedef {{ call(array: unknown): Value }} Getter a getter, which throws for what is no typed array
 */

/** @type {object} */
const prototype = Object.getPrototypeOf(Uint8Array.prototype);
const getter = (/** @type {PropertyKey} */ key) =>
  Object.getOwnPropertyDescriptor(prototype, key)?.get;
const nameOf = /** @type {Getter<string | undefined>} */ (getter(Symbol.toStringTag)); // undefined for other values
const lengthOf = /** @type {Getter<number>} */ (getter('length'));
const bufferOf = /** @type {Getter<ArrayBufferLike>} */ (getter('buffer'));
const offsetOf = /** @type {Getter<number>} */ (getter('byteOffset'));

/** The name of a typed array's class, such as 'Float32Array'; undefined for any other value. */
export const typedArrayName = (/** @type {unknown} */ value) => nameOf.call(value);

/** @returns {value is Float32Array<ArrayBuffer>} */
export const isFloat32Array = (/** @type {unknown} */ value) =>
  nameOf.call(value) === 'Float32Array';

/**
 * The current length; throws if the buffer was detached. name + suffix: the array's name for the error message.
 *
 * @param {string} name
 * @param {unknown} array
 */
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

/**
 * A view of the same numbers whose class is not a subclass.
 *
 * @template {TypedArray} Numbers
 * @param {Numbers} array
 * @returns {Numbers}
 */
export function plainArray(array) {
  /** @type {new (buffer: ArrayBufferLike, offset: number, length: number) => Numbers} */
  const Class = Reflect.get(globalThis, String(nameOf.call(array)));
  return new Class(bufferOf.call(array), offsetOf.call(array), lengthOf.call(array));
}

/**
 * The array, or a view of its first `length` elements where its buffer may grow: another thread may grow a
 * SharedArrayBuffer at any time, and with it a length-tracking view.
 *
 * @template {TypedArray} Numbers
 * @param {Numbers} array
 * @param {number} length
 * @returns {Numbers}
 */
export function ofFixedLength(array, length) {
  const buffer = bufferOf.call(array);
  if (buffer instanceof ArrayBuffer && !buffer.resizable) return array;
  return /** @type {Numbers} */ (plainArray(array).subarray(0, length));
}

/** The bits of 16-bit numbers, as a view. */
export const halfBits = (/** @type {TypedArray} */ array) =>
  new Uint16Array(bufferOf.call(array), offsetOf.call(array), lengthOf.call(array));
