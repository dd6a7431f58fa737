// A vector as a strip of cells, purple below zero, orange above. Hovering, touching or the arrow keys show the number
// of a cell above it.

import { element, write } from '../element.js';
import { formatTerm } from '../number_formats.js';
import { createNumberCursor } from '../views/number_cursor.js';

/** @import { Palette } from '../palette.js' */

const height = 14;

/**
 * `top`: absolute value of the strongest color, shared by strips that are compared; `onPick(index)` is called with the chosen component.
 * @typedef {{ name: string, values: ArrayLike<number>, top: number, palette: Palette, picked?: number, onPick?(index: number): void }} ShownStrip
 */

/**
 * Drawn within Strip: `latest()` returns what is shown.
 * @param {() => ShownStrip} latest
 */
export function createStrip(latest) {
  const canvas = element('canvas', { class: 'strip', width: 1, height });
  const written = element('span', { class: 'strip-number', 'aria-hidden': 'true', hidden: true });
  let numbers = [];
  let standing = 0;

  const says = (at) => `number ${at + 1} of ${numbers.length}: ${formatTerm(numbers[at])}`;
  function showNumber(at) {
    write(written, says(at));
    const place = `${((100 * (at + 0.5)) / numbers.length).toFixed(2)}%`;
    written.style.left = place;
    written.style.translate = `-${place}`;
    written.hidden = false;
  }
  const stand = () =>
    cursor.show({ columns: numbers.length, column: standing, says: says(standing) });
  const leave = () => {
    written.hidden = document.activeElement !== canvas;
    if (!written.hidden) showNumber(standing);
  };

  const cursor = createNumberCursor(canvas, (_, column, how) => {
    if (numbers.length === 0) return;
    showNumber(column);
    if (how === 'over') return;
    standing = column;
    stand();
    latest().onPick?.(column);
  });
  canvas.addEventListener('focus', () => showNumber(standing));
  canvas.addEventListener('blur', () => (written.hidden = true));
  canvas.addEventListener('pointerleave', leave);

  return {
    element: element('span', { class: 'strip-box' }, canvas, written),
    /** @param {ShownStrip} shown */
    show({ name, values: shown, top, palette, picked = -1 }) {
      const values = Array.from(shown);
      numbers = values;
      standing = picked >= 0 ? picked : Math.min(standing, values.length - 1);
      const [low, high] = [Math.min(...values), Math.max(...values)];
      const whole = `${name}: ${values.length} numbers, from ${formatTerm(low)} to ${formatTerm(high)}`;
      if (canvas.getAttribute('aria-label') !== whole) canvas.setAttribute('aria-label', whole);
      stand();
      if (!written.hidden) showNumber(standing);
      paint(canvas, values, { top, palette, picked });
    },
  };
}

/**
 * The numbers of a vector as colors alone, for a glance.
 * @returns {{ element: HTMLCanvasElement, show(shown: Omit<ShownStrip, 'name'>): void }}
 */
export function createThinStrip() {
  const canvas = element('canvas', {
    class: 'thin-strip',
    width: 1,
    height,
    'aria-hidden': 'true',
  });
  return {
    element: canvas,
    show: ({ values, top, palette }) =>
      paint(canvas, Array.from(values), { top, palette, picked: -1 }),
  };
}

function paint(canvas, values, { top, palette, picked }) {
  // One pixel for each number; CSS stretches the canvas.
  if (canvas.width !== values.length) canvas.width = values.length;
  const context = canvas.getContext('2d');
  const image = context.createImageData(Math.max(1, values.length), height);
  const pixels = new Uint32Array(image.data.buffer);
  values.forEach((value, at) => {
    const color = palette.signedPixelOf(top > 0 ? value / top : 0);
    for (let line = 0; line < height; ++line) pixels[line * values.length + at] = color;
    if (at !== picked) return;
    for (const line of [0, 1, height - 2, height - 1]) {
      pixels[line * values.length + at] = palette.inkPixel;
    }
  });
  context.putImageData(image, 0, 0);
}

export const largest = (...lists) => {
  let top = 0;
  for (const list of lists) for (const value of list) top = Math.max(top, Math.abs(value));
  return top;
};
