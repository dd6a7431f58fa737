// The matrix as pixels: one for each cell or, where cells are smaller than pixels, for bin × bin cells. Such a pixel
// shows the strongest of its cells, so that peaks stay visible.

import { pixelCount } from './layout.js';
import { isUnseen } from './matrix.js';
import { applyExponent } from './ramp.js';

const tables = new Map();

/** Draws the pixels on a canvas, which gets their size. Masked cells are transparent. */
export function paintRaster(canvas, scene) {
  const { width, height, pixels } = rasterOf(scene);
  Object.assign(canvas, { width, height });
  if (pixels.length === 0) return;
  const image = new ImageData(new Uint8ClampedArray(pixels.buffer), width);
  canvas.getContext('2d').putImageData(image, 0, 0);
}

/** { width, height, pixels }; see pixelCount(). Pixels of masked cells are 0. */
export function rasterOf({ matrix, ramp, bin }) {
  const { rows, columns, values, unseen, threshold, signed } = matrix;
  const [width, height] = [columns, rows].map((count) => pixelCount(count, bin));
  const pixels = new Uint32Array(width * height);
  const table = tableOf(matrix);
  const strengths = bin > 1 ? new Int16Array(pixels.length).fill(-1) : null;
  for (let row = 0; row < rows; row++) {
    const { low, high } = matrix.endsOf(row);
    const factor = (table.length - 1) / (high - low);
    const line = Math.floor(row / bin) * width;
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      let value = values[at];
      if (value === -Infinity || value !== value || isUnseen(unseen, at)) continue;
      if (value < threshold && value > -threshold) value = 0;
      const step = ((value - low) * factor + 0.5) | 0;
      const color = table[step < 0 ? 0 : step < table.length ? step : table.length - 1];
      const pixel = line + (bin === 1 ? column : (column / bin) | 0);
      if (strengths) {
        const strength = signed ? Math.abs(2 * color - 255) : color;
        if (strength <= strengths[pixel]) continue;
        strengths[pixel] = strength;
      }
      pixels[pixel] = ramp.packed[color];
    }
  }
  return { width, height, pixels };
}

/** The index of the color of a value. */
export function colorIndex(matrix, value, row) {
  return Math.round(255 * matrix.fractionOf(value, row));
}

// A table: computing a power for each of 250,000 cells would take longer than a frame.
function tableOf({ exponent, signed }) {
  const key = `${exponent} ${signed}`;
  let table = tables.get(key);
  if (!table) {
    if (tables.size > 8) tables.clear();
    const indexAt = (_, i) => Math.round(255 * applyExponent(i / 65535, { exponent, signed }));
    table = Uint8Array.from({ length: 65536 }, indexAt);
    tables.set(key, table);
  }
  return table;
}
