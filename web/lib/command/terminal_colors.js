// Terminal colors for a weight from 0 to 1 (clamped): one blue hue with linearly decreasing lightness. Sets background and
// foreground, independent of the terminal's theme.

import { WriteStream } from 'node:tty';
import { readableOn } from '../heatmap/ramp.js';

const hue = (255 / 180) * Math.PI;
const black = [0, 0, 0];
const white = [255, 255, 255];

// The scale in the 256 colors of xterm.
const indexed = [
  { index: 255, lightness: 0.949, foreground: 16 },
  { index: 153, lightness: 0.864, foreground: 16 },
  { index: 75, lightness: 0.737, foreground: 16 },
  { index: 33, lightness: 0.63, foreground: 16 },
  { index: 26, lightness: 0.516, foreground: 231 },
  { index: 19, lightness: 0.341, foreground: 231 },
];

/** Functions that add escape sequences; depth: 24 or 8 bits of color, or 0 for none. */
export function palette(depth) {
  if (!depth) return { bold: (text) => text, dim: (text) => text, shade: (text) => text };
  const paint = depth === 24 ? trueColor : indexedColor;
  return {
    bold: (text) => `\x1b[1m${text}\x1b[22m`,
    dim: (text) => `\x1b[2m${text}\x1b[22m`,
    shade: (text, weight) => `\x1b[${paint(Math.min(1, Math.max(0, weight)))}m${text}\x1b[39;49m`,
  };
}

function trueColor(weight) {
  const background = blue(weight);
  const foreground = readableOn(background) === '#000' ? black : white;
  return `48;2;${background.join(';')};38;2;${foreground.join(';')}`;
}

function indexedColor(weight) {
  const distance = ({ lightness }) => Math.abs(lightness - lightnessOf(weight));
  const nearest = indexed.reduce((best, next) => (distance(next) < distance(best) ? next : best));
  return `48;5;${nearest.index};38;5;${nearest.foreground}`;
}

function lightnessOf(weight) {
  return 0.96 - 0.6 * weight;
}

// OKLCH (Björn Ottosson, "A perceptual color space for image processing", 2020) in sRGB bytes.
function blue(weight) {
  const lightness = lightnessOf(weight);
  const chroma = 0.014 + 0.14 * Math.min(1, 1.8 * weight) * Math.min(1, lightness / 0.42);
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map(toByte);
}

function toByte(linear) {
  const x = Math.min(1, Math.max(0, linear));
  return Math.round(255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055));
}

/**
 * Bits of color: 24, 8, or 0 for none, from `when` (--color: auto, always or never), FORCE_COLOR, NO_COLOR and the
 * terminal, in this order.
 */
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
