// The preview picture of links to the page: the initial attention map as cells, in a PNG file.

import { crc32, deflateSync } from 'node:zlib';
import { colorScale } from 'attention-wasm/heatmap';
import { placeIn, stageRow } from './demo/positions.js';

const size = { width: 1200, height: 630 }; // recommended size of og:image
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
  return encode(pixels, size);
}

const rgbOf = (color) => color.match(/\d+/g).map(Number); // 'rgb(73, 149, 200)'

function fill(pixels, [x, y, width, height], rgb) {
  for (let line = y; line < y + height; ++line) {
    for (let at = x; at < x + width; ++at) pixels.set(rgb, (line * size.width + at) * 3);
  }
}

/** The outline around cells from one corner to the other, in the gaps beside them. */
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

/** PNG (ISO/IEC 15948): 8 bits of red, green and blue, no filter. */
function encode(pixels, { width, height }) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const lines = Buffer.alloc(height * (1 + 3 * width));
  for (let line = 0; line < height; ++line) {
    lines.set(
      pixels.subarray(line * 3 * width, (line + 1) * 3 * width),
      line * (1 + 3 * width) + 1,
    );
  }
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name, data) {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
