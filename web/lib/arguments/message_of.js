/** The message of what was thrown: an error, perhaps of another realm, or any other value. */
export const messageOf = (/** @type {unknown} */ thrown) =>
  typeof thrown === 'object' && thrown !== null && 'message' in thrown
    ? String(thrown.message)
    : String(thrown);
