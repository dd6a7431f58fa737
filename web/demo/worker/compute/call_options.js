// The options of the library's call for one part of a reading, from the reader's settings.

import { kindOf } from '../../kinds.js';

/** The scale in force: the source's own, 1/√d_k, 1 or the reader's, divided by the temperature. */
export function scaleOf(part, { scale, ownScale, temperature }) {
  const keyDim = part.query.dims.at(-1);
  const chosen = { source: part.scale, scaled: 1 / Math.sqrt(keyDim), one: 1, own: ownScale };
  return chosen[scale] / temperature;
}

/** Rows and columns are one sequence: only there is something before and after. */
export const isOneSequence = (part, reading) =>
  (part.rows ?? reading.rows) === (part.columns ?? reading.columns);

/** Options of attention(); what a kind has no word for is left out. */
export function optionsFor(part, reading, settings) {
  const { can } = kindOf(settings.kind);
  const ordered = part.ordered ?? isOneSequence(part, reading);
  const options = { scale: scaleOf(part, settings) };
  if (can.includes('softcap') && settings.softcap > 0) options.softcap = settings.softcap;
  if (ordered && can.includes('causal') && (settings.causal ?? part.causal)) options.causal = true;
  const { windowLeft, windowRight } = settings;
  const isChosen = windowLeft !== null || windowRight !== null;
  const window = isChosen ? [windowLeft, windowRight] : part.window;
  if (ordered && can.includes('window') && window) options.window = window;
  return options;
}
