// Recognizes URL objects, also where the class is missing: audio worklets have none.

/** @returns {value is URL} */
export const isUrl = (/** @type {unknown} */ value) =>
  typeof URL === 'function' && value instanceof URL;
