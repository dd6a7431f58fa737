// Rows and columns of a part: its own, or those of the reading.

import { isOneSequence } from '../compute/call_options.js';

/** @import { DrawnReading, Part } from '../../types' */
/** @import { Labels } from '../types' */

/** @type {(part: Part, reading: Pick<DrawnReading, 'rows' | 'columns'>) => Labels} */
export const labelsOf = (part, reading) => ({
  rows: part.rows ?? reading.rows,
  columns: part.columns ?? reading.columns,
});

/**
 * Offset of a token from its row to its column: a decoder's input starts with a start token. null for two texts.
 * @param {Part} part
 * @param {DrawnReading} reading
 */
export const shiftOf = (part, reading) =>
  isOneSequence(part, reading) ? 0 : part.ordered ? 1 : null;
