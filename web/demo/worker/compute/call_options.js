// Options of the library call for a part, from the reader's settings.

import { kindOf } from '../../kinds.js';

/** Current scale: the source's default, 1/√d_k, 1 or the reader's, divided by the temperature. */
export function scaleOf(part, { scale, ownScale, temperature }) {
  const keyDim = part.query.dims.at(-1);
  const chosen = { source: part.scale, scaled: 1 / Math.sqrt(keyDim), one: 1, own: ownScale };
  return chosen[scale] / temperature;
}

/** True if rows and columns are one sequence: only then there is a direction. */
export const isOneSequence = (part, reading) =>
  (part.rows ?? reading.rows) === (part.columns ?? reading.columns);

/** Options of attention(), without those that the kind does not support. */
export function optionsFor(part, reading, settings) {
  const { can } = kindOf(settings.kind);
  const ordered = part.ordered ?? isOneSequence(part, reading);
  const options = { scale: scaleOf(part, settings) };
  const softcap = settings.softcap > 0 ? settings.softcap : part.softcap;
  if (can.includes('softcap') && softcap) options.softcap = softcap;
  if (ordered && can.includes('causal') && (settings.causal ?? part.causal)) options.causal = true;
  const { windowLeft, windowRight } = settings;
  const isChosen = windowLeft !== null || windowRight !== null;
  const window = isChosen ? [windowLeft, windowRight] : part.window;
  if (ordered && can.includes('window') && window) options.window = window;
  return options;
}
