// The head and the pair of words whose weight differs most between two texts, over all layers.

import { isMarks } from '../../positions.js';
import { arrange } from './arrange.js';
import { inPlacesOf } from './beside.js';
import { pictureOf } from './picture.js';
import { computeWeights } from './stages.js';

/** @import { DrawnReading, Label, Part, Stages } from '../../types' */
/** @import { Difference } from '../messages' */
/** @import { Computation, Tokens, WholePicture } from '../types' */

/**
 * The largest difference so far; `place`: its row and column as tokens.
 * @typedef {{ size: number, place: Difference | null }} Found
 */

/**
 * The strongest difference from the reading of the other text; null where no weight differs.
 * @param {Pick<Computation, 'reading' | 'request'> & { besideReading: DrawnReading }} computation
 * @returns {Difference | null}
 */
export function strongestDifference({ reading, besideReading, request: { api, state } }) {
  /** @type {(part: Part, of: DrawnReading) => WholePicture & Tokens} */
  const drawn = (part, of) => {
    const stages = { weights: computeWeights(api, part, of, state) };
    const whole = pictureOf(part, of, stages, { kind: state.kind });
    return arrange(whole, { ...state, sort: 'text' });
  };
  /** @type {Found} */
  let best = { size: 0, place: null };
  for (const part of reading.parts) {
    const other = besideReading.parts.find(({ id }) => id === part.id);
    // A rollout has no heads of its own.
    if (part.kind === 'rollout' || !other) continue;
    const own = drawn(part, reading);
    const found = strongestIn(own, inPlacesOf(own, drawn(other, besideReading)));
    if (found.size > best.size) best = found;
  }
  return best.place;
}

/**
 * The pair of words in one part; marks and what only one text has are left out.
 * @param {WholePicture & Tokens} picture
 * @param {{ heads: number, stages: Stages }} other
 * @returns {Found}
 */
function strongestIn({ part, heads, rows, columns, rowTokens, columnTokens, stages }, other) {
  /** @param {Label} label */
  const isWord = (label) => !label.special && !isMarks(label);
  /** @type {Found} */
  let best = { size: 0, place: null };
  for (let head = 0; head < Math.min(heads, other.heads); ++head) {
    rows.forEach((rowLabel, row) => {
      columns.forEach((columnLabel, column) => {
        const at = (head * rows.length + row) * columns.length + column;
        const size = Math.abs(other.stages.weights[at] - stages.weights[at]);
        if (!isWord(rowLabel) || !isWord(columnLabel) || !(size < Infinity)) return;
        const place = { part, head, row: rowTokens[row][0], column: columnTokens[column][0] };
        if (size > best.size) best = { size, place };
      });
    });
  }
  return best;
}
