// The heat map on a canvas: one state, drawn again when it changes. What stays while the pointer moves is
// drawn once on a canvas of its own; the cross-hair goes on a copy of that.

import { createCanvasPainter, createMeasure } from './canvas_painter.js';
import { drawCrossHair, drawMatrix } from './draw.js';
import { listenToGestures, pointOf } from './gestures.js';
import { createLabels } from './labels.js';
import {
  arrange,
  boxOf,
  cellAt,
  clamp,
  keepMiddle,
  layOut,
  mostZoom,
  reveal,
  settle,
  zoomAt,
} from './layout.js';
import { createMatrix } from './matrix.js';
import { formatValue } from './numbers.js';
import { readHeatmapOptions } from './options.js';
import { createRamp } from './ramp.js';
import { createSemantics } from './semantics.js';
import { createSVGPainter } from './svg_painter.js';
import { readTheme } from './theme.js';
import { keepSize } from './canvas_size.js';

export function heatmap(canvas, options) {
  let given = readHeatmapOptions('heatmap', options);
  let matrix = createMatrix(given);
  const context = canvas.getContext('2d');
  const base = document.createElement('canvas');
  const baseContext = base.getContext('2d');
  const semantics = createSemantics(canvas);
  const releaseSize = keepSize(canvas);

  let size = { width: 0, height: 0, ratio: 1 };
  let theme, themeKey, labels, ramp, layout, scene, painters;
  let view = { zoom: 1, x: 0, y: 0 };
  let selected = within(given.selected ?? { row: 0, column: 0 });
  let hovered = null;
  let told = '';

  // ---- from the state to the canvas ---------------------------------------------------------------

  /** Whether the colours or the letters are others than last time. */
  function takeTheme() {
    const next = readTheme(canvas, semantics.probe);
    const key = JSON.stringify(next);
    if (key === themeKey) return false;
    [theme, themeKey] = [next, key];
    labels = createLabels(createMeasure(baseContext, theme.family));
    painters = null;
    return true;
  }

  function takeSize() {
    const ratio = window.devicePixelRatio || 1;
    const { clientWidth: width, clientHeight: height } = canvas;
    if (width === size.width && height === size.height && ratio === size.ratio) return false;
    size = { width, height, ratio };
    return true;
  }

  const makeRamp = () =>
    createRamp({ colors: given.colors, surface: theme.rgb.surface, signed: matrix.signed });
  const layOutFor = (room) =>
    layOut({
      matrix,
      widthOf: labels.widthOf,
      labels: given.labels,
      legend: given.legend,
      captions: Boolean(given.rowTitle || given.columnTitle),
      ...room,
    });

  function arrangeAll() {
    layout = layOutFor(size);
    const zoom = clamp(view.zoom, 1, mostZoom(layout));
    const isMoved = scene && (scene.width !== layout.width || scene.height !== layout.height);
    const move = isMoved && zoom > 1 ? keepMiddle : settle;
    view = move(layout, { ...view, zoom }, scene);
  }

  function drawAll() {
    const { width, height, ratio } = size;
    for (const [one, own] of [
      [base, baseContext],
      [canvas, context],
    ]) {
      const [w, h] = [width, height].map((length) => Math.round(length * ratio));
      if (one.width !== w || one.height !== h) Object.assign(one, { width: w, height: h });
      own.setTransform(ratio, 0, 0, ratio, 0, 0);
    }
    painters ??= [baseContext, context].map((own) =>
      createCanvasPainter(own, { family: theme.family, labels, ratio }),
    );
    scene = arrange(layout, view);
    baseContext.clearRect(0, 0, width, height);
    drawMatrix(painters[0], {
      scene,
      matrix,
      ramp,
      theme,
      texts: given,
      labels,
      numbers: given.numbers,
    });
    drawPointed();
    canvas.style.touchAction = view.zoom > 1 ? 'none' : 'pan-x pan-y';
    tellView();
  }

  function drawPointed() {
    if (!painters || base.width === 0 || base.height === 0) return;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(base, 0, 0);
    context.setTransform(size.ratio, 0, 0, size.ratio, 0, 0);
    const cell = pointed();
    if (cell) {
      drawCrossHair(painters[1], { scene, matrix, theme, labels, texts: given, cell, selected });
    }
  }

  function pointed() {
    return hovered ? within({ ...selected, ...hovered }) : selected;
  }

  function say() {
    const text = selected ? describe(selected) : 'Nothing to see';
    semantics.say({
      label: given.label,
      rows: matrix.rows,
      columns: matrix.columns,
      selected,
      text,
    });
  }

  function describe({ row, column }) {
    const facts = factsOf({ row, column });
    if (given.describe) return given.describe(facts);
    const value = facts.unseen ? 'not seen' : formatValue(facts.value);
    return `${facts.rowLabel} → ${facts.columnLabel}: ${value}`;
  }

  function factsOf({ row, column }) {
    const at = row * matrix.columns + column;
    return {
      row,
      column,
      value: matrix.values[at],
      unseen: matrix.isUnseen(at),
      rowLabel: matrix.rowLabels[row],
      columnLabel: matrix.columnLabels[column],
    };
  }

  function within(cell) {
    if (!cell || matrix.rows === 0 || matrix.columns === 0) return null;
    return {
      row: clamp(cell.row, 0, matrix.rows - 1),
      column: clamp(cell.column, 0, matrix.columns - 1),
    };
  }

  function refresh({ always = true } = {}) {
    const another = [takeTheme(), takeSize()].some(Boolean);
    if (!another && !always) return;
    painters = null;
    ramp = makeRamp();
    say();
    // Out of the page, or hidden there: as it was, until it is back.
    if (size.width === 0 || size.height === 0) return;
    arrangeAll();
    drawAll();
  }

  // ---- what changes the state ---------------------------------------------------------------------

  function setView(next) {
    if (next.zoom === view.zoom && next.x === view.x && next.y === view.y) return false;
    view = next;
    drawAll();
    return true;
  }

  function tellView() {
    const facts = { zoom: view.zoom, mostZoom: mostZoom(layout), cell: scene.cell };
    const key = JSON.stringify(facts);
    if (key === told) return;
    told = key;
    given.onView?.(facts);
  }

  function zoomBy(factor, point) {
    if (!scene) return;
    if (factor === 0) {
      setView({ zoom: 1, x: 0, y: 0 });
      return;
    }
    const { frame } = scene;
    const center = { x: frame.x + frame.width / 2, y: frame.y + frame.height / 2 };
    const box = selected && boxOf(scene, selected);
    const isInSight =
      box &&
      box.x + box.width > frame.x &&
      box.x < frame.x + frame.width &&
      box.y + box.height > frame.y &&
      box.y < frame.y + frame.height;
    const onCell = isInSight && { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    setView(zoomAt(layout, view, factor, point ?? (onCell || center)));
  }

  function select(cell, { tell = false } = {}) {
    const next = within(cell);
    if (!next) return;
    const isSame = next.row === selected.row && next.column === selected.column;
    selected = next;
    if (!isSame) say();
    // Without drawing the matrix again, unless it scrolls.
    if (layout && !setView(reveal(layout, view, next))) drawPointed();
    if (tell) given.onSelect?.(factsOf(next));
  }

  function hover(part, { tell = false } = {}) {
    const isSame = part?.row === hovered?.row && part?.column === hovered?.column;
    hovered = part;
    if (isSame) return;
    drawPointed();
    if (!tell) return;
    const cell = pointed();
    given.onHover?.(part && cell ? factsOf(cell) : null);
  }

  const stopGestures = listenToGestures(canvas, {
    hover: (point) =>
      hover(point && scene && matrix.values.length > 0 ? cellAt(scene, point) : null, {
        tell: true,
      }),
    choose(point) {
      const part = scene && cellAt(scene, point);
      if (part && selected) select({ ...selected, ...part }, { tell: true });
    },
    go(target) {
      hovered = null;
      select(target, { tell: true });
    },
    pan: (x, y) => setView(settle(layout, { ...view, x: view.x + x, y: view.y + y })),
    zoom: zoomBy,
    isZoomed: () => view.zoom > 1,
    position: () => ({
      selected,
      rows: matrix.rows,
      columns: matrix.columns,
      page: scene ? Math.max(1, Math.floor(scene.frame.height / scene.cell) - 1) : 1,
    }),
  });

  // ---- what the picture depends on besides --------------------------------------------------------

  const watching = new AbortController();
  const look = () => refresh({ always: false });
  const resizing = new ResizeObserver(look);
  resizing.observe(canvas);
  const styling = new MutationObserver(look);
  for (const element of [document.documentElement, document.body]) {
    styling.observe(element, { attributes: true });
  }
  // Paper has its own colours, and is printed as soon as this returns.
  for (const query of ['(prefers-color-scheme: dark)', 'print']) {
    matchMedia(query).addEventListener('change', look, { signal: watching.signal });
  }
  document.fonts?.ready.then(() => {
    if (!watching.signal.aborted) refresh();
  });

  refresh();

  return {
    update(next) {
      const wanted = readHeatmapOptions('heatmap', next, given);
      const nextMatrix = createMatrix(wanted);
      const isOther = nextMatrix.rows !== matrix.rows || nextMatrix.columns !== matrix.columns;
      [given, matrix] = [wanted, nextMatrix];
      selected = within(next.selected ?? selected ?? { row: 0, column: 0 });
      if (isOther) {
        hovered = null;
        view = { zoom: 1, x: 0, y: 0 };
      }
      refresh();
    },
    select: (cell) => select(cell),
    hover: (cell) => hover(cell),
    get selected() {
      return selected && { ...selected };
    },
    zoomBy: (factor) => zoomBy(factor),
    fit: () => zoomBy(0),
    cellAt(event) {
      return scene && selected && cellAt(scene, pointOf(canvas, event));
    },
    boxOf: (cell) => (scene && matrix.values.length > 0 ? boxOf(scene, within(cell)) : null),
    heightFor: (width) => layOutFor({ width, ratio: size.ratio, height: Infinity }).height,
    async toPNG({ ratio = 2, selected: marked = true, ...room } = {}) {
      const width = room.width ?? (size.width || 640);
      const fitted = layOutFor({ width, height: room.height, ratio });
      const picture = document.createElement('canvas');
      Object.assign(picture, {
        width: Math.round(width * ratio),
        height: Math.round(fitted.height * ratio),
      });
      const own = picture.getContext('2d');
      own.scale(ratio, ratio);
      own.fillStyle = theme.surface;
      own.fillRect(0, 0, width, fitted.height);
      paintWhole(createCanvasPainter(own, { family: theme.family, labels, ratio }), fitted, marked);
      return new Promise((resolve, reject) => {
        picture.toBlob((blob) => {
          if (blob) resolve(blob);
          else
            reject(
              new Error(`a picture of ${picture.width} × ${picture.height} pixels is too large`),
            );
        });
      });
    },
    toSVG({ selected: marked = true, ...room } = {}) {
      const width = room.width ?? (size.width || 640);
      const fitted = layOutFor({ width, height: room.height, ratio: 1 });
      const painter = createSVGPainter({
        family: theme.family,
        labels,
        width,
        height: fitted.height,
        surface: theme.surface,
        title: given.label,
      });
      paintWhole(painter, fitted, marked);
      return painter.document();
    },
    destroy() {
      stopGestures();
      watching.abort();
      resizing.disconnect();
      styling.disconnect();
      semantics.remove();
      releaseSize();
    },
  };

  // All of the matrix, whatever is in sight now.
  function paintWhole(painter, fitted, marked) {
    const whole = arrange(fitted, { zoom: 1, x: 0, y: 0 });
    const facts = { scene: whole, matrix, ramp, theme, texts: given, labels };
    drawMatrix(painter, { ...facts, numbers: given.numbers });
    if (marked && selected) drawCrossHair(painter, { ...facts, cell: selected, selected });
  }
}
