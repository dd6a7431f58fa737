// The page's colours for canvases: what style.css says now, and the scale of blues for weights.

import { interpolateBlues } from 'd3-scale-chromatic';

const steps = 256;
// Small weights are where the differences are, so they get more of the scale; the legend shows it.
const bend = 0.7;

/** Reads the custom properties of style.css; the scale starts where its surface ends. */
export function readPalette() {
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(`--${name}`).trim();
  const palette = {};
  for (const name of ['surface', 'ink', 'muted', 'faint', 'red', 'on-red', 'blue']) {
    palette[name] = color(name);
  }
  const dark = luminance(parse(palette.surface)) < 0.2;
  palette.ramp = Array.from({ length: steps }, (_, i) => shade(i / (steps - 1), dark, palette));
  return palette;
}

/** Colour of a weight: `fill`, and `text` that can be read on it. */
export function colorOf(weight, topWeight, { ramp }) {
  const share = Math.min(1, weight / topWeight);
  return ramp[Math.round((steps - 1) * share ** bend)] ?? ramp[0];
}

function shade(share, dark, { surface }) {
  const fill = dark
    ? darkBlue(share, parse(surface))
    : parse(interpolateBlues(0.04 + 0.92 * share));
  // Of pure black and white one always has a contrast of at least 4.5.
  const text = luminance(fill) > 0.179 ? '#000' : '#fff';
  return { fill: `rgb(${fill.map(Math.round).join(', ')})`, text };
}

// The same blues from the other end, growing out of the dark surface instead of white paper.
function darkBlue(share, surface) {
  const blue = parse(interpolateBlues(0.98 - 0.78 * share));
  const strength = Math.min(1, 0.16 + 1.9 * share);
  return blue.map((channel, i) => surface[i] + (channel - surface[i]) * strength);
}

function parse(color) {
  if (color.startsWith('#')) {
    return [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
  }
  return color
    .match(/[\d.]+/g)
    .slice(0, 3)
    .map(Number);
}

// Relative luminance as in WCAG 2.
function luminance(rgb) {
  const [r, g, b] = rgb.map((channel) => {
    const c = channel / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
