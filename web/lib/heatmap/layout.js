// The layout, in CSS pixels. layOut() decides once for a matrix and a room: how much of it
// the labels take, and the size at which all cells are in sight. arrange() then says, for a zoom and a place,
// where the cells are. Cells are whole device pixels, or many to a pixel, so that none is blurred.

export const slant = Math.PI / 4;
export const largestCell = 64;
export const everything = { zoom: 1, x: 0, y: 0 }; // the view of all of it

export const margin = 4;
export const labelGap = 8; // between a label and its row or column
export const legendLine = 22;
export const legendGap = 12;

/**
 * matrix: { rows, columns, rowTexts, columnTexts }; `widthOf(text, size)` measures; `ratio`: device
 * pixels per CSS pixel; `height` may be left out: as much as it takes.
 */
export function layOut({
  matrix,
  widthOf,
  width,
  height = Infinity,
  ratio,
  labels,
  legend,
  captions,
}) {
  const { rows, columns, rowTexts, columnTexts } = matrix;
  const narrow = width < 720;
  const below = legend ? legendGap + legendLine * (narrow ? 2 : 1) : margin;
  let made;
  // The larger letters only where cells are large too.
  for (const fontSize of [14, 12]) {
    made = labels
      ? withLabels(fontSize)
      : finish({ fontSize, left: 0, top: 0, right: 0, bare: true });
    if (made.exact >= 30 * ratio) break;
  }
  return made;

  function withLabels(fontSize) {
    // As wide as they become when they are pointed at.
    const widthsOf = (list) => list.map((text) => widthOf(text, fontSize, 600));
    const longest = (widths) => widths.reduce((max, width) => Math.max(max, width), 0);
    const columnWidths = widthsOf(columnTexts);
    const rowLabel = Math.min(
      stepped(longest(widthsOf(rowTexts))),
      Math.max(56, Math.floor(0.3 * width)),
      168,
    );
    const longestColumn = longest(columnWidths);
    const left = margin + rowLabel + labelGap + 4;
    // Level labels if every one fits above its column, slanted ones otherwise.
    const level = finish({
      fontSize,
      left,
      top: margin + fontSize + labelGap + (captions ? 14 : 4),
      right: margin,
      rowLabel,
    });
    if (longestColumn <= level.exact / ratio - 8) return level;

    const columnLabel = Math.min(stepped(longestColumn), 112);
    const top = margin + Math.ceil(Math.sin(slant) * (columnLabel + fontSize)) + labelGap;
    const slanted = { fontSize, left, top, rowLabel, columnLabel, slanted: true };
    // What reaches beyond the matrix makes it smaller, which makes more reach beyond.
    let right = margin;
    for (let round = 0; round < 3; round++) {
      right = overhang(columnWidths, finish({ ...slanted, right }).exact / ratio, slanted);
    }
    return finish({ ...slanted, right });
  }

  // How far slanted labels reach beyond the last column.
  function overhang(columnWidths, cell, { columnLabel, fontSize }) {
    let reach = margin;
    columnWidths.forEach((width, column) => {
      const label = Math.cos(slant) * Math.min(width, columnLabel);
      reach = Math.max(reach, label + fontSize - (columns - column - 0.5) * cell);
    });
    return Math.min(Math.ceil(reach), Math.floor(0.25 * width));
  }

  function finish({ left, top, right, bare = false, ...rest }) {
    const room = {
      x: left,
      y: top,
      width: Math.max(1, width - left - right),
      height: Math.max(1, height - top - below),
    };
    const across = (room.width * ratio) / Math.max(1, columns);
    const down = (room.height * ratio) / Math.max(1, rows);
    const exact = Math.min(bare ? Infinity : largestCell * ratio, across, down);
    const cell = cellOf(exact, ratio).cell;
    return {
      ...rest,
      width,
      height: Number.isFinite(height) ? height : Math.ceil(top + rows * cell + below),
      room: { ...room, height: Number.isFinite(height) ? room.height : rows * cell },
      exact,
      ratio,
      rows,
      columns,
      legend,
      narrow,
      labels,
    };
  }
}

/** From an exact size in device pixels to one that is sharp; where it is less than one, `bin` cells share a pixel. */
function cellOf(exact, ratio) {
  if (exact >= 1) return { cell: Math.floor(exact + 1e-6) / ratio, bin: 1 };
  return { cell: exact / ratio, bin: 1 / exact };
}

/** How many pixels so many cells are. */
export function pixelCount(cells, bin) {
  return Math.ceil(cells / bin - 1e-6);
}

/** The largest zoom: cells large enough to have their numbers written in them. */
export function maxZoom({ exact, ratio }) {
  return Math.max(1, (Math.min(largestCell, 44) * ratio) / exact);
}

