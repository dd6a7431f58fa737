// Draws the picture with a painter (of a canvas or of SVG): drawMatrix() what stays while the pointer
// moves, drawCrossHair() what moves with it.

import { boxOf, clamp, slant } from './layout.js';
import { formatBriefly, formatEnd, formatValue } from './number_formats.js';
import { colorIndex } from './raster.js';

const writtenFrom = 34; // cells at least this large have their number written in them
const margin = 4;
const unseenText = 'not seen';
const shapedFrom = 14; // smaller ones are pixels

/** `scene` is of arrange(); `look`: { given, matrix, theme, labels, ramp }, given being the options. */
export function drawMatrix(painter, scene, look) {
  const { given, matrix, theme, labels, ramp } = look;
  const { frame, origin, cell, space, radius, fontSize } = scene;
  painter.clip(frame.x, frame.y, frame.width, frame.height, drawCells);
  if (scene.labels) {
    drawRowLabels();
    drawColumnLabels();
    drawCaptions();
  }
  if (scene.legend) drawLegend();

  function drawCells() {
    if (cell >= shapedFrom) return drawShapes();
    if (matrix.hasUnseen) painter.hatch(frame.x, frame.y, frame.width, frame.height, theme.faint);
    painter.pixels({ matrix, ramp, bin: scene.bin }, origin.x, origin.y, cell);
    for (let row = scene.firstRow; space > 0 && row <= scene.lastRow; row++) {
      painter.fill(frame.x, origin.y + row * cell - space, frame.width, space, 0, theme.surface);
    }
    for (let column = scene.firstColumn; space > 0 && column <= scene.lastColumn; column++) {
      painter.fill(
        origin.x + column * cell - space,
        frame.y,
        space,
        frame.height,
        0,
        theme.surface,
      );
    }
    return undefined;
  }

  function drawShapes() {
    const side = cell - space;
    for (let row = scene.firstRow; row < scene.lastRow; row++) {
      for (let column = scene.firstColumn; column < scene.lastColumn; column++) {
        const at = row * matrix.columns + column;
        const value = matrix.values[at];
        const { x, y } = boxOf(scene, { row, column });
        if (matrix.isUnseen(at)) {
          painter.dot(x + side / 2, y + side / 2, Math.max(1, Math.min(2, cell / 16)), theme.faint);
          continue;
        }
        const index = colorIndex(matrix, value, row);
        const isNumber = !Number.isNaN(index);
        if (isNumber) painter.fill(x, y, side, side, radius, ramp.fill[index]);
        if (isNumber && (!given.numbers || cell < writtenFrom || matrix.isSlight(value))) continue;
        painter.text(formatBriefly(value), x + side / 2, y + side / 2, {
          size: Math.min(14, Math.round(cell * 0.3)),
          color: isNumber ? ramp.text[index] : theme.ink,
          align: 'center',
        });
      }
    }
  }

  function drawRowLabels() {
    const right = frame.x - scene.labelGap;
    for (
      let row = firstOf(scene.firstRow, scene.rowStep);
      row < scene.lastRow;
      row += scene.rowStep
    ) {
      const middle = origin.y + row * cell + (cell - space) / 2;
      if (middle < frame.y || middle > frame.y + frame.height) continue;
      const text = labels.fit(matrix.rowTexts[row], scene.rowLabel, fontSize);
      painter.text(text, right, middle, { size: fontSize, color: theme.ink, align: 'right' });
      if (scene.rowStep > 1) painter.fill(frame.x - 5, middle - 0.5, 4, 1, 0, theme.faint);
    }
  }

  function drawColumnLabels() {
    for (
      let column = firstOf(scene.firstColumn, scene.columnStep);
      column < scene.lastColumn;
      column += scene.columnStep
    ) {
      const middle = origin.x + column * cell + (cell - space) / 2;
      if (middle < frame.x || middle > frame.x + frame.width) continue;
      drawColumnLabel(painter, {
        scene,
        labels,
        text: matrix.columnTexts[column],
        middle,
        color: theme.ink,
      });
      if (scene.columnStep > 1) painter.fill(middle - 0.5, frame.y - 5, 1, 4, 0, theme.faint);
    }
  }

  // In the corner, each beside what it is the name of.
  function drawCaptions() {
    const right = frame.x - scene.labelGap;
    const lines = [
      given.rowTitle && `${given.rowTitle} ↓`,
      given.columnTitle && `${given.columnTitle} →`,
    ];
    lines.filter(Boolean).forEach((line, index) => {
      painter.text(labels.fit(line, right, 11), right, frame.y - 11 - 15 * index, {
        size: 11,
        color: theme.muted,
        align: 'right',
      });
    });
  }

  function drawLegend() {
    const { bar, middle, from } = legendOf(scene, look);
    const style = { size: 11, color: theme.muted, align: 'left' };
    if (given.valueTitle) painter.text(given.valueTitle, from, middle, style);
    painter.gradient(bar.x, bar.y, bar.width, bar.height, ramp.fill);
    painter.text(bar.lowText, bar.x - 6, middle, { ...style, align: 'right' });
    painter.text(bar.highText, bar.x + bar.width + 6, middle, style);
    if (!matrix.hasUnseen) return;
    const x = bar.end + 16;
    if (cell >= shapedFrom) painter.dot(x + 5, middle, 2, theme.faint);
    else painter.hatch(x, bar.y, 10, bar.height, theme.faint);
    painter.text(unseenText, x + 16, middle, style);
  }
}

