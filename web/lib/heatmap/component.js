// The heat map on a canvas: one state, drawn again when it changes.

import { canDraw } from './can_draw.js';
import { keepSize } from './canvas_size.js';
import { createDrawing } from './draw.js';
import { listenToGestures, pointOf } from './gestures.js';
import { createLabels, estimateWidth } from './labels.js';
import { createLayers, noLayers } from './layers.js';
import {
  arrange,
  boxOf,
  cellAt,
  clamp,
  everything,
  keepMiddle,
  maxZoom,
  reveal,
  settle,
  zoomAt,
} from './layout.js';
import { createMatrix } from './matrix.js';
import { formatValue } from './number_formats.js';
import { readHeatmapOptions } from './options.js';
import { createSemantics } from './semantics.js';
import { layOutFor, lookOf, paintPNG, plainTheme, writeSVG } from './still.js';
import { watchSurroundings } from './surroundings.js';
import { readTheme } from './theme.js';

export function heatmap(canvas, options) {
  let given = readHeatmapOptions('heatmap', options);
  let matrix = createMatrix(given);
  let selected = within(given.selected ?? { row: 0, column: 0 });
  let hovered = null;
  let theme;
  let labels;
  let look; // the matrix in its colours and letters
  let layout;
  let arranged; // where the cells are now
  let view = everything;
  let told;
  const isDrawn = canDraw(canvas);
  const layers = isDrawn ? createLayers(canvas) : noLayers;
  const semantics = createSemantics(canvas);

  // ---- from the state to the canvas ---------------------------------------------------------------

  /** `always`: even if the surroundings are as they were. */
  function refresh(always) {
    const another = [takeTheme(), layers.takeSize()].some(Boolean);
    if (!another && !always) return;
    look = lookIn(theme);
    layers.write(theme.family);
    say();
    // Out of the page, or hidden there: as it was, until it is back.
    if (!layers.size.width || !layers.size.height) return;
    arrangeAnew();
    draw();
  }

  /** Whether the colours or the letters are others than last time. */
  function takeTheme() {
    const next = isDrawn ? readTheme(canvas, semantics.probe) : plainTheme(false);
    if (JSON.stringify(next) === JSON.stringify(theme)) return false;
    theme = next;
    labels = createLabels(isDrawn ? layers.measure(next.family) : estimateWidth);
    return true;
  }

  function lookIn(colors) {
    return lookOf(given, matrix, colors, labels);
  }

  // A picture for a file has the page's colours, unless others are asked for.
  function inColors(dark) {
    return dark === undefined ? look : lookIn(plainTheme(dark, theme.family));
  }

  function sheet({ width = layers.size.width || 640, height, selected: marked = true }) {
    return { width, height, selected: marked ? selected : null };
  }

  function arrangeAnew() {
    const before = arranged;
    layout = layOutFor(look, layers.size);
    const zoom = clamp(view.zoom, 1, maxZoom(layout));
    const isMoved = before && (before.width !== layout.width || before.height !== layout.height);
    const move = isMoved && zoom > 1 ? keepMiddle : settle;
    view = move(layout, { ...view, zoom }, before);
  }

  function draw() {
    arranged = arrange(layout, view);
    layers.drawBelow((painter) => createDrawing(painter, arranged, look).matrix());
    drawPointed();
    canvas.style.touchAction = isZoomed() ? 'none' : 'pan-x pan-y';
    const facts = { zoom: view.zoom, mostZoom: maxZoom(layout), cell: arranged.cell };
    const key = JSON.stringify(facts);
    if (key === told) return;
    told = key;
    given.onView?.(facts);
  }

  function drawPointed() {
    // Not yet drawn, in a page that has no room for it.
    if (!arranged) return;
    layers.drawAbove((painter) => {
      const cell = pointed();
      if (cell) createDrawing(painter, arranged, look).crossHair(cell, selected);
    });
  }

  function say() {
    semantics.say(given.label, matrix, selected, selected ? describe() : 'Nothing to see');
  }

  function describe() {
    const facts = matrix.factsOf(selected);
    if (given.describe) return given.describe(facts);
    const value = facts.unseen ? 'not seen' : formatValue(facts.value);
    return `${facts.rowLabel} → ${facts.columnLabel}: ${value}`;
  }

  // ---- cells --------------------------------------------------------------------------------------

  function within(cell) {
    if (!cell || matrix.values.length === 0) return null;
    return {
      row: clamp(cell.row, 0, matrix.rows - 1),
      column: clamp(cell.column, 0, matrix.columns - 1),
    };
  }

  function pointed() {
    return hovered ? within({ ...selected, ...hovered }) : selected;
  }

  function partAt(point) {
    return selected && arranged ? cellAt(arranged, point) : null;
  }

  // ---- what changes the state ---------------------------------------------------------------------

  /** `tell`: somebody did it. */
  function select(cell, tell) {
    const next = within(cell);
    if (!next) return;
    const isSame = isAt(next, selected);
    selected = next;
    if (!isSame) say();
    // Without drawing the matrix again, unless it scrolls.
    if (layout && !setView(reveal(layout, view, next))) drawPointed();
    if (tell) given.onSelect?.(matrix.factsOf(next));
  }

  function hover(part, tell) {
    const isSame = isAt(part, hovered);
    hovered = part;
    if (isSame) return;
    drawPointed();
    if (!tell) return;
    const cell = pointed();
    given.onHover?.(part && cell ? matrix.factsOf(cell) : null);
  }

  /** Whether it is another view. */
  function setView(next) {
    if (['zoom', 'x', 'y'].every((name) => next[name] === view[name])) return false;
    view = next;
    draw();
    return true;
  }

  function zoomBy(factor, point) {
    if (!arranged) return;
    setView(factor === 0 ? everything : zoomAt(layout, view, factor, point ?? middle()));
  }

  /** The point that stays where it is: the selected cell, if it is in sight. */
  function middle() {
    const { frame } = arranged;
    const box = selected && boxOf(arranged, selected);
    const isInSight = (at, length) =>
      box[at] + box[length] > frame[at] && box[at] < frame[at] + frame[length];
    const { x, y, width, height } =
      box && isInSight('x', 'width') && isInSight('y', 'height') ? box : frame;
    return { x: x + width / 2, y: y + height / 2 };
  }

  function isZoomed() {
    return view.zoom > 1;
  }

  const stopListening = listenToGestures(canvas, {
    isZoomed,
    zoom: zoomBy,
    hover: (point) => hover(point && partAt(point), true),
    choose(point) {
      const part = partAt(point);
      if (part) select({ ...selected, ...part }, true);
    },
    go(target) {
      hovered = null;
      select(target, true);
    },
    pan: (x, y) => setView(settle(layout, { ...view, x: view.x + x, y: view.y + y })),
    position() {
      const page = arranged
        ? Math.max(1, Math.floor(arranged.frame.height / arranged.cell) - 1)
        : 1;
      return { selected, rows: matrix.rows, columns: matrix.columns, page };
    },
  });

  const leave = new AbortController();
  const { signal } = leave;
  signal.addEventListener('abort', stopListening);
  if (isDrawn) {
    signal.addEventListener('abort', keepSize(canvas));
    watchSurroundings(canvas, () => refresh(), signal);
  }
  document.fonts?.ready.then(() => {
    if (!signal.aborted) refresh(true);
  });
  refresh(true);

  return {
    update(next) {
      const wanted = readHeatmapOptions('heatmap', next, given);
      const { rows, columns } = matrix;
      matrix = createMatrix(wanted);
      given = wanted;
      selected = within(next.selected ?? selected ?? { row: 0, column: 0 });
      if (rows !== matrix.rows || columns !== matrix.columns) {
        hovered = null;
        view = everything;
      }
      refresh(true);
    },
    get selected() {
      return selected && { ...selected };
    },
    select: (cell) => select(cell),
    hover: (part) => hover(part),
    zoomBy: (factor) => zoomBy(factor),
    fit: () => zoomBy(0),
    cellAt: (event) => partAt(pointOf(canvas, event)),
    boxOf: (cell) => (arranged && selected ? boxOf(arranged, within(cell)) : null),
    heightFor(width) {
      const { ratio = 1 } = layers.size;
      return layOutFor(look, { width, ratio, height: Infinity }).height;
    },
    toPNG: async ({ ratio = 2, dark, ...paper } = {}) =>
      paintPNG(inColors(dark), { ratio, ...sheet(paper) }),
    toSVG: ({ dark, ...paper } = {}) => writeSVG(inColors(dark), sheet(paper)),
    destroy() {
      leave.abort();
      semantics.remove();
    },
  };
}

const isAt = (one, other) => one?.row === other?.row && one?.column === other?.column;
