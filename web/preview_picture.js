// The preview picture of links to the page: the initial attention map as cells, in a PNG file.

import { colorScale } from 'attention-wasm/heatmap';
import { PNG } from 'pngjs';
import { placeIn, stageRow } from './demo/positions.js';

const size = { width: 1200, height: 630 }; // recommended size of og:image
const format = { colorType: 2, inputColorType: 2, inputHasAlpha: false, deflateLevel: 9 }; // 2: red, green, blue
const margin = 60;
const gap = 8;
const ring = 8;
const colors = {
  paper: [250, 249, 246],
  surface: '#ffffff',
  red: [194, 22, 28],
  blue: [10, 79, 160],
};

/** @param {import('./demo/types').Picture} picture @param {object} state what is selected in it */
export function previewPNG(picture, state) {
  const { width, height } = size;
  const pixels = new Uint8Array(width * height * 3);
  fill(pixels, [0, 0, width, height], colors.paper);
  const { colorOf } = colorScale({ surface: colors.surface });
  const [rows, columns] = [picture.rows.length, picture.columns.length];
  const across = (at) => Math.round(margin + (at * (width - 2 * margin)) / columns);
  const down = (at) => Math.round(margin + (at * (height - 2 * margin)) / rows);
  const top = Math.max(...picture.stages.weights);
  for (let row = 0; row < rows; ++row) {
    stageRow(picture, 'weights', 0, row).forEach((weight, column) => {
      const [x, y] = [across(column), down(row)];
      const box = [x, y, across(column + 1) - x - gap, down(row + 1) - y - gap];
      fill(pixels, box, rgbOf(colorOf(weight / top).fill));
    });
  }
  const { row, column } = placeIn(picture, state);
  frame(pixels, [across(column), down(0), across(column + 1), down(rows)], colors.blue);
  frame(pixels, [across(0), down(row), across(columns), down(row + 1)], colors.red);
  return PNG.sync.write({ ...size, data: pixels }, format);
}

const rgbOf = (color) => color.match(/\d+/g).map(Number); // 'rgb(73, 149, 200)'

/** @type {(pixels: Uint8Array, box: number[], rgb: number[]) => void} */
function fill(pixels, [x, y, width, height], rgb) {
  for (let line = y; line < y + height; ++line) {
    for (let at = x; at < x + width; ++at) pixels.set(rgb, (line * size.width + at) * 3);
  }
}

/**
 * The outline around cells from one corner to the other, in the gaps beside them.
 *
 * @type {(pixels: Uint8Array, corners: number[], rgb: number[]) => void}
 */
function frame(pixels, [left, top, right, bottom], rgb) {
  const [x, y] = [left - gap, top - gap];
  const [width, height] = [right - x, bottom - y];
  for (const box of [
    [x, y, width, ring],
    [x, bottom - ring, width, ring],
    [x, y, ring, height],
    [right - ring, y, ring, height],
  ]) {
    fill(pixels, box, rgb);
  }
}
