// The layout, in CSS pixels. layOut() computes the space for labels and the cell size that shows the whole matrix.
// arrange() computes the positions of cells for a zoom and a scroll position. Cells are whole device pixels, or several
// share a pixel, so that edges are sharp.

/**
 * @typedef {object} Margins the space around the matrix, and what finish() passes on
 * @property {number} left
 * @property {number} top
 * @property {number} right
 * @property {boolean} [bare] without labels
 * @property {number} [preferredWidth] of a cell
 * @property {number} [fontSize]
 * @property {number} [rowLabel] max width of a row's label
 * @property {number} [columnLabel] max length of a slanted label
 * @property {number} [slant] angle of a slanted label
 */

/**
 * @typedef {object} SlantedLabels
 * @property {number} fontSize
 * @property {number} left
 * @property {number} rowLabel max width of a row's label
 * @property {number} longestColumn
 * @property {number[]} columnWidths
 */

// Angles of labels that do not fit above their columns, in the order of preference.
const slants = [45, 60, 75, 90].map((degrees) => (degrees * Math.PI) / 180);
const captionsTop = 64; // min room above slanted columns for two captions below the buttons of <attention-map>
const labelLine = 11.3; // min distance between the lines of slanted labels
const minLabelLine = 9; // min distance between the labels of two rows, 10 pixels high
export const maxCell = 64;
export const minNumberSize = 34; // min width of a cell, in CSS pixels, for its number
export const minShapeSize = 14; // min size of a cell drawn as a shape; smaller cells are pixels of one image
export const fullView = { zoom: 1, x: 0, y: 0 }; // shows the whole matrix

export const margin = 4;
export const labelGap = 8; // between a label and its row or column
export const legendLine = 22;
export const legendGap = 12;

/**
 * matrix: { rows, columns, rowTexts, columnTexts }; `widthOf(text, size)` measures; `ratio`: device
 * pixels per CSS pixel; `height`: by default the height of all rows; `cellAspect`: max width of a cell divided by its
 * height, used as far as numbers and level labels need it.
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
  cellAspect = 1,
}) {
  const { rows, columns, rowTexts, columnTexts } = matrix;
  const compact = width < 720;
  const below = legend ? legendGap + legendLine * (compact ? 2 : 1) : margin;
  const withFont = (/** @type {number} */ fontSize) =>
    labels ? withLabels(fontSize) : finish({ fontSize, left: 0, top: 0, right: 0, bare: true });
  // The larger font only with large cells.
  const large = withFont(14);
  return large.exact >= 30 * ratio ? large : withFont(12);

  function withLabels(fontSize) {
    // In bold, the weight of labels under the pointer.
    const widthsOf = (list) => list.map((text) => widthOf(text, fontSize, 600));
    const longest = (widths) => widths.reduce((max, width) => Math.max(max, width), 0);
    const columnWidths = widthsOf(columnTexts);
    const rowLabel = Math.min(
      roundUp(longest(widthsOf(rowTexts))),
      Math.max(56, Math.floor(0.3 * width)),
      168,
    );
    const longestColumn = longest(columnWidths);
    const left = margin + rowLabel + labelGap + 4;
    // Horizontal labels if each fits above its column, otherwise slanted ones.
    const level = finish({
      fontSize,
      left,
      top: margin + fontSize + labelGap + (captions ? 14 : 4),
      right: margin,
      rowLabel,
      preferredWidth: roundUp(longestColumn) + 9,
    });
    if (longestColumn <= level.exactWidth / ratio - 8) return level;

    // The flattest angle at which every column has room for its label.
    const slanted = slants.map((slant) =>
      withSlant(slant, { fontSize, left, rowLabel, longestColumn, columnWidths }),
    );
    const hasAll = (/** @type {{ exactWidth: number, slant?: number }} */ { exactWidth, slant }) =>
      stepOf(cellOf(exactWidth, ratio).cell, slant) === 1;
    return slanted.find(hasAll) ?? slanted[0];
  }

  function withSlant(
    /** @type {number} */ slant,
    /** @type {SlantedLabels} */ { longestColumn, columnWidths, ...rest },
  ) {
    const columnLabel = Math.min(roundUp(longestColumn), 112);
    const labelRoom =
      margin + Math.ceil(Math.sin(slant) * (columnLabel + rest.fontSize)) + labelGap;
    const top = Math.max(captions ? captionsTop : 0, labelRoom);
    const slanted = { ...rest, top, columnLabel, slant };
    // The overhang of labels makes the matrix smaller, which increases the overhang: iterate.
    let right = margin;
    for (let round = 0; round < 3; round++) {
      right = overhang(columnWidths, finish({ ...slanted, right }).exactWidth / ratio, slanted);
    }
    return finish({ ...slanted, right });
  }

  // Width by which slanted labels extend beyond the last column.
  function overhang(columnWidths, cell, { columnLabel, fontSize, slant }) {
    let reach = margin;
    columnWidths.forEach((width, column) => {
      const label = Math.cos(slant) * Math.min(width, columnLabel);
      reach = Math.max(reach, label + fontSize - (columns - column - 0.5) * cell);
    });
    return Math.min(Math.ceil(reach), Math.floor(0.25 * width));
  }

  /** `preferredWidth`: width of cells in CSS pixels where `cellAspect` allows it. */
  function finish(
    /** @type {Margins} */ { left, top, right, bare = false, preferredWidth = 0, ...rest },
  ) {
    const area = {
      x: left,
      y: top,
      width: Math.max(1, width - left - right),
      height: Math.max(1, height - top - below),
    };
    const across = (area.width * ratio) / Math.max(1, columns);
    const down = (area.height * ratio) / Math.max(1, rows);
    const exact = Math.min(bare ? Infinity : maxCell * ratio, across, down);
    const { cell } = cellOf(exact, ratio);
    const widest = Math.min(across, cellAspect * exact);
    // Cells that share a pixel are square.
    const exactWidth =
      exact >= 1
        ? Math.max(exact, Math.min(widest, Math.max(minNumberSize, preferredWidth) * ratio))
        : exact;
    return {
      ...rest,
      width,
      height: Number.isFinite(height) ? height : Math.ceil(top + rows * cell + below),
      area: { ...area, height: Number.isFinite(height) ? area.height : rows * cell },
      exact,
      exactWidth,
      ratio,
      rows,
      columns,
      legend,
      compact,
      labels,
    };
  }
}

