// Objects with private fields do not work behind a proxy, as those of Vue's ref() and reactive().

/**
 * Throws unless an object has the private fields of its class.
 *
 * @param {boolean} hasFields
 * @param {string} noun such as 'the model'
 */
export function requireRaw(hasFields, noun) {
  if (hasFields) return;
  throw new TypeError(
    `${noun} is behind a proxy or of another class: keep it raw, in Vue with markRaw() or shallowRef()`,
  );
}
