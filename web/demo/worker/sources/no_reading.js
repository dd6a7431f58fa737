// A Reading without tokens: nothing is drawn, and the page says why.

/** @import { Part, Reading } from '../../types' */

/**
 * `why`: a sentence, or undefined where there is no text yet.
 * @param {string} [why]
 * @returns {Reading}
 */
export const noReading = (why) => ({
  rows: [],
  columns: [],
  parts: [/** @type {Part} */ ({ id: 'none', name: '', heads: 1, causal: false })],
  why,
});
