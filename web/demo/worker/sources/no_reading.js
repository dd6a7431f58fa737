// A Reading without tokens: nothing is drawn, and the page says why.

/** @import { NoReading } from '../../types' */

/**
 * `why`: a sentence, or undefined where there is no text yet.
 * @param {string} [why]
 * @returns {NoReading}
 */
export const noReading = (why) => ({
  ...{ kind: 'none', rows: [], columns: [], parts: [] },
  why,
});
