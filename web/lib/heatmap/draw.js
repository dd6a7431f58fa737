// Draws the picture with a painter (for a canvas or SVG): matrix() draws matrix, labels and legend, crossHair() what
// follows the pointer.

import {
  boxOf,
  clamp,
  labelGap,
  legendGap,
  legendLine,
  margin,
  minShapeSize,
  minNumberSize,
} from './layout.js';
import { formatsOf } from './number_formats.js';
import { colorIndex } from './raster.js';

const unseenText = 'not seen';
const writtenHeight = 16; // min height in CSS pixels of a cell with a number
const bold = 600;

/** scene: result of arrange(); the last argument: see createStyle(). */
export function createDrawing(painter, scene, { options, matrix, theme, labels, ramp }) {
  const { frame, origin, cell, cellWidth, space, radius, fontSize, slant } = scene;
  const { faint, muted, ink } = theme;
  const format = formatsOf(options);
  const bounds = [frame.x, frame.y, frame.width, frame.height];
  const [across, down] = [cellWidth - space, cell - space];
  const gapX = frame.x - labelGap;
  const gapY = frame.y - labelGap;

  /** style: { weight, angle, chip, chipHeight }, all optional; chip: color of a box behind the text, with a halo. */
  function write(text, x, y, size, color, align = 'left', style = {}) {
    const { weight, angle, chip, chipHeight = 1.6 * size } = style;
    painter.rotated(x, y, angle, (left, middle) => {
      if (chip) {
        const width = labels.widthOf(text, size, weight);
        const over = align === 'right' ? width : align === 'center' ? width / 2 : 0;
        const box = [left - over - 5, middle - chipHeight / 2, width + 10, chipHeight, 4];
        painter.stroke(...box, theme.surface, 3);
        painter.fill(...box, chip);
      }
      // A fixed baseline: it does not depend on the font's metrics.
      painter.text(text, left, middle + 0.35 * size, size, color, align, weight);
    });
  }

  function matrixIn() {
    painter.clip(...bounds, cell < minShapeSize ? drawPixels : drawShapes);
    if (scene.labels) {
      const { firstRow, lastRow, rowStep, firstColumn, lastColumn, columnStep } = scene;
      inSteps(firstRow, lastRow, rowStep, drawRowLabel);
      inSteps(firstColumn, lastColumn, columnStep, drawColumnLabel);
      drawCaptions();
    }
    if (scene.legend) drawLegend();
  }

  function drawPixels() {
    if (matrix.hasUnseen) painter.hatch(...bounds, faint);
    painter.pixels({ matrix, ramp, bin: scene.bin }, origin.x, origin.y, cellWidth, cell);
    if (space === 0) return;
    for (let row = scene.firstRow; row <= scene.lastRow; row++) {
      painter.fill(frame.x, origin.y + row * cell - space, frame.width, space, 0, theme.surface);
    }
    for (let column = scene.firstColumn; column <= scene.lastColumn; column++) {
      const x = origin.x + column * cellWidth - space;
      painter.fill(x, frame.y, space, frame.height, 0, theme.surface);
    }
  }

  function drawShapes() {
    for (let row = scene.firstRow; row < scene.lastRow; row++) {
      for (let column = scene.firstColumn; column < scene.lastColumn; column++) {
        drawCell({ row, column });
      }
    }
  }

  function drawCell(at) {
    const { value, unseen, hatched } = matrix.describeCell(at);
    const { x, y } = boxOf(scene, at);
    const [middleX, middleY] = [x + across / 2, y + down / 2];
    if (hatched) {
      painter.hatch(x, y, across, down, muted);
      return;
    }
    if (unseen) {
      painter.dot(middleX, middleY, clamp(cell / 16, 1, 2), faint);
      return;
    }
    const index = colorIndex(matrix, value, at.row);
    const isNumber = index === index;
    if (isNumber) painter.fill(x, y, across, down, radius, ramp.fill[index]);
    const hasRoom = cellWidth >= minNumberSize && cell >= writtenHeight;
    if (isNumber && (!options.numbers || !hasRoom || matrix.isSlight(value))) return;
    const size = Math.min(14, Math.round(cellWidth * 0.3), Math.round(cell * 0.6));
    const color = isNumber ? ramp.text[index] : ink;
    write(format.brief(value), middleX, middleY, size, color, 'center');
  }

  // If some rows or columns have no label, those that have one get a tick, except under the pointer.
  function drawRowLabel(row, color = ink, style) {
    const y = origin.y + row * cell + down / 2;
    if (y < frame.y || y > frame.y + frame.height) return;
    const text = labels.fit(matrix.rowTexts[row], scene.rowLabel, fontSize, style?.weight);
    write(text, gapX, y, fontSize, color, 'right', style);
    if (!style && scene.rowStep > 1) painter.fill(frame.x - 5, y - 0.5, 4, 1, 0, faint);
  }

  function drawColumnLabel(column, color = ink, style) {
    const x = origin.x + column * cellWidth + across / 2;
    if (x < frame.x || x > frame.x + frame.width) return;
    const text = matrix.columnTexts[column];
    if (slant) {
      const fitted = labels.fit(text, scene.columnLabel, fontSize, style?.weight);
      write(fitted, x - 1, gapY - 1, fontSize, color, 'left', { ...style, angle: -slant });
    } else write(text, x, gapY - fontSize / 2 + 1, fontSize, color, 'center', style);
    if (!style && scene.columnStep > 1) painter.fill(x - 0.5, frame.y - 5, 1, 4, 0, faint);
  }

  // The titles of rows and columns, in the top left corner.
  function drawCaptions() {
    const { rowTitle, columnTitle } = options;
    let y = frame.y - 11;
    for (const line of [rowTitle && `${rowTitle} ↓`, columnTitle && `${columnTitle} →`]) {
      if (!line) continue;
      write(labels.fit(line, gapX, 11), gapX, y, 11, muted, 'right');
      y -= 15;
    }
  }

  /** Positions of the legend's elements, in CSS pixels. */
  function legendOf() {
    const small = (text) => labels.widthOf(text, 11);
    const { valueTitle } = options;
    const from = scene.width < 460 ? 8 : scene.labels ? frame.x : margin;
    const y = frame.y + frame.height + legendGap + legendLine / 2;
    const lowText = format.end(matrix.low);
    const highText = matrix.perRow ? 'the row’s most' : format.end(matrix.high);
    const x = from + (valueTitle ? small(valueTitle) + 10 : 0) + small(lowText) + 6;
    const beside = 6 + small(highText);
    const note = matrix.hasUnseen ? 32 + small(unseenText) : 0;
    const room = scene.width - margin - x - beside - note;
    const width = clamp(room, 24, scene.compact ? 96 : 132);
    const barEnd = x + width + beside;
    return { from, x, y, width, lowText, highText, barEnd, end: barEnd + note };
  }

  function drawLegend() {
    const { from, x, y, width, lowText, highText, barEnd } = legendOf();
    if (options.valueTitle) write(options.valueTitle, from, y, 11, muted);
    painter.gradient(x, y - 5, width, 10, ramp.fill);
    write(lowText, x - 6, y, 11, muted, 'right');
    write(highText, x + width + 6, y, 11, muted);
    if (!matrix.hasUnseen) return;
    if (cell >= minShapeSize && !matrix.hasHatched) painter.dot(barEnd + 21, y, 2, faint);
    else painter.hatch(barEnd + 16, y - 5, 10, 10, faint);
    write(unseenText, barEnd + 32, y, 11, muted);
  }

  /** The cross-hair on the cell `at`, { row, column }, and a thin frame around `selected` if it is another cell. */
  function crossHair(at, selected) {
    const { row, column } = at;
    const thick = cell >= 28 ? 2 : 1.5;
    painter.clip(frame.x - 3, frame.y - 3, frame.width + 6, frame.height + 6, () => {
      if (selected && (selected.row !== row || selected.column !== column)) {
        outline(ink, boxOf(scene, selected), 1);
      }
      const box = boxOf(scene, at);
      outline(theme.column, { ...box, y: origin.y, height: scene.extent.height }, thick);
      outline(theme.row, { ...box, x: origin.x, width: scene.extent.width }, thick);
      outline(ink, box, thick);
    });
    if (scene.labels) {
      const chipHeight = clamp(cell + 2, 1.25 * fontSize, 1.6 * fontSize);
      drawRowLabel(row, theme.onRow, { weight: bold, chip: theme.row, chipHeight });
      drawColumnLabel(column, theme.onColumn, { weight: bold, chip: theme.column });
    }
    if (scene.legend) drawReadout(at);
  }

  // With a halo, for contrast on dark and light cells. Small cells get a larger outline.
  function outline(color, { x, y, width, height }, thick) {
    const half = thick / 2;
    const out = half + (cell < 6 ? 2 : 0);
    const more = 2 * out - space;
    const box = [x - out, y - out, width + more, height + more, radius + half];
    painter.stroke(...box, theme.surface, thick + 2);
    painter.stroke(...box, color, thick);
  }

  function drawReadout(at) {
    const { value, unseen } = matrix.describeCell(at);
    const legend = legendOf();
    if (!unseen && Number.isFinite(value)) {
      const x = legend.x + legend.width * matrix.fractionOf(value, at.row);
      painter.marker(x, legend.y - 7, 4, ink);
    }
    const number = unseen ? unseenText : format.full(value);
    // Compact layouts show the readout under the legend, others at the right end of its line.
    const { compact } = scene;
    const start = compact ? legend.from : legend.end + 20;
    const available = scene.width - margin - start - labels.widthOf(number, 13, bold) - 37;
    if (available < 30) return;
    const word = (text) => labels.fit(text, Math.min(160, available / 2), 13);
    /** @type {[gap: number, text: string, color: string, weight?: number][]} */
    const texts = [
      [0, word(matrix.rowTexts[at.row]), theme.row],
      [6, '→', muted],
      [6, word(matrix.columnTexts[at.column]), theme.column],
      [12, number, ink, bold],
    ];
    const widthOf = (/** @type {typeof texts[number]} */ [gap, text, , weight]) =>
      gap + labels.widthOf(text, 13, weight);
    const total = texts.reduce((sum, span) => sum + widthOf(span), 0);
    let x = compact ? start : Math.max(start, frame.x + frame.width - space - total);
    const y = compact ? legend.y + legendLine : legend.y;
    for (const span of texts) {
      const [gap, text, color, weight] = span;
      write(text, x + gap, y, 13, color, 'left', { weight });
      x += widthOf(span);
    }
  }

  return { matrix: matrixIn, crossHair };
}

function inSteps(first, last, step, draw) {
  for (let at = Math.ceil(first / step) * step; at < last; at += step) draw(at);
}
