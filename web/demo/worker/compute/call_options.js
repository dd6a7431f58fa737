// Options of the library call for a part, from the reader's settings.

import { kindOf } from '../../kinds.js';

/** @import { DrawnReading, Part, VectorPart } from '../../types' */
/** @import { State } from '../../state/types' */
/** @import { CallOptions } from '../types' */

/**
 * Current scale: the source's default, 1/√d_k, 1 or the reader's, divided by the temperature.
 * @param {VectorPart} part
 * @param {Pick<State, 'scale' | 'ownScale' | 'temperature'>} settings
 */
export function scaleOf(part, { scale, ownScale, temperature }) {
  const [, , keyDim] = part.query.dims;
  const chosen = { source: part.scale, scaled: 1 / Math.sqrt(keyDim), one: 1, own: ownScale };
  return chosen[scale] / temperature;
}

/**
 * True if rows and columns are one sequence: only then there is a direction.
 * @param {Part} part
 * @param {Pick<DrawnReading, 'rows' | 'columns'>} reading
 */
export const isOneSequence = (part, reading) =>
  (part.rows ?? reading.rows) === (part.columns ?? reading.columns);

/**
 * Options of attention(), without those that the kind does not support.
 * @param {VectorPart} part
 * @param {DrawnReading} reading
 * @param {State} settings
 */
export function optionsFor(part, reading, settings) {
  const { can } = kindOf(settings.kind);
  const ordered = part.ordered ?? isOneSequence(part, reading);
  /** @type {CallOptions} */
  const options = { scale: scaleOf(part, settings) };
  const softcap = settings.softcap > 0 ? settings.softcap : part.softcap;
  if (can.includes('softcap') && softcap) options.softcap = softcap;
  if (ordered && can.includes('causal') && (settings.causal ?? part.causal)) options.causal = true;
  const { windowLeft, windowRight } = settings;
  const isChosen = windowLeft !== null || windowRight !== null;
  /** @type {CallOptions['window']} */
  const window = isChosen ? [windowLeft, windowRight] : part.window;
  if (ordered && can.includes('window') && window) options.window = window;
  return options;
}
