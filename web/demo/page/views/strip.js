// A vector as a strip: a cell per number, purple below zero, orange above, pale around it. The
// numbers themselves are in its name and, one at a time, below the pointer.

import { element } from '../element.js';
import { formatTerm } from '../number_forms.js';

const height = 14;

/** `onPick(index)`, if given, is told which number somebody has clicked. */
export function createStrip(onPick) {
  const canvas = element('canvas', { role: 'img', class: 'strip', width: 1, height });
  let numbers = [];
  const indexAt = ({ offsetX }) =>
    Math.max(
      0,
      Math.min(numbers.length - 1, Math.floor((offsetX / canvas.clientWidth) * numbers.length)),
    );
  canvas.addEventListener('pointermove', (event) => {
    const at = indexAt(event);
    if (numbers.length > 0) canvas.title = `number ${at + 1}: ${formatTerm(numbers[at])}`;
  });
  if (onPick) canvas.addEventListener('click', (event) => onPick(indexAt(event)));

  return {
    element: canvas,
    /** `top` is the size of the strongest colour, so that strips of one kind can be compared. */
    show(name, values, { top, palette, picked = -1 }) {
      numbers = values;
      const [low, high] = [Math.min(...values), Math.max(...values)];
      const says = `${name}: ${values.length} numbers, from ${formatTerm(low)} to ${formatTerm(high)}`;
      if (canvas.getAttribute('aria-label') !== says) canvas.setAttribute('aria-label', says);
      // One pixel a number, as wide as there is room: the style stretches it.
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
    },
  };
}

export const largest = (...lists) => {
  let top = 0;
  for (const list of lists) for (const value of list) top = Math.max(top, Math.abs(value));
  return top;
};
