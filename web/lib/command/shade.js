// A weight from 0 to 1 as the colours of a terminal cell: one blue hue, from pale to deep, whose
// lightness falls evenly; what lies below or above is as 0 or 1. Background and foreground are both
// set, so that the terminal's own colours do not matter.

import { readableOn } from '../heatmap/ramp.js';

const hue = (255 / 180) * Math.PI;
const ink = [0, 0, 0];
const paper = [255, 255, 255];

// The same scale among the 256 colours of xterm, with the lightness of each.
const indexed = [
  { index: 255, lightness: 0.949, foreground: 16 },
  { index: 153, lightness: 0.864, foreground: 16 },
  { index: 75, lightness: 0.737, foreground: 16 },
  { index: 33, lightness: 0.63, foreground: 16 },
  { index: 26, lightness: 0.516, foreground: 231 },
  { index: 19, lightness: 0.341, foreground: 231 },
];

/** The escape sequences of every kind of output: `depth` is 24 or 8 bits of colour, or 0. */
export function palette(depth) {
  if (!depth) return { bold: (text) => text, dim: (text) => text, shade: (text) => text };
  const paint = depth === 24 ? trueColour : indexedColour;
  return {
    bold: (text) => `\x1b[1m${text}\x1b[22m`,
    dim: (text) => `\x1b[2m${text}\x1b[22m`,
    shade: (text, weight) => `\x1b[${paint(Math.min(1, Math.max(0, weight)))}m${text}\x1b[39;49m`,
  };
}

function trueColour(weight) {
  const background = blue(weight);
  const foreground = readableOn(background) === '#000' ? ink : paper;
  return `48;2;${background.join(';')};38;2;${foreground.join(';')}`;
}

function indexedColour(weight) {
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