/** view: { zoom, x, y }, x and y being how far the matrix is scrolled. */
export function arrange(layout, view) {
  const { rows, columns, room, exact, ratio } = layout;
  const { cell, bin } = cellOf(
    view.zoom === 1 ? exact : Math.round(exact * view.zoom * 8) / 8,
    ratio,
  );
  const whole = { width: columns * cell, height: rows * cell };
  const frame = {
    width: Math.min(whole.width, room.width),
    height: Math.min(whole.height, room.height),
  };
  // A matrix smaller than its room stands in the middle of it.
  const snap = (length) => Math.floor(length * ratio + 1e-6) / ratio;
  frame.x = room.x + snap((room.width - frame.width) / 2);
  frame.y = room.y + snap((room.height - frame.height) / 2);
  const x = snap(clamp(view.x, 0, whole.width - frame.width));
  const y = snap(clamp(view.y, 0, whole.height - frame.height));
  return {
    ...layout,
    cell,
    bin,
    frame,
    whole,
    x,
    y,
    origin: { x: frame.x - x, y: frame.y - y },
    firstRow: Math.max(0, Math.floor(y / cell)),
    lastRow: Math.min(rows, Math.ceil((y + frame.height) / cell - 1e-6)),
    firstColumn: Math.max(0, Math.floor(x / cell)),
    lastColumn: Math.min(columns, Math.ceil((x + frame.width) / cell - 1e-6)),
    zoom: view.zoom,
    // Labels a line apart: smaller ones before fewer.
    fontSize: cell < 14 ? Math.min(11, layout.fontSize) : layout.fontSize,
    rowStep: Math.max(1, Math.ceil(12 / cell)),
    columnStep: Math.max(1, Math.ceil((layout.slanted ? 16 : 14) / cell)),
    space: cell >= 28 ? 2 : cell >= 6 ? 1 : 0,
    radius: cell >= 28 ? 3 : cell >= 16 ? 2 : 0,
  };
}

/** The view after a zoom by `factor` that leaves the point { x, y } of the canvas where it is. */
export function zoomAt(layout, view, factor, point) {
  const before = arrange(layout, view);
  const zoom = clamp(view.zoom * factor, 1, maxZoom(layout));
  const after = arrange(layout, { ...view, zoom });
  const at = (axis) => ((point[axis] - before.origin[axis]) / before.cell) * after.cell;
  return settle(layout, {
    zoom,
    x: at('x') - (point.x - after.frame.x),
    y: at('y') - (point.y - after.frame.y),
  });
}

/** The view with its place within what can be scrolled. */
export function settle(layout, view) {
  const { x, y } = arrange(layout, view);
  return { zoom: view.zoom, x, y };
}

/** The view in another room that has the same place in its middle. */
export function keepMiddle(layout, view, before) {
  const middle = (axis, length) => (before[axis] + before.frame[length] / 2) / before.whole[length];
  const after = arrange(layout, view);
  return settle(layout, {
    zoom: view.zoom,
    x: middle('x', 'width') * after.whole.width - after.frame.width / 2,
    y: middle('y', 'height') * after.whole.height - after.frame.height / 2,
  });
}

/** The view scrolled just as far as it takes to have a cell in sight, with some of its neighbours. */
export function reveal(layout, view, { row, column }) {
  const { cell, frame, x, y } = arrange(layout, view);
  const into = (at, start, length) => {
    const edge = Math.min(cell, length / 4);
    if (at * cell - edge < start) return at * cell - edge;
    return Math.max(start, (at + 1) * cell + edge - length);
  };
  return settle(layout, {
    zoom: view.zoom,
    x: into(column, x, frame.width),
    y: into(row, y, frame.height),
  });
}

/**
 * The cell at a point: { row, column }; on a label only one of them; null elsewhere.
 */
export function cellAt({ frame, origin, cell, rows, columns }, { x, y }) {
  const index = (at, from, length, start, count) => {
    if (at < from || at >= from + length) return null;
    return Math.min(count - 1, Math.max(0, Math.floor((at - start) / cell)));
  };
  const row = index(y, frame.y, frame.height, origin.y, rows);
  const column = index(x, frame.x, frame.width, origin.x, columns);
  if (row !== null && column !== null) return { row, column };
  if (row !== null && x < frame.x) return { row };
  if (column !== null && y < frame.y && y >= 0) return { column };
  return null;
}

/** Where a cell is: { x, y, width, height } in CSS pixels of the canvas. */
export function boxOf({ origin, cell }, { row, column }) {
  return { x: origin.x + column * cell, y: origin.y + row * cell, width: cell, height: cell };
}

// In steps, so that a label growing while it is typed does not move the matrix at every letter.
function stepped(length) {
  return Math.ceil(length / 12) * 12;
}

export function clamp(value, min, max) {
  return Math.max(min, Math.min(max, value));
}
