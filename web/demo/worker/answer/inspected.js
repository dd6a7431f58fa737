// The computation behind one weight of the current picture.

import { inspect } from '../compute/inspection.js';
import { piecesOf } from '../compute/pieces.js';

/** @import { Inspection, Label } from '../../types' */
/** @import { InspectedPlace } from '../../state/types' */
/** @import { Computation, Drawn } from '../types' */

/**
 * An existing token for any number.
 * @param {number} token
 * @param {Label[]} labels
 */
export const within = (token, labels) => Math.min(Math.max(0, token), labels.length - 1);

/**
 * For a word of several pieces the strongest pair is inspected, unless one is requested. Weights from a file have no
 * vectors: null.
 * @param {Computation & { drawn: Drawn }} current
 * @param {Omit<InspectedPlace, 'isPiece'> & { isPiece?: boolean }} place
 * @returns {Inspection | null}
 */
export function inspectionAt(
  { request: { api, state }, part, labels, reading, computed, drawn },
  { head: requestedHead, row, column, isPiece = false },
) {
  const { output } = computed;
  if (part.kind !== 'vectors' || !output) return null;
  const head = Math.min(Math.max(0, requestedHead), part.heads - 1);
  const request = { head, row: within(row, labels.rows), column: within(column, labels.columns) };
  const stages = { ...computed.stages, moved: computed.moved };
  const pieces = piecesOf(stages, labels, drawn, request);
  const place = isPiece ? request : { ...pieces.pairs[0], head };
  return inspect(
    api,
    part,
    reading,
    { ...computed, output },
    {
      ...{ head, row: place.row, column: place.column, kind: state.kind, pieces },
      request: { ...request, isPiece },
    },
  );
}
