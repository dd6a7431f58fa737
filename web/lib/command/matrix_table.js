// A weight matrix as lines of text: a header of column labels, then one line per row. Fitted to the width of the terminal:
// labels are shortened, and remaining columns go to further blocks below.

import { alignRight, displayWidth, printable, shorten, wrap } from './terminal_text.js';

const maxLabelWidth = 20;
const maxUniformWidth = 10; // up to this label width all columns have equal width
const minLabelWidth = 5;
const blockLabelWidth = 8; // label width in several blocks

/**
 * Matrices as they are shown: as tables, CSV or a picture.
 *
 * @typedef {object} View
 * @property {string} heading
 * @property {string} unit 'word', 'piece', 'token' or 'head': what columns are
 * @property {string[]} rows labels
 * @property {string[]} columns labels
 * @property {{ title?: string, keys?: Partial<Record<'layer' | 'head', number>>, data: Float32Array }[]} matrices rows × columns; keys: layer
 *   and head for CSV
 * @property {boolean} [causal] whether later columns are masked
 * @property {string[]} [notes] sentences below the tables
 */

/**
 * Heading, tables and notes of a view. paint: see terminal_colors.js; width: columns of the terminal, or Infinity.
 *
 * @param {View} view
 */
export function* tableLines(
  { heading, unit, rows, columns, matrices, causal, notes = [] },
  screen,
) {
  const { paint, width } = screen;
  yield* wrap(heading, width).map(paint.bold);
  for (const { title, data } of matrices) {
    yield '';
    if (title) yield title;
    const weight = (i, j) => data[i * columns.length + j];
    const visible = (i, j) => !causal || j <= i;
    const matrix = { rows, columns, unit: capitalized(unit), weight, visible };
    yield* matrixTable(matrix, paint, width);
  }
  yield '';
  for (const sentence of notes) yield* wrap(sentence, width).map(paint.dim);
}

export const capitalized = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

/**
 * matrix: { rows, columns: labels; unit: name of a column; weight(i, j); visible(i, j) }; paint: see
 * terminal_colors.js; width: columns of the terminal, or Infinity.
 */
export function* matrixTable(matrix, paint, width) {
  const digits = fractionDigits(matrix.columns.length);
  const cell = widestNumber(matrix, digits);
  const rows = matrix.rows.map(printable);
  const columns = matrix.columns.map(printable);
  const widest = Math.max(4, Math.min(maxLabelWidth, Math.floor(width / 3)));
  const margin = Math.min(widest, largest(rows.map(displayWidth)));
  const labels = rows.map((row) => `${paint.bold(alignRight(shorten(row, margin), margin))} `);
  const blocks = layOut(columns.map(displayWidth), cell, width - margin - 1);

  for (const [b, { first, widths }] of blocks.entries()) {
    if (b > 0) yield '';
    if (blocks.length > 1) {
      const last = first + widths.length;
      const { unit } = matrix;
      const range = widths.length === 1 ? `${unit} ${last}` : `${unit}s ${first + 1}–${last}`;
      yield paint.dim(`${range} of ${columns.length}`);
    }
    const heads = widths.map((w, c) => ` ${alignRight(shorten(columns[first + c], w), w)} `);
    yield ' '.repeat(margin + 1) + paint.bold(heads.join('').trimEnd());
    for (let i = 0; i < rows.length; ++i) {
      let line = labels[i];
      for (const [c, w] of widths.entries()) {
        const j = first + c;
        const weight = matrix.weight(i, j);
        line += matrix.visible(i, j)
          ? paint.shade(` ${decimal(weight, digits).padStart(w)} `, weight)
          : paint.dim(` ${'·'.padStart(w)} `);
      }
      yield line.trimEnd();
    }
  }
}

// Enough digits to show the uniform weight 1/count: 0.03, 0.003.
function fractionDigits(count) {
  return Math.max(2, Math.ceil(Math.log10(count / 3)) + 1);
}

function decimal(weight, digits) {
  return weight.toFixed(digits).replace(/^-(0\.0+)$/, '$1'); // -0.001 is 0.00
}

// Width of the widest number; kernel weights can be negative or large.
function widestNumber({ rows, columns, weight, visible }, digits) {
  let [min, max] = [0, 0];
  for (let i = 0; i < rows.length; ++i) {
    for (let j = 0; j < columns.length; ++j) {
      if (weight(i, j) < min && visible(i, j)) min = weight(i, j);
      if (weight(i, j) > max && visible(i, j)) max = weight(i, j);
    }
  }
  return Math.max(decimal(min, digits).length, decimal(max, digits).length);
}

const largest = (numbers) => numbers.reduce((max, number) => Math.max(max, number), 0);

// Blocks of columns with their widths: [{ first, widths }].
function layOut(labelWidths, cell, available) {
  const widest = largest(labelWidths);
  const uniform = labelWidths.map(() => Math.max(cell, widest));
  if (widest <= maxUniformWidth && totalWidth(uniform) <= available)
    return [{ first: 0, widths: uniform }];
  const capped = (cap) => labelWidths.map((w) => Math.max(cell, Math.min(cap, w)));
  for (let cap = maxLabelWidth; cap >= minLabelWidth; --cap) {
    if (totalWidth(capped(cap)) <= available) return [{ first: 0, widths: capped(cap) }];
  }
  return inBlocks(capped(Math.min(blockLabelWidth, available - 2)), available);
}

// Each column has a space on both sides.
function totalWidth(widths) {
  return widths.reduce((sum, w) => sum + w + 2, 0);
}

// The minimum number of blocks, of about equal width.
function inBlocks(widths, available) {
  const minBlocks = fill(widths, available).length;
  let limit = Math.ceil(totalWidth(widths) / minBlocks);
  while (limit < available && fill(widths, limit).length > minBlocks) ++limit;
  return fill(widths, limit);
}

function fill(widths, limit) {
  const blocks = [];
  for (const [column, w] of widths.entries()) {
    const block = blocks.at(-1);
    if (block && totalWidth(block.widths) + w + 2 <= limit) block.widths.push(w);
    else blocks.push({ first: column, widths: [w] });
  }
  return blocks;
}
