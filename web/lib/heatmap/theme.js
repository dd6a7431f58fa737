// The colours around the matrix: CSS custom properties, and where they are not set, the ink and the
// background that the canvas has on its page anyway.

import { makeElement } from './made_element.js';
import { mix } from './scales.js';
import { isDark, readColor, readableOn, written } from './ramp.js';

// On light, on dark.
const accents = [
  { row: [194, 22, 28], column: [10, 79, 160] },
  { row: [244, 105, 107], column: [134, 189, 245] },
];

/** From [r, g, b] of ink and surface; `given` has those that were named. */
export function createTheme({ ink, surface, family = 'sans-serif', ...given }) {
  const {
    row,
    column,
    muted = mix(ink, surface, 0.3),
  } = { ...accents[isDark(surface) ? 1 : 0], ...given };
  return {
    rgb: { ink, surface, row, column },
    family,
    ink: written(ink),
    surface: written(surface),
    muted: written(muted),
    faint: written(mix(ink, surface, 0.62)),
    row: written(row),
    onRow: readableOn(row),
    column: written(column),
    onColumn: readableOn(column),
  };
}

export const plainThemes = {
  light: { ink: [26, 29, 35], surface: [255, 255, 255] },
  dark: { ink: [233, 234, 237], surface: [21, 24, 29] },
};

let last = {}; // the theme that was read last; `from`: what it was worked out from

/**
 * `probe` is an element in the canvas, for the browser to work colours out on. That takes a look at the whole page for
 * each of them, and is only done where what they are worked out from is not as it was.
 */
export function readTheme(canvas, probe) {
  const style = getComputedStyle(canvas);
  const property = (name) => style.getPropertyValue(`--heatmap-${name}`).trim();
  const given = ['ink', 'surface', 'muted', 'row', 'column'].map((name) => [name, property(name)]);
  const family = property('font') || style.fontFamily;
  const { matches } = matchMedia('(prefers-color-scheme: dark)');
  const from = [given, style.color, style.colorScheme, matches, family].join();
  if (from === last.from) return last;
  const named = {};
  for (const [name, value] of given) {
    if (value) named[name] = colorOf(`var(--heatmap-${name})`, probe);
  }
  const surface = named.surface ?? backgroundOf(canvas, probe);
  const theme = createTheme({ ...named, ink: named.ink ?? toRGB(style.color), surface, family });
  // A background is another element's, and may change by itself.
  if (named.surface) theme.from = from;
  return (last = theme);
}

function colorOf(color, probe) {
  probe.style.color = color;
  const found = toRGB(getComputedStyle(probe).color);
  probe.style.color = '';
  return found;
}

// The first background behind the canvas that cannot be seen through.
function backgroundOf(canvas, probe) {
  for (
    let element = canvas;
    element;
    element = element.parentElement ?? element.getRootNode().host
  ) {
    const color = getComputedStyle(element).backgroundColor;
    if (color !== 'transparent' && !/, 0\)$|\/ 0\)$/.test(color)) return toRGB(color);
  }
  return colorOf('Canvas', probe);
}

let pixel = null;

function toRGB(color) {
  const rgb = readColor(color);
  if (rgb) return rgb;
  // oklch(), color() and whatever else there will be: as it is drawn.
  pixel ??= makeElement('canvas', { width: 1, height: 1 }).getContext('2d', {
    willReadFrequently: true,
  });
  pixel.fillStyle = color;
  pixel.fillRect(0, 0, 1, 1);
  return [...pixel.getImageData(0, 0, 1, 1).data].slice(0, 3);
}