/** The cross-hair on `cell`, { row, column }; `selected`, if it is another one, has a thin frame. */
export function drawCrossHair(painter, scene, look, at, selected) {
  const { matrix, theme, labels } = look;
  const { frame, origin, cell, space, radius, fontSize } = scene;
  const thick = cell >= 28 ? 2 : 1.5;
  painter.clip(frame.x - 3, frame.y - 3, frame.width + 6, frame.height + 6, () => {
    if (selected && (selected.row !== at.row || selected.column !== at.column)) {
      const { x, y } = boxOf(scene, selected);
      outline(theme.ink, x, y, cell, cell, 1);
    }
    outline(theme.column, origin.x + at.column * cell, origin.y, cell, scene.whole.height, thick);
    outline(theme.row, origin.x, origin.y + at.row * cell, scene.whole.width, cell, thick);
    const { x, y } = boxOf(scene, at);
    outline(theme.ink, x, y, cell, cell, thick);
  });
  if (scene.labels) {
    drawRowLabel();
    drawColumn();
  }
  if (scene.legend) drawReadout();

  // On a halo, to be seen on dark and light cells alike; around the smallest cells, with some room.
  function outline(color, x, y, width, height, thickness) {
    const grow = cell < 6 ? 2 : 0;
    const box = [
      x - thickness / 2 - grow,
      y - thickness / 2 - grow,
      width + thickness - space + 2 * grow,
      height + thickness - space + 2 * grow,
    ];
    painter.stroke(...box, radius + thickness / 2, theme.surface, thickness + 2);
    painter.stroke(...box, radius + thickness / 2, color, thickness);
  }

  function drawRowLabel() {
    const middle = origin.y + at.row * cell + (cell - space) / 2;
    if (middle < frame.y || middle > frame.y + frame.height) return;
    const text = labels.fit(matrix.rowTexts[at.row], scene.rowLabel, fontSize, 600);
    painter.text(text, frame.x - scene.labelGap, middle, {
      size: fontSize,
      weight: 600,
      color: theme.onRow,
      align: 'right',
      chip: theme.row,
      chipHeight: clamp(cell + 2, 1.25 * fontSize, 1.6 * fontSize),
      halo: theme.surface,
    });
  }

  function drawColumn() {
    const middle = origin.x + at.column * cell + (cell - space) / 2;
    if (middle < frame.x || middle > frame.x + frame.width) return;
    drawColumnLabel(painter, {
      scene,
      labels,
      text: matrix.columnTexts[at.column],
      middle,
      color: theme.onColumn,
      weight: 600,
      chip: theme.column,
      halo: theme.surface,
    });
  }

  function drawReadout() {
    const index = at.row * matrix.columns + at.column;
    const value = matrix.values[index];
    const unseen = matrix.isUnseen(index);
    const { bar, middle, from, end } = legendOf(scene, look);
    if (!unseen && Number.isFinite(value)) {
      const x = bar.x + bar.width * matrix.shareOf(value, at.row);
      painter.marker(x, bar.y - 2, 4, theme.ink);
    }
    // Under the legend where it is narrow, else at the right end of its line.
    const start = scene.narrow ? from : end + 20;
    const number = unseen ? unseenText : formatValue(value);
    const arrow = 13 + 2 * 6 + 12;
    const room = scene.width - margin - start - labels.widthOf(number, 13, 600) - arrow;
    if (room < 30) return;
    const [row, column] = [matrix.rowTexts[at.row], matrix.columnTexts[at.column]].map((text) =>
      labels.fit(text, Math.min(160, room / 2), 13),
    );
    const parts = [
      { text: row, color: theme.row },
      { text: '→', color: theme.muted, space: 6 },
      { text: column, color: theme.column, space: 6 },
      { text: number, color: theme.ink, weight: 600, space: 12 },
    ];
    const widthOf = ({ text, weight = 400 }) => labels.widthOf(text, 13, weight);
    const total = parts.reduce((sum, part) => sum + widthOf(part) + (part.space ?? 0), 0);
    let x = scene.narrow ? start : Math.max(start, frame.x + frame.width - space - total);
    const y = scene.narrow ? middle + scene.legendLine : middle;
    for (const part of parts) {
      x += part.space ?? 0;
      const { weight, color } = part;
      painter.text(part.text, x, y, { size: 13, weight, color, align: 'left' });
      x += widthOf(part);
    }
  }
}

