// The heat map on a canvas. Its state is options, selection and viewport; every change redraws it.

import { canDraw } from './can_draw.js';
import { keepSize } from './canvas_size.js';
import { createDrawing } from './draw.js';
import { listenToGestures, pointOf } from './gestures.js';
import { createLabels, estimateWidth } from './labels.js';
import { createLayers, noLayers } from './layers.js';
import { boxOf, cellAt, clamp } from './layout.js';
import { createMatrix } from './matrix.js';
import { formatsOf } from './number_formats.js';
import { readHeatmapOptions } from './options.js';
import { createSemantics } from './semantics.js';
import { layoutFor, createStyle, paintPNG, plainTheme, writeSVG } from './static_picture.js';
import { watchEnvironment } from './environment.js';
import { readTheme } from './theme.js';
import { Viewport } from './viewport.js';

/**
 * @typedef {{ row: number, column: number }} Cell
 * @typedef {{ width?: number, height?: number, selected?: boolean, dark?: boolean }} Paper
 */

// Public methods are arrow functions, bound to the instance: a React effect can `return map.destroy`.
class CanvasHeatmap {
  #canvas;
  #options;
  #matrix;
  /** @type {Cell | null} */
  #selected; // null without cells
  /** @type {Cell | null} */
  selected = null;
  /** @type {Partial<Cell> | null} */
  #hovered = null; // under the pointer
  #theme;
  #labels;
  #style; // see createStyle()
  #viewport = new Viewport();
  #reportedView;
  #canDraw;
  #layers;
  #semantics;
  #destroyed = new AbortController();

  constructor(canvas, options) {
    this.#canvas = canvas;
    this.#options = readHeatmapOptions('heatmap', options);
    this.#matrix = createMatrix(this.#options);
    this.#selected = this.#clampCell(this.#options.selected ?? { row: 0, column: 0 });
    this.#canDraw = canDraw(canvas);
    this.#layers = this.#canDraw ? createLayers(canvas) : noLayers;
    this.#semantics = createSemantics(canvas);
    // A property of the instance, so that it works behind a proxy as the methods do.
    Object.defineProperty(this, 'selected', {
      enumerable: true,
      get: () => this.#selected && { ...this.#selected },
    });
    this.#listen();
    this.#refresh(true);
  }

