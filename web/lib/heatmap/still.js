// The picture as SVG without a page: for Node, workers and tests. Widths of words are estimated.

import { boolean, number, readOptions } from '../arguments/options.js';
import { drawCrossHair, drawMatrix } from './draw.js';
import { createLabels, estimateWidth } from './labels.js';
import { arrange, layOut } from './layout.js';
import { createMatrix } from './matrix.js';
import { readHeatmapOptions } from './options.js';
import { createRamp } from './ramp.js';
import { createSVGPainter } from './svg_painter.js';
import { createTheme, plainThemes } from './theme.js';

const kinds = { width: number, height: number, dark: boolean };

export function heatmapSVG(options, paper = {}) {
  const given = readHeatmapOptions('heatmapSVG', options);
  const { width = 640, height, dark = false } = readOptions('heatmapSVG', paper, kinds);
  const matrix = createMatrix(given);
  const theme = createTheme(plainThemes[dark ? 'dark' : 'light']);
  const labels = createLabels(estimateWidth);
  const ramp = createRamp({
    colors: given.colors,
    surface: theme.rgb.surface,
    signed: matrix.signed,
  });
  const layout = layOut({
    matrix,
    widthOf: labels.widthOf,
    width,
    height,
    ratio: 1,
    labels: given.labels,
    legend: given.legend,
    captions: Boolean(given.rowTitle || given.columnTitle),
  });
  const painter = createSVGPainter({
    family: theme.family,
    labels,
    width,
    height: layout.height,
    surface: theme.surface,
    title: given.label,
  });
  const scene = arrange(layout, { zoom: 1, x: 0, y: 0 });
  const facts = { scene, matrix, ramp, theme, texts: given, labels };
  drawMatrix(painter, { ...facts, numbers: given.numbers });
  if (given.selected && matrix.values.length > 0) {
    drawCrossHair(painter, { ...facts, cell: given.selected, selected: given.selected });
  }
  return painter.document();
}