function drawColumnLabel(painter, { scene, labels, text, middle, ...style }) {
  const { fontSize, slanted, columnLabel, frame, labelGap } = scene;
  const weight = style.weight ?? 400;
  if (!slanted) {
    painter.text(text, middle, frame.y - labelGap - fontSize / 2 + 1, {
      size: fontSize,
      align: 'center',
      ...style,
    });
    return;
  }
  const fitted = labels.fit(text, columnLabel, fontSize, weight);
  painter.text(fitted, middle - 1, frame.y - labelGap - 1, {
    size: fontSize,
    align: 'left',
    angle: -slant,
    ...style,
  });
}

/** Where the legend's parts are, and where it ends. */
function legendOf(scene, { given, matrix, labels }) {
  const { frame, legendGap, legendLine } = scene;
  const from = scene.width < 460 ? 8 : scene.labels ? frame.x : margin;
  const middle = frame.y + frame.height + legendGap + legendLine / 2;
  const { low, high } = matrix;
  const perRow = matrix.perRow;
  const lowText = formatEnd(low);
  const highText = perRow ? 'the row’s most' : formatEnd(high);
  const title = given.valueTitle ? labels.widthOf(given.valueTitle, 11) + 10 : 0;
  const x = from + title + labels.widthOf(lowText, 11) + 6;
  const beside = 6 + labels.widthOf(highText, 11);
  const width = clamp(scene.width - margin - x - beside, 24, scene.narrow ? 96 : 132);
  const barEnd = x + width + beside;
  const end = matrix.hasUnseen ? barEnd + 32 + labels.widthOf(unseenText, 11) : barEnd;
  return {
    from,
    middle,
    end,
    bar: { x, y: middle - 5, width, height: 10, lowText, highText, end: barEnd },
  };
}

function firstOf(index, step) {
  return Math.ceil(index / step) * step;
}
