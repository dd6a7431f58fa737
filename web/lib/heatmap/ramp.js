// The 256 colours of a picture: the scale that was asked for, on the surface that it is drawn on.

import { between, mix, scaleOf } from './scales.js';

const steps = 256;

/** Differences are among the small weights, so they get more of the scale; its legend shows it. */
export const usualExponent = 0.7;

/** Where on the scale a share is, both from 0 to 1; with `signed`, from nothing in the middle. */
export function bend(share, { exponent, signed }) {
  if (!signed) return share ** exponent;
  const size = Math.abs(2 * share - 1) ** exponent;
  return share < 0.5 ? (1 - size) / 2 : (1 + size) / 2;
}

/** The same colours for what is drawn beside a heat map; heatmap.d.ts says what it promises. */
export function colorScale({
  surface,
  colors = 'blues',
  signed = false,
  exponent = usualExponent,
}) {
  const behind = parseColor(surface, 'surface');
  const ramp = createRamp({ colors, surface: behind, signed });
  const indexOf = (share) => {
    const given = Number.isNaN(share) ? 0 : share;
    const place = Math.min(1, Math.max(0, signed ? (1 + given) / 2 : given));
    return Math.round((steps - 1) * bend(place, { exponent, signed }));
  };
  return {
    dark: isDark(behind),
    colorOf(share) {
      const index = indexOf(share);
      return { fill: ramp.fill[index], text: ramp.text[index] };
    },
    pixelOf: (share) => ramp.packed[indexOf(share)],
  };
}

/**
 * `colors`: a scale's name, a list of colours, or a function from 0…1 to a colour; `surface`: [r, g, b] of
 * what is behind; `signed`: nothing is in the middle, and the colours are purple and orange. Returns
 * `fill`, `text` (what can be read on it) and `packed` (a pixel of ImageData), of 256 each.
 */
export function createRamp({ colors, surface, signed }) {
  if (typeof colors !== 'string') return makeRamp({ colors, surface, signed });
  // A named scale is the same every time, and a picture is drawn anew at every letter.
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
    fill.push(written(rgb));
    text.push(readableOn(rgb));
  }
  return { fill, text, packed };
}

function sequentialColor(colors, surface) {
  if (typeof colors === 'function') return (share) => parseColor(colors(share));
  if (Array.isArray(colors)) return between(colors.map((color) => parseColor(color)));
  const scale = colors === 'signed' ? null : scaleOf(colors);
  if (!scale) throw new RangeError(`there is no scale of colours '${colors}'`);
  // viridis and cividis have a meaning of their own; the others begin where the surface ends.
  if (/idis$/.test(colors)) return scale;
  if (!isDark(surface)) return (share) => scale(0.04 + 0.92 * share);
  // The same colours from the other end, growing out of the dark.
  return (share) => mix(surface, scale(0.98 - 0.78 * share), Math.min(1, 0.14 + 1.9 * share));
}

function signedColor(surface) {
  const scale = scaleOf('signed');
  if (!isDark(surface)) return (share) => scale(0.04 + 0.92 * share);
  return (share) => {
    const size = Math.abs(2 * share - 1);
    const end = scale(share < 0.5 ? 0.3 - 0.1 * size : 0.68 + 0.06 * size);
    return mix(surface, end, Math.min(1, 0.1 + 0.9 * size));
  };
}

/** [r, g, b] of #rgb, #rrggbb or rgb(); null of what is written another way. */
export function readColor(color) {
  const [, hex] = /^#((?:[\da-f]{3}){1,2})$/i.exec(color) ?? [];
  if (hex)
    return hex.match(hex[3] ? /../g : /./g).map((part) => parseInt((part + part).slice(0, 2), 16));
  const channels = /^rgba?\(\s*([\d.]+)[\s,]+([\d.]+)[\s,]+([\d.]+)/i.exec(color);
  return channels && channels.slice(1).map(Number);
}

function parseColor(color, name = 'colors') {
  const rgb = typeof color === 'string' ? readColor(color) : null;
  if (!rgb) throw new RangeError(`${name} must be written #rgb, #rrggbb or rgb(), found ${color}`);
  return rgb;
}

export function written(rgb) {
  return `rgb(${rgb.map(Math.round).join(', ')})`;
}

/** Of pure black and white one always has a contrast of at least 4.5. */
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
