// The page's colours for what it draws by hand: as the style says now, the heat map's blues for words, and its
// purple and orange for numbers of both signs.

import { colorScale } from 'attention-wasm/heatmap';

// As in foundation.css: for files in other colours than the page's.
const light = {
  surface: '#ffffff',
  ink: '#1a1d23',
  muted: '#5b616c',
  faint: '#b4b9c0',
  blue: '#0a4fa0',
  red: '#c2161c',
};
const dark = {
  surface: '#15181d',
  ink: '#e9eaed',
  muted: '#9fa5b0',
  faint: '#4d5460',
  blue: '#86bdf5',
  red: '#f4696b',
};

export const plainPalette = (isDark) => (isDark ? dark : light);

/** Reads the custom properties of the style; the scales start where its surface ends. */
export function readPalette() {
  const style = getComputedStyle(document.documentElement);
  const palette = {};
  for (const [name, color] of Object.entries(light)) {
    // A style that is not there yet is no reason to stop.
    palette[name] = style.getPropertyValue(`--${name}`).trim() || color;
  }
  const { surface, ink } = palette;
  const scale = colorScale({ surface });
  const signed = colorScale({ surface, signed: true });
  return {
    ...palette,
    dark: scale.dark,
    /** Of a weight's share of the largest: `fill`, and `text` that can be read on it. */
    shadeOf: (share) => (share < 0 ? signed : scale).colorOf(share),
    /** Of a share from −1 to 1, as a pixel of ImageData. */
    signedPixelOf: signed.pixelOf,
    inkPixel: colorScale({ surface, colors: [ink, ink] }).pixelOf(1),
  };
}
