// Color depth of the output, from --color, FORCE_COLOR, NO_COLOR and the terminal, in this order.

import { WriteStream } from 'node:tty';

/** Bits of color: 24, 8, or 0 for none. when: auto, always or never. */
export function colorDepth(when, isTerminal, env) {
  if (when === 'never') return 0;
  const forced = env.FORCE_COLOR; // takes precedence over NO_COLOR, as in Node.js
  const isForced = forced !== undefined && forced !== '0' && forced !== 'false';
  if (when === 'always' || isForced) return forcedDepth(forced, env);
  if (forced !== undefined || env.NO_COLOR || !isTerminal) return 0;
  // An empty NO_COLOR counts as unset, unlike in Node.js.
  const depth = WriteStream.prototype.getColorDepth({ ...env, NO_COLOR: undefined });
  return depth >= 8 ? depth : 0; // 16 colors are too few for a scale
}

// At least 256 colors, whatever the terminal supports.
function forcedDepth(forced, env) {
  if (forced === '3') return 24;
  if (forced === '2') return 8;
  const { TERM, COLORTERM } = env;
  return WriteStream.prototype.getColorDepth({ TERM, COLORTERM }) === 24 ? 24 : 8;
}
