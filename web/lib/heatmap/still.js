// All of the matrix at once, as an SVG document or a PNG file; SVG without a page too: in Node, in workers.

import { boolean, number, readOptions } from '../arguments/options.js';
import { createCanvasPainter } from './canvas_painter.js';
import { createDrawing } from './draw.js';
import { createLabels, estimateWidth } from './labels.js';
import { arrange, everything, layOut } from './layout.js';
import { createMatrix } from './matrix.js';
import { readHeatmapOptions } from './options.js';
import { createRamp } from './ramp.js';
import { createSVGPainter } from './svg_painter.js';
import { createTheme, plainThemes } from './theme.js';

const kinds = { width: number, height: number, dark: boolean };

/** What a picture looks like, on the page and in a file: { given, matrix, theme, labels, ramp }. */
export function lookOf(given, matrix, theme, labels) {
  const { surface } = theme.rgb;
  const ramp = createRamp({ colors: given.colors, surface, signed: matrix.signed });
  return { given, matrix, theme, labels, ramp };
}

/** Its layout in a room: { width, height, ratio }. */
export function layOutFor({ given, matrix, labels: { widthOf } }, room) {
  const { labels, legend, rowTitle, columnTitle } = given;
  const captions = Boolean(rowTitle || columnTitle);
  return layOut({ matrix, widthOf, labels, legend, captions, ...room });
}

/** The plain theme, light or dark, with the letters of another. */
export const plainTheme = (dark, family) =>
  createTheme({ ...plainThemes[dark ? 'dark' : 'light'], family });

/** `selected` is the cell that has the cross-hair, if one has. */
export function writeSVG(look, { width, height, selected }) {
  const layout = layOutFor(look, { width, height, ratio: 1 });
  const { family, surface } = look.theme;
  const room = { width, height: layout.height };
  const painter = createSVGPainter({ family, ...room, surface, title: look.given.label });
  drawWhole(painter, look, layout, selected);
  return painter.document();
}

export function paintPNG(look, { width, height, ratio, selected }) {
  const layout = layOutFor(look, { width, height, ratio });
  const { family, surface } = look.theme;
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(layout.height * ratio);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('a PNG needs a canvas with a 2d context, and this page has none');
  context.scale(ratio, ratio);
  context.fillStyle = surface;
  context.fillRect(0, 0, width, layout.height);
  const painter = createCanvasPainter(context, { family, ratio });
  drawWhole(painter, look, layout, selected);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob) resolve(blob);
      else reject(new Error(`a picture of ${canvas.width} × ${canvas.height} pixels is too large`));
    });
  });
}

// Everything, whatever is in sight on the page.
function drawWhole(painter, look, layout, selected) {
  const drawing = createDrawing(painter, arrange(layout, everything), look);
  drawing.matrix();
  if (selected) drawing.crossHair(selected, selected);
}

export function heatmapSVG(options, paper = {}) {
  const given = readHeatmapOptions('heatmapSVG', options);
  const { width = 640, height, dark = false } = readOptions('heatmapSVG', paper, kinds);
  const matrix = createMatrix(given);
  const selected = matrix.values.length > 0 ? given.selected : undefined;
  const look = lookOf(given, matrix, plainTheme(dark), createLabels(estimateWidth));
  return writeSVG(look, { width, height, selected });
}
