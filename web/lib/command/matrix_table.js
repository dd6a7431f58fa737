// A weight matrix as lines of text: a header of the words that are read, then one row for each word
// that reads. As wide as the terminal: labels are shortened, and what still does not fit goes below.

import { alignRight, displayWidth, printable, shorten } from './terminal_text.js';

const widestLabel = 20;
const evenLabel = 10; // up to here all columns are as wide as the widest
const shortLabel = 5;
const blockLabel = 8; // in blocks there is room for more

/** Matrices one below the other, each with its title if it has one, and empty lines around them. */
export function* matrixTables(matrices, paint, width) {
  for (const matrix of matrices) {
    yield '';
    if (matrix.title) yield matrix.title;
    yield* matrixTable(matrix, paint, width);
  }
  yield '';
}

/**
 * matrix: { rows, columns: labels; unit: what a column is; weight(i, j); visible(i, j) }; paint: see
 * shade.js; width: columns of the terminal, or Infinity.
 */
export function* matrixTable(matrix, paint, width) {
  const digits = fractionDigits(matrix.columns.length);
  const cell = widestNumber(matrix, digits);
  const rows = matrix.rows.map(printable);
  const columns = matrix.columns.map(printable);
  const widest = Math.max(4, Math.min(widestLabel, Math.floor(width / 3)));
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

// Enough that an even share, 1/count, does not vanish: 0.03, 0.003.
function fractionDigits(count) {
  return Math.max(2, Math.ceil(Math.log10(count / 3)) + 1);
}

function decimal(weight, digits) {
  return weight.toFixed(digits).replace(/^-(0\.0+)$/, '$1'); // -0.001 is 0.00
}

// "0." and the digits; more where a kernel's weights are negative or large.
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

// Which columns stand side by side, and how wide: [{ first, widths }].
function layOut(natural, cell, room) {
  const widest = largest(natural);
  const even = natural.map(() => Math.max(cell, widest));
  if (widest <= evenLabel && spread(even) <= room) return [{ first: 0, widths: even }];
  const capped = (cap) => natural.map((w) => Math.max(cell, Math.min(cap, w)));
  for (let cap = widestLabel; cap >= shortLabel; --cap) {
    if (spread(capped(cap)) <= room) return [{ first: 0, widths: capped(cap) }];
  }
  return inBlocks(capped(Math.min(blockLabel, room - 2)), room);
}

// A column has a space on either side.
function spread(widths) {
  return widths.reduce((sum, w) => sum + w + 2, 0);
}

// As few blocks as fit, then of about the same width.
function inBlocks(widths, room) {
  const fewest = fill(widths, room).length;
  let limit = Math.ceil(spread(widths) / fewest);
  while (limit < room && fill(widths, limit).length > fewest) ++limit;
  return fill(widths, limit);
}

function fill(widths, limit) {
  const blocks = [];
  for (const [column, w] of widths.entries()) {
    const block = blocks.at(-1);
    if (block && spread(block.widths) + w + 2 <= limit) block.widths.push(w);
    else blocks.push({ first: column, widths: [w] });
  }
  return blocks;
}