/** Rounds a cell size to whole device pixels. Below 1 pixel, `bin` cells share a pixel. */
function cellOf(exact, ratio) {
  if (exact >= 1) return { cell: Math.floor(exact + 1e-6) / ratio, bin: 1 };
  return { cell: exact / ratio, bin: 1 / exact };
}

/** Distance in columns between two labels, so that they do not overlap. */
function stepOf(cellWidth, slant) {
  return Math.max(1, Math.ceil((slant ? labelLine / Math.sin(slant) : 14) / cellWidth - 1e-6));
}

/** Number of pixels for a number of cells. */
export function pixelCount(cells, bin) {
  return Math.ceil(cells / bin - 1e-6);
}

/** The maximum zoom: cells large enough for their numbers. */
export function maxZoom({ exact, ratio }) {
  return Math.max(1, (Math.min(maxCell, 44) * ratio) / exact);
}

/** Positions of all cells in a view { zoom, x, y }; x and y: scroll position in CSS pixels. */
export function arrange(layout, view) {
  const { rows, columns, area, exact, exactWidth, ratio } = layout;
  const zoomed = (length) => (view.zoom === 1 ? length : Math.round(length * view.zoom * 8) / 8);
  const { cell, bin } = cellOf(zoomed(exact), ratio);
  const { cell: cellWidth } = cellOf(zoomed(exactWidth), ratio);
  const extent = { width: columns * cellWidth, height: rows * cell };
  const frame = {
    width: Math.min(extent.width, area.width),
    height: Math.min(extent.height, area.height),
  };
  // A matrix smaller than its area is centered.
  const snap = (length) => Math.floor(length * ratio + 1e-6) / ratio;
  frame.x = area.x + snap((area.width - frame.width) / 2);
  frame.y = area.y + snap((area.height - frame.height) / 2);
  const x = snap(clamp(view.x, 0, extent.width - frame.width));
  const y = snap(clamp(view.y, 0, extent.height - frame.height));
  return {
    ...layout,
    cell, // height of a cell
    cellWidth,
    bin,
    frame,
    extent,
    x,
    y,
    origin: { x: frame.x - x, y: frame.y - y },
    firstRow: Math.max(0, Math.floor(y / cell)),
    lastRow: Math.min(rows, Math.ceil((y + frame.height) / cell - 1e-6)),
    firstColumn: Math.max(0, Math.floor(x / cellWidth)),
    lastColumn: Math.min(columns, Math.ceil((x + frame.width) / cellWidth - 1e-6)),
    zoom: view.zoom,
    // At least a line per label: first a smaller font, then fewer labels.
    fontSize: cell < 14 ? Math.min(cell < 12 ? 10 : 11, layout.fontSize) : layout.fontSize,
    rowStep: Math.max(1, Math.ceil(minLabelLine / cell)),
    columnStep: stepOf(cellWidth, layout.slant),
    space: cell >= 28 ? 2 : cell >= 6 ? 1 : 0,
    radius: cell >= 28 ? 3 : cell >= 16 ? 2 : 0,
  };
}

