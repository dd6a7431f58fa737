// Where everything of the matrix goes: the size of its cells, the room for its labels, and
// whether it fits. Lengths in CSS pixels, whole ones, so that cells are sharp.

const smallestCell = 15;
const largestCell = 96;
const padding = 12;
const labelGap = 9; // between a label and its row or column
export const slant = Math.PI / 4;

/**
 * `rows` and `columns` are words, `widthOf(word, fontSize)` measures them, `width` × `height` is
 * the room there is. `fits: false` says that the matrix, at its smallest, is larger than that.
 */
export function layOut({ rows, columns, widthOf, width, height, shrink = false }) {
  const least = shrink ? 2 : smallestCell;
  let layout;
  for (const fontSize of [15, 13, 11]) {
    layout = withFont({ rows, columns, widthOf, width, height, fontSize, least });
    if (layout.cell >= 2.4 * fontSize) break;
  }
  return layout;
}

function withFont({ rows, columns, widthOf, width, height, fontSize, least }) {
  const longest = (words) =>
    words.reduce((most, word) => Math.max(most, widthOf(word, fontSize)), 0);
  const rowLabel = Math.min(stepped(longest(rows)), Math.max(56, Math.floor(0.3 * width)), 168);
  const longestColumn = longest(columns);
  const columnLabel = Math.min(stepped(longestColumn), 112);
  const left = padding + rowLabel + labelGap;

  // Level labels if every one fits above its column, slanted ones otherwise.
  const level = cellFor({ top: padding + fontSize + labelGap, right: padding });
  if (longestColumn <= level.cell - 8) return finish(level, { slanted: false });

  const top = padding + Math.ceil(Math.sin(slant) * (columnLabel + fontSize)) + labelGap;
  let slanted = cellFor({ top, right: padding });
  for (let cell = slanted.cell; cell >= least; --cell) {
    slanted = { cell, top, right: overhang(cell) };
    if (left + cell * columns.length + slanted.right <= width) break;
  }
  return finish(slanted, { slanted: true });

  function cellFor({ top, right }) {
    const across = (width - left - right) / columns.length;
    const down = (height - top - padding) / rows.length;
    const cell = Math.max(least, Math.min(largestCell, Math.floor(Math.min(across, down))));
    return { cell, top, right };
  }

  // How far slanted labels reach beyond the last column.
  function overhang(cell) {
    let reach = padding;
    columns.forEach((word, column) => {
      const label = Math.cos(slant) * Math.min(widthOf(word, fontSize), columnLabel);
      reach = Math.max(reach, label + fontSize - (columns.length - column - 0.5) * cell);
    });
    return Math.ceil(reach);
  }

  function finish({ cell, top, right }, { slanted }) {
    const total = {
      width: left + cell * columns.length + right,
      height: top + cell * rows.length + padding,
    };
    const fits = total.width <= width && total.height <= height;
    return {
      cell,
      fontSize,
      slanted,
      fits,
      rowLabel,
      columnLabel,
      labelGap,
      left: left + middle(width - total.width),
      top: top + middle(height - total.height),
      total,
    };
  }
}

// A matrix smaller than its room stands in the middle of it.
function middle(spare) {
  return Math.max(0, Math.floor(spare / 2));
}

// In steps, so that a label growing while it is typed does not move the matrix at every letter.
function stepped(length) {
  return Math.ceil(length / 12) * 12;
}
