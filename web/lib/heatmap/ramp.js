// The 256 colors of a picture, from a color scale and the background color.

import { between, mix, scaleOf } from './scales.js';

/** @typedef {(fraction: number) => number[]} Scale */

const steps = 256;

/** Below 1: small weights, which differ most, get more of the scale. */
export const defaultExponent = 0.7;

/** The position of a fraction on the scale, both from 0 to 1; with `signed`, 0.5 is zero. */
export function applyExponent(fraction, { exponent, signed }) {
  if (!signed) return fraction ** exponent;
  const size = Math.abs(2 * fraction - 1) ** exponent;
  return fraction < 0.5 ? (1 - size) / 2 : (1 + size) / 2;
}

/** colorScale() of heatmap.d.ts. */
export function colorScale({
  surface,
  colors = 'blues',
  signed = false,
  exponent = defaultExponent,
}) {
  const behind = parseColor(surface, 'surface');
  const ramp = createRamp({ colors, surface: behind, signed });
  const indexOf = (fraction) => {
    const value = Number.isNaN(fraction) ? 0 : fraction;
    const position = Math.min(1, Math.max(0, signed ? (1 + value) / 2 : value));
    return Math.round((steps - 1) * applyExponent(position, { exponent, signed }));
  };
  return {
    dark: isDark(behind),
    colorOf(fraction) {
      const index = indexOf(fraction);
      return { fill: ramp.fill[index], text: ramp.text[index] };
    },
    pixelOf: (fraction) => ramp.packed[indexOf(fraction)],
  };
}

/**
 * colors: a scale's name, a list of colors, or a function from 0…1 to a color; surface: the background as [r, g, b];
 * signed: zero is in the middle, and the colors are purple and orange. Returns three arrays of 256: `fill`, `text` (a
 * color of sufficient contrast) and `packed` (pixels of ImageData).
 */
export function createRamp({ colors, surface, signed }) {
  if (typeof colors !== 'string') return makeRamp({ colors, surface, signed });
  // Cached: a picture is redrawn at every keystroke.
  const key = `${colors} ${surface} ${Boolean(signed)}`;
  if (!ramps.has(key)) {
    if (ramps.size > 20) ramps.clear();
    ramps.set(key, makeRamp({ colors, surface, signed }));
  }
  return ramps.get(key);
}

const ramps = new Map();

function makeRamp({ colors, surface, signed }) {
  const colorOf = signed ? signedColor(surface) : sequentialColor(colors, surface);
  const fill = [];
  const text = [];
  const packed = new Uint32Array(steps);
  const bytes = new Uint8ClampedArray(packed.buffer);
  for (let i = 0; i < steps; i++) {
    bytes.set([...colorOf(i / (steps - 1)), 255], 4 * i);
    const rgb = [...bytes.subarray(4 * i, 4 * i + 3)];
    fill.push(cssColor(rgb));
    text.push(readableOn(rgb));
  }
  return { fill, text, packed };
}

function sequentialColor(colors, surface) {
  if (typeof colors === 'function') return (fraction) => parseColor(colors(fraction));
  if (Array.isArray(colors)) return between(colors.map((color) => parseColor(color)));
  const scale = colors === 'signed' ? null : scaleOf(colors);
  if (!scale) throw new RangeError(`unknown color scale '${colors}'`);
  // viridis and cividis are used in full; the other scales begin near the background color.
  if (/idis$/.test(colors)) return scale;
  if (!isDark(surface)) return (fraction) => scale(0.04 + 0.92 * fraction);
  // On a dark background: from dark to light.
  return (fraction) =>
    mix(surface, scale(0.98 - 0.78 * fraction), Math.min(1, 0.14 + 1.9 * fraction));
}

function signedColor(surface) {
  const scale = /** @type {Scale} */ (scaleOf('signed'));
  if (!isDark(surface)) return (fraction) => scale(0.04 + 0.92 * fraction);
  return (fraction) => {
    const size = Math.abs(2 * fraction - 1);
    const end = scale(fraction < 0.5 ? 0.3 - 0.1 * size : 0.68 + 0.06 * size);
    return mix(surface, end, Math.min(1, 0.1 + 0.9 * size));
  };
}

/** [r, g, b] of a color #rgb, #rrggbb or rgb(); null for other notations. */
export function readColor(color) {
  const [, hex] = /^#((?:[\da-f]{3}){1,2})$/i.exec(color) ?? [];
  if (hex)
    return Array.from(hex.matchAll(hex[3] ? /../g : /./g), ([digits]) =>
      parseInt((digits + digits).slice(0, 2), 16),
    );
  const channels = /^rgba?\(\s*([\d.]+)[\s,]+([\d.]+)[\s,]+([\d.]+)/i.exec(color);
  return channels && channels.slice(1).map(Number);
}

function parseColor(color, name = 'colors') {
  const rgb = typeof color === 'string' ? readColor(color) : null;
  if (!rgb) throw new RangeError(`${name} must be written #rgb, #rrggbb or rgb(), found ${color}`);
  return rgb;
}

export function cssColor(rgb) {
  return `rgb(${rgb.map(Math.round).join(', ')})`;
}

/** Black or white, whichever has more contrast: at least 4.5. */
export function readableOn(rgb) {
  return luminance(rgb) > 0.179 ? '#000' : '#fff';
}

export function isDark(rgb) {
  return luminance(rgb) < 0.2;
}

/** Relative luminance as in WCAG 2. */
export function luminance(rgb) {
  const [r, g, b] = rgb.map((channel) => {
    const c = channel / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