/** The view after a zoom by `factor` around the point { x, y } of the canvas. */
export function zoomAt(layout, view, factor, point) {
  const before = arrange(layout, view);
  const zoom = clamp(view.zoom * factor, 1, maxZoom(layout));
  const after = arrange(layout, { ...view, zoom });
  const at = (axis, side) => ((point[axis] - before.origin[axis]) / before[side]) * after[side];
  return clampView(layout, {
    zoom,
    x: at('x', 'cellWidth') - (point.x - after.frame.x),
    y: at('y', 'cell') - (point.y - after.frame.y),
  });
}

/** The view with its scroll position clamped to the matrix. */
export function clampView(layout, view) {
  const { x, y } = arrange(layout, view);
  return { zoom: view.zoom, x, y };
}

/** The view in a resized area that keeps the same position in the center. */
export function keepCenter(layout, view, before) {
  const middle = (axis, length) =>
    (before[axis] + before.frame[length] / 2) / before.extent[length];
  const after = arrange(layout, view);
  return clampView(layout, {
    zoom: view.zoom,
    x: middle('x', 'width') * after.extent.width - after.frame.width / 2,
    y: middle('y', 'height') * after.extent.height - after.frame.height / 2,
  });
}

/** The view scrolled by the minimum that makes a cell, and part of its neighbors, visible. */
export function reveal(layout, view, { row, column }) {
  const { cell, cellWidth, frame, x, y } = arrange(layout, view);
  const into = (at, side, start, length) => {
    const edge = Math.min(side, length / 4);
    if (at * side - edge < start) return at * side - edge;
    return Math.max(start, (at + 1) * side + edge - length);
  };
  return clampView(layout, {
    zoom: view.zoom,
    x: into(column, cellWidth, x, frame.width),
    y: into(row, cell, y, frame.height),
  });
}

/**
 * The cell at a point: { row, column }, or only one of them on a label; null elsewhere.
 */
export function cellAt({ frame, origin, cell, cellWidth, rows, columns }, { x, y }) {
  const index = (at, from, length, start, side, count) => {
    if (at < from || at >= from + length) return null;
    return Math.min(count - 1, Math.max(0, Math.floor((at - start) / side)));
  };
  const row = index(y, frame.y, frame.height, origin.y, cell, rows);
  const column = index(x, frame.x, frame.width, origin.x, cellWidth, columns);
  if (row !== null && column !== null) return { row, column };
  if (row !== null && x < frame.x) return { row };
  if (column !== null && y < frame.y && y >= 0) return { column };
  return null;
}

/** The box of a cell: { x, y, width, height } in CSS pixels of the canvas. */
export function boxOf({ origin, cell, cellWidth }, { row, column }) {
  const corner = { x: origin.x + column * cellWidth, y: origin.y + row * cell };
  return { ...corner, width: cellWidth, height: cell };
}

// In steps of 12 pixels, so that a label that grows while a user types does not move the matrix at every character.
function roundUp(length) {
  return Math.ceil(length / 12) * 12;
}

export function clamp(value, min, max) {
  return Math.max(min, Math.min(max, value));
}
