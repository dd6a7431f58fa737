// The whole matrix as an SVG document or a PNG file. SVG needs no page: it works in Node.js and in workers.

import { boolean, number, readOptions } from '../arguments/options.js';
import { createCanvasPainter } from './canvas_painter.js';
import { createDrawing } from './draw.js';
import { createLabels, estimateWidth } from './labels.js';
import { arrange, fullView, layOut } from './layout.js';
import { createMatrix } from './matrix.js';
import { readHeatmapOptions } from './options.js';
import { createRamp } from './ramp.js';
import { createSVGPainter } from './svg_painter.js';
import { createTheme, plainThemes } from './theme.js';

const kinds = { width: number, height: number, dark: boolean };

/** The inputs of a drawing: { options, matrix, theme, labels, ramp }. */
export function createStyle(options, matrix, theme, labels) {
  const { surface } = theme.rgb;
  const ramp = createRamp({ colors: options.colors, surface, signed: matrix.signed });
  return { options, matrix, theme, labels, ramp };
}

/** The layout of a picture for a size { width, height, ratio }. */
export function layoutFor({ options, matrix, labels: { widthOf } }, size) {
  const { labels, legend, rowTitle, columnTitle, cellAspect } = options;
  const captions = Boolean(rowTitle || columnTitle);
  return layOut({ matrix, widthOf, labels, legend, captions, cellAspect, ...size });
}

/** The default theme, dark or light, with a font family. */
export const plainTheme = (dark, family) =>
  createTheme({ ...plainThemes[dark ? 'dark' : 'light'], family });

/** An SVG document; selected: the cell with the cross-hair, if any. */
export function writeSVG(style, { width, height, selected }) {
  const layout = layoutFor(style, { width, height, ratio: 1 });
  const { family, surface } = style.theme;
  const size = { width, height: layout.height };
  const painter = createSVGPainter({ family, ...size, surface, title: style.options.label });
  drawAll(painter, style, layout, selected);
  return painter.document();
}

export function paintPNG(style, { width, height, ratio, selected }) {
  const layout = layoutFor(style, { width, height, ratio });
  const { family, surface } = style.theme;
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(layout.height * ratio);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('a PNG needs a canvas with a 2d context, and this page has none');
  context.scale(ratio, ratio);
  context.fillStyle = surface;
  context.fillRect(0, 0, width, layout.height);
  const painter = createCanvasPainter(context, { family, ratio });
  drawAll(painter, style, layout, selected);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob) resolve(blob);
      else reject(new Error(`a picture of ${canvas.width} × ${canvas.height} pixels is too large`));
    });
  });
}

// The whole matrix, regardless of the viewport of the page.
function drawAll(painter, style, layout, selected) {
  const drawing = createDrawing(painter, arrange(layout, fullView), style);
  drawing.matrix();
  if (selected) drawing.crossHair(selected, selected);
}

export function heatmapSVG(options, paper = {}) {
  const read = readHeatmapOptions('heatmapSVG', options);
  const { width = 640, height, dark = false } = readOptions('heatmapSVG', paper, kinds);
  const matrix = createMatrix(read);
  const selected = matrix.values.length > 0 ? read.selected : undefined;
  const style = createStyle(read, matrix, plainTheme(dark), createLabels(estimateWidth));
  return writeSVG(style, { width, height, selected });
}