  update = (changes) => {
    const options = readHeatmapOptions('heatmap', changes, this.#options);
    const { rows, columns } = this.#matrix;
    this.#matrix = createMatrix(options);
    this.#options = options;
    this.#selected = this.#clampCell(changes.selected ?? this.#selected ?? { row: 0, column: 0 });
    if (rows !== this.#matrix.rows || columns !== this.#matrix.columns) {
      this.#hovered = null;
      this.#viewport.reset();
    }
    this.#refresh(true);
  };

  select = (cell) => this.#select(cell);
  hover = (target) => this.#hover(target);
  zoomBy = (factor) => this.#zoomBy(factor);
  fit = () => this.#zoomBy(0);
  cellAt = (event) => this.#targetAt(pointOf(this.#canvas, event));

  boxOf = (cell) => {
    const { scene } = this.#viewport;
    const clamped = this.#clampCell(cell);
    return scene && clamped ? boxOf(scene, clamped) : null;
  };

  heightFor = (width) => {
    const { ratio = 1 } = this.#layers.size;
    return layoutFor(this.#style, { width, ratio, height: Infinity }).height;
  };

  toPNG = async (/** @type {Paper & { ratio?: number }} */ { ratio = 2, dark, ...paper } = {}) =>
    paintPNG(this.#styleFor(dark), { ratio, ...this.#paperOf(paper) });

  toSVG = (/** @type {Paper} */ { dark, ...paper } = {}) =>
    writeSVG(this.#styleFor(dark), this.#paperOf(paper));

  destroy = () => {
    this.#destroyed.abort();
    this.#semantics.remove();
  };

  // ---- from the state to the canvas ---------------------------------------------------------------

  /** Redraws if theme or size changed, or `always`. */
  #refresh(always) {
    const isOther = [this.#updateTheme(), this.#layers.updateSize()].some(Boolean);
    if (!isOther && !always) return;
    this.#style = this.#styleIn(this.#theme);
    this.#layers.setFont(this.#theme.family);
    this.#announce();
    // A canvas without a size, hidden or outside the page, keeps its picture.
    const { size } = this.#layers;
    if (!size.width || !size.height) return;
    this.#viewport.layOut(layoutFor(this.#style, size));
    this.#draw();
  }

  /** Reads the theme; returns whether it changed. */
  #updateTheme() {
    const theme = this.#canDraw
      ? readTheme(this.#canvas, () => this.#semantics.probe)
      : plainTheme(false);
    if (JSON.stringify(theme) === JSON.stringify(this.#theme)) return false;
    this.#theme = theme;
    this.#labels = createLabels(this.#canDraw ? this.#layers.measure(theme.family) : estimateWidth);
    return true;
  }

  #styleIn(theme) {
    return createStyle(this.#options, this.#matrix, theme, this.#labels);
  }

  // Pictures for files have the page's colors by default.
  #styleFor(dark) {
    return dark === undefined ? this.#style : this.#styleIn(plainTheme(dark, this.#theme.family));
  }

  #paperOf(
    /** @type {Paper} */ {
      width = this.#layers.size.width || 640,
      height,
      selected: marked = true,
    },
  ) {
    return { width, height, selected: marked ? this.#selected : null };
  }

  #draw() {
    const { scene, isZoomed, facts } = this.#viewport;
    this.#layers.drawBelow((painter) => createDrawing(painter, scene, this.#style).matrix());
    this.#drawCrossHair();
    this.#canvas.style.touchAction = isZoomed ? 'none' : 'pan-x pan-y';
    const key = JSON.stringify(facts);
    if (key === this.#reportedView) return;
    this.#reportedView = key;
    this.#options.onView?.(facts);
  }

  #drawCrossHair() {
    const { scene } = this.#viewport;
    if (!scene) return;
    this.#layers.drawAbove((painter) => {
      const cell = this.#pointedCell();
      if (cell) createDrawing(painter, scene, this.#style).crossHair(cell, this.#selected);
    });
  }

  #announce() {
    const text = this.#selected ? this.#describe(this.#selected) : 'Nothing to see';
    this.#semantics.update(this.#options.label, this.#matrix, this.#selected, text);
  }

  #describe(/** @type {Cell} */ cell) {
    const facts = this.#matrix.describeCell(cell);
    if (this.#options.describe) return this.#options.describe(facts);
    const value = facts.unseen ? 'not seen' : formatsOf(this.#options).full(facts.value);
    return `${facts.rowLabel} → ${facts.columnLabel}: ${value}`;
  }

  // ---- cells --------------------------------------------------------------------------------------

  #clampCell(cell) {
    const { values, rows, columns } = this.#matrix;
    if (!cell || values.length === 0) return null;
    return { row: clamp(cell.row, 0, rows - 1), column: clamp(cell.column, 0, columns - 1) };
  }

  #pointedCell() {
    if (!this.#hovered) return this.#selected;
    return this.#clampCell({ ...this.#selected, ...this.#hovered });
  }

  #targetAt(point) {
    const { scene } = this.#viewport;
    return this.#selected && scene ? cellAt(scene, point) : null;
  }

  // ---- changes ------------------------------------------------------------------------------------

  /** `byUser`: whether to call onSelect. */
  #select(cell, byUser) {
    const next = this.#clampCell(cell);
    if (!next) return;
    const isOther = !isSame(next, this.#selected);
    this.#selected = next;
    if (isOther) this.#announce();
    // The matrix is redrawn only if it scrolls.
    if (this.#viewport.scene) {
      if (this.#viewport.reveal(next)) this.#draw();
      else this.#drawCrossHair();
    }
    if (byUser) this.#options.onSelect?.(this.#matrix.describeCell(next));
  }

  /** `byUser`: whether to call onHover. */
  #hover(target, byUser) {
    const isOther = !isSame(target, this.#hovered);
    this.#hovered = target;
    if (!isOther) return;
    this.#drawCrossHair();
    if (!byUser) return;
    const cell = this.#pointedCell();
    this.#options.onHover?.(target && cell ? this.#matrix.describeCell(cell) : null);
  }

  #zoomBy(factor, point) {
    if (!this.#viewport.scene) return;
    const around = point ?? this.#viewport.middleOf(this.#selected);
    if (this.#viewport.zoomBy(factor, around)) this.#draw();
  }

  /** Returns whether the matrix moved. */
  #pan(x, y) {
    if (!this.#viewport.pan(x, y)) return false;
    this.#draw();
    return true;
  }

  #listen() {
    const { signal } = this.#destroyed;
    const stopListening = listenToGestures(this.#canvas, {
      isZoomed: () => this.#viewport.isZoomed,
      zoom: (factor, point) => this.#zoomBy(factor, point),
      hover: (point) => this.#hover(point && this.#targetAt(point), true),
      choose: (point) => {
        const target = this.#targetAt(point);
        if (target) this.#select({ ...this.#selected, ...target }, true);
      },
      go: (cell) => {
        this.#hovered = null;
        this.#select(cell, true);
      },
      pan: (x, y) => this.#pan(x, y),
      position: () => this.#position(),
    });
    signal.addEventListener('abort', stopListening);
    if (this.#canDraw) {
      signal.addEventListener('abort', keepSize(this.#canvas));
      watchEnvironment(this.#canvas, () => this.#refresh(), signal);
    }
    document.fonts?.ready.then(() => {
      if (!signal.aborted) this.#refresh(true);
    });
  }

  /** The selected cell, and limits for keys: { selected, rows, columns, page }; page: rows per page key. */
  #position() {
    const { scene } = this.#viewport;
    const { rows, columns } = this.#matrix;
    const page = scene ? Math.max(1, Math.floor(scene.frame.height / scene.cell) - 1) : 1;
    return { selected: this.#selected, rows, columns, page };
  }
}

const isSame = (one, other) => one?.row === other?.row && one?.column === other?.column;

export const heatmap = (canvas, options) => new CanvasHeatmap(canvas, options);
