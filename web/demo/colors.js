// The page's colours for what it draws by hand: what the style says now, the scale of blues of the
// heat map for words, and its purple and orange for numbers of both signs.

import { createRamp } from '../lib/heatmap/ramp.js';

const steps = 256;
// Small weights are where the differences are, so they get more of the scale.
const bend = 0.7;

/** Reads the custom properties of the style; the scales start where its surface ends. */
export function readPalette() {
  const style = getComputedStyle(document.documentElement);
  const palette = {};
  for (const name of ['surface', 'ink', 'muted', 'faint', 'red', 'on-red', 'blue']) {
    palette[name] = style.getPropertyValue(`--${name}`).trim();
  }
  const surface = parse(palette.surface);
  palette.dark = surface[0] < 128;
  const ramp = createRamp({ colors: 'blues', surface, signed: false });
  const signed = createRamp({ colors: 'blues', surface, signed: true });
  const index = (share) => Math.round((steps - 1) * Math.min(1, Math.max(0, share || 0)));

  /** Colour of a share from 0 to 1: `fill`, and `text` that can be read on it. */
  palette.colorOf = (share) => {
    const at = index(Math.max(0, share) ** bend);
    return { fill: ramp.fill[at], text: ramp.text[at] };
  };
  /** Colour of a share from −1 to 1, as a pixel of ImageData. */
  palette.signedPixelOf = (share) => {
    const size = Math.min(1, Math.abs(share || 0)) ** 0.8;
    return signed.packed[index((1 + Math.sign(share) * size) / 2)];
  };
  palette.inkPixel = pack(parse(palette.ink));
  return palette;
}

const pack = (rgb) => new Uint32Array(Uint8ClampedArray.of(...rgb, 255).buffer)[0];

function parse(color) {
  if (color.startsWith('#')) return [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
  return color
    .match(/[\d.]+/g)
    .slice(0, 3)
    .map(Number);
}
