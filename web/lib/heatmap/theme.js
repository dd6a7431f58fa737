// The colors around the matrix: CSS custom properties or, by default, the text color and background of the canvas.

import { newElement } from './elements.js';
import { mix } from './scales.js';
import { isDark, readColor, readableOn, cssColor } from './ramp.js';

// On a light and on a dark background.
const accents = [
  { row: [194, 22, 28], column: [10, 79, 160] },
  { row: [244, 105, 107], column: [134, 189, 245] },
];

/** The theme for a text color and a background, [r, g, b] each; properties: other colors that are set. */
export function createTheme({ ink, surface, family = 'sans-serif', ...properties }) {
  const {
    row,
    column,
    muted = mix(ink, surface, 0.3),
  } = { ...accents[isDark(surface) ? 1 : 0], ...properties };
  return {
    rgb: { ink, surface, row, column },
    family,
    ink: cssColor(ink),
    surface: cssColor(surface),
    muted: cssColor(muted),
    faint: cssColor(mix(ink, surface, 0.62)),
    row: cssColor(row),
    onRow: readableOn(row),
    column: cssColor(column),
    onColumn: readableOn(column),
  };
}

export const plainThemes = {
  light: { ink: [26, 29, 35], surface: [255, 255, 255] },
  dark: { ink: [233, 234, 237], surface: [21, 24, 29] },
};

const maxThemes = 8;
const themes = new Map(); // by the values that they were computed from

/**
 * makeProbe(): an element in the canvas, on which the browser computes colors. Each computation may lay out the whole
 * page, so themes are reused while their inputs are unchanged.
 */
export function readTheme(canvas, makeProbe) {
  const style = getComputedStyle(canvas);
  const property = (name) => style.getPropertyValue(`--heatmap-${name}`).trim();
  const properties = ['ink', 'surface', 'muted', 'row', 'column'].map((name) => [
    name,
    property(name),
  ]);
  const family = property('font') || style.fontFamily;
  const { matches } = matchMedia('(prefers-color-scheme: dark)');
  const from = [properties, style.color, style.colorScheme, matches, family].join();
  if (themes.has(from)) return themes.get(from);
  const probe = makeProbe();
  const named = {};
  for (const [name, value] of properties) {
    if (value) named[name] = colorOf(`var(--heatmap-${name})`, probe);
  }
  const surface = named.surface ?? backgroundOf(canvas, probe);
  const theme = createTheme({ ...named, ink: named.ink ?? toRGB(style.color), surface, family });
  // Not cached with a background: it belongs to another element, and may change independently.
  if (named.surface) {
    if (themes.size === maxThemes) themes.clear();
    themes.set(from, theme);
  }
  return theme;
}

function colorOf(color, probe) {
  probe.style.color = color;
  const result = toRGB(getComputedStyle(probe).color);
  probe.style.color = '';
  return result;
}

// The first background behind the canvas that is not transparent.
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
  // Other notations, such as oklch() and color(): drawn on a canvas.
  pixel ??= newElement('canvas', { width: 1, height: 1 }).getContext('2d', {
    willReadFrequently: true,
  });
  pixel.fillStyle = color;
  pixel.fillRect(0, 0, 1, 1);
  return [...pixel.getImageData(0, 0, 1, 1).data].slice(0, 3);
}
