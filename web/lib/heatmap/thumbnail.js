// A small picture of a matrix, one pixel per cell, drawn once and without listeners: for grids of many heads. CSS defines
// its size (image-rendering: pixelated).

import { canDraw } from './can_draw.js';
import { createMatrix } from './matrix.js';
import { readHeatmapOptions } from './options.js';
import { createRamp } from './ramp.js';
import { paintRaster } from './raster.js';
import { readTheme } from './theme.js';

const maxPixels = 256;

export function thumbnail(canvas, options) {
  const read = readHeatmapOptions('thumbnail', options);
  const matrix = createMatrix(read);
  if (!canDraw(canvas)) return;
  const probe = document.createElement('span');
  const { rgb } = readTheme(canvas, () => canvas.appendChild(probe));
  probe.remove();
  const ramp = createRamp({ colors: read.colors, surface: rgb.surface, signed: matrix.signed });
  const bin = Math.max(1, Math.ceil(Math.max(matrix.rows, matrix.columns) / maxPixels));
  paintRaster(canvas, { matrix, ramp, bin });
}
