// Whether to write in colour, and in how many: the option, then FORCE_COLOR, NO_COLOR, the terminal.

import { WriteStream } from 'node:tty';

/** Bits of colour: 24, 8, or 0 for none. `when` is auto, always or never. */
export function colourDepth(when, isTerminal, env) {
  if (when === 'never') return 0;
  const forced = env.FORCE_COLOR; // asked before NO_COLOR, as Node itself does
  const isForced = forced !== undefined && forced !== '0' && forced !== 'false';
  if (when === 'always' || isForced) return forcedDepth(forced, env);
  if (forced !== undefined || env.NO_COLOR || !isTerminal) return 0;
  // An empty NO_COLOR is none, but Node would obey it.
  const depth = WriteStream.prototype.getColorDepth({ ...env, NO_COLOR: undefined });
  return depth >= 8 ? depth : 0; // 16 colours hold no scale
}

// At least the 256 colours, whatever the terminal is thought to have.
function forcedDepth(forced, env) {
  if (forced === '3') return 24;
  if (forced === '2') return 8;
  const { TERM, COLORTERM } = env;
  return WriteStream.prototype.getColorDepth({ TERM, COLORTERM }) === 24 ? 24 : 8;
}
