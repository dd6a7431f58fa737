// Draws the part of the matrix that is in sight: cells, the cross-hair on one of them, and labels.

import { colorOf } from './colors.js';
import { slant } from './matrix_layout.js';
import { formatBriefly } from './numbers.js';

const writtenFrom = 36; // cells at least this large have their weight written in them

/** `origin` is where the first cell's corner is; `size` is the room; the rest is as in matrix.js. */
export function drawMatrix({ context, view, layout, labels, font, size, origin }) {
  const { queries, keys, weights, scores, topWeight, cell: crossing, palette } = view;
  const { cell, left, top, fontSize, slanted, rowLabel, columnLabel, labelGap } = layout;
  const space = cell >= 28 ? 2 : cell >= 8 ? 1 : 0; // between cells
  const radius = cell >= 28 ? 3 : cell >= 16 ? 2 : 0;
  const x = (column) => origin.x + column * cell;
  const y = (row) => origin.y + row * cell;
  const rows = inSight(origin.y, top, size.height, queries.length);
  const columns = inSight(origin.x, left, size.width, keys.length);

  clipped([left - 3, top - 3, size.width, size.height], () => {
    drawCells();
    drawCrossHair();
  });
  clipped([0, top - 3, left, size.height], drawRowLabels);
  clipped([left - 3, 0, size.width, top], drawColumnLabels);

  function inSight(first, from, to, count) {
    const start = Math.max(0, Math.floor((from - first) / cell));
    const end = Math.min(count, Math.ceil((to - first) / cell));
    return Array.from({ length: Math.max(0, end - start) }, (_, i) => start + i);
  }

  function clipped([x0, y0, x1, y1], paint) {
    context.save();
    context.beginPath();
    context.rect(x0, y0, x1 - x0, y1 - y0);
    context.clip();
    paint();
    context.restore();
  }

  function drawCells() {
    const middle = (cell - space) / 2;
    context.font = font(Math.min(15, Math.round(cell * 0.3)));
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    for (const row of rows) {
      for (const column of columns) {
        const at = row * keys.length + column;
        if (scores[at] === -Infinity) {
          dot(x(column) + middle, y(row) + middle);
          continue;
        }
        const { fill, text } = colorOf(weights[at], topWeight, palette);
        box(x(column), y(row), cell - space, cell - space, radius);
        context.fillStyle = fill;
        context.fill();
        if (cell < writtenFrom) continue;
        context.fillStyle = text;
        context.fillText(formatBriefly(weights[at]), x(column) + middle, y(row) + middle + 1);
      }
    }
  }

  // A cell that its row may not see.
  function dot(centerX, centerY) {
    context.beginPath();
    context.arc(centerX, centerY, Math.max(0.75, Math.min(2, cell / 14)), 0, 2 * Math.PI);
    context.fillStyle = palette.faint;
    context.fill();
  }

  function box(x0, y0, width, height, corner) {
    context.beginPath();
    if (corner > 0 && context.roundRect) context.roundRect(x0, y0, width, height, corner);
    else context.rect(x0, y0, width, height);
  }

  // The row that reads in red, the column looked at in blue, their crossing in ink.
  function drawCrossHair() {
    const thick = cell >= 28 ? 2 : 1.5;
    const frame = (color, x0, y0, width, height) => {
      const grow = thick - space;
      box(x0 - thick / 2, y0 - thick / 2, width + grow, height + grow, radius + thick / 2);
      // On a halo, to be seen on dark and light cells alike.
      for (const [strokeStyle, lineWidth] of [
        [palette.surface, thick + 2],
        [color, thick],
      ]) {
        Object.assign(context, { strokeStyle, lineWidth });
        context.stroke();
      }
    };
    frame(palette.blue, x(crossing.column), y(0), cell, cell * queries.length);
    frame(palette.red, x(0), y(crossing.row), cell * keys.length, cell);
    frame(palette.ink, x(crossing.column), y(crossing.row), cell, cell);
  }

  function drawRowLabels() {
    const right = left - labelGap;
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    for (const row of rows) {
      const reads = row === crossing.row;
      const face = font(fontSize, reads ? 600 : 400);
      const label = labels.fit(queries[row], face, rowLabel);
      const middle = y(row) + (cell - space) / 2;
      if (reads) {
        const [width, height] = [labels.widthOf(label, face), Math.min(cell, fontSize * 1.6)];
        box(right - width - 5, middle - height / 2, width + 10, height, 4);
        context.fillStyle = palette.red;
        context.fill();
      }
      context.font = face;
      context.fillStyle = reads ? palette['on-red'] : palette.ink;
      context.fillText(label, right, middle + 0.5);
    }
  }

  function drawColumnLabels() {
    context.textAlign = slanted ? 'left' : 'center';
    context.textBaseline = slanted ? 'middle' : 'alphabetic';
    for (const column of columns) {
      const middle = x(column) + (cell - space) / 2;
      // A column that has left the frame takes its leaning label along.
      if (middle < left) continue;
      const looked = column === crossing.column;
      const face = font(fontSize, looked ? 600 : 400);
      const label = labels.fit(keys[column], face, slanted ? columnLabel : cell);
      context.font = face;
      context.fillStyle = looked ? palette.blue : palette.ink;
      context.save();
      context.translate(middle, top - labelGap);
      if (slanted) context.rotate(-slant);
      context.fillText(label, 0, 0);
      context.restore();
    }
  }
}
