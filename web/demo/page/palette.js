// Colors for canvases: from the page's CSS, the heat map's blues for weights, its purple and orange for signed numbers.

import { colorScale } from 'attention-wasm/heatmap';

// As in foundation.css: for exports in other colors than the page's.
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

/** Text on red, as in foundation.css. */
export const onRed = (isDark) => (isDark ? '#1c0506' : '#ffffff');

/**
 * `fill` and readable `text` color for a weight relative to the largest, on a surface.
 * @param {string} surface
 */
export function shadesOn(surface) {
  const scale = colorScale({ surface });
  const signed = colorScale({ surface, signed: true });
  return (/** @type {number} */ share) => (share < 0 ? signed : scale).colorOf(share);
}

/** @param {boolean} isDark */
export const plainPalette = (isDark) => (isDark ? dark : light);

/**
 * Colors of an exported picture: `dark`: true, false, or undefined for the page's.
 * @type {{ dark?: boolean }}
 */
export const screenColors = {};

/** @typedef {ReturnType<typeof readPalette>} Palette */

/** Reads custom properties of the page; color scales start at its surface color. */
export function readPalette() {
  const style = getComputedStyle(document.documentElement);
  const palette = { ...light };
  for (const name of /** @type {(keyof typeof light)[]} */ (Object.keys(light))) {
    const color = light[name];
    // CSS may not be loaded yet.
    palette[name] = style.getPropertyValue(`--${name}`).trim() || color;
  }
  const { surface, ink } = palette;
  const scale = colorScale({ surface });
  const signed = colorScale({ surface, signed: true });
  return {
    ...palette,
    dark: scale.dark,
    shadeOf: shadesOn(surface),
    /** ImageData pixel for a value from −1 to 1. */
    signedPixelOf: signed.pixelOf,
    inkPixel: colorScale({ surface, colors: [ink, ink] }).pixelOf(1),
  };
}

/** Calls `recolor()` when the colors change; before printing, which uses the light ones, also the function it returns. */
export function watchColors(recolor) {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', recolor);
  for (const [event, isPrinting] of Object.entries({ beforeprint: true, afterprint: false })) {
    addEventListener(event, () => {
      document.documentElement.classList.toggle('printing', isPrinting);
      recolor()(); // the browser does not paint before it prints
    });
  }
}
