// The heat map on a canvas: one state, drawn again when it changes.

import { keepSize } from './canvas_size.js';
import { drawCrossHair, drawMatrix } from './draw.js';
import { listenToGestures, pointOf } from './gestures.js';
import { createLabels } from './labels.js';
import { Layers } from './layers.js';
import {
  arrange,
  boxOf,
  cellAt,
  clamp,
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

export const heatmap = (canvas, options) => new Heatmap(canvas, options);

const everything = { zoom: 1, x: 0, y: 0 };

class Heatmap {
  #canvas;
  #layers;
  #semantics;
  #leave = new AbortController();

  #given;
  #matrix;
  #theme;
  #labels;
  #look; // the matrix in its colours and letters
  #layout = null;
  #arranged = null; // where the cells are now
  #view = everything;
  #selected;
  #hovered = null;
  #told = '';

  constructor(canvas, options) {
    this.#given = readHeatmapOptions('heatmap', options);
    this.#matrix = createMatrix(this.#given);
    this.#selected = this.#within(this.#given.selected ?? { row: 0, column: 0 });
    this.#canvas = canvas;
    this.#layers = new Layers(canvas);
    this.#semantics = createSemantics(canvas);
    const { signal } = this.#leave;
    for (const end of [keepSize(canvas), listenToGestures(canvas, this.#gestures())]) {
      signal.addEventListener('abort', end);
    }
    const look = () => this.#refresh({ always: false });
    watchSurroundings(canvas, look, signal);
    document.fonts?.ready.then(() => {
      if (!signal.aborted) this.#refresh();
    });
    this.#refresh();
  }

  // ---- what can be asked of it --------------------------------------------------------------------

  update(next) {
    const wanted = readHeatmapOptions('heatmap', next, this.#given);
    const matrix = createMatrix(wanted);
    const isOther = matrix.rows !== this.#matrix.rows || matrix.columns !== this.#matrix.columns;
    this.#given = wanted;
    this.#matrix = matrix;
    this.#selected = this.#within(next.selected ?? this.#selected ?? { row: 0, column: 0 });
    if (isOther) {
      this.#hovered = null;
      this.#view = everything;
    }
    this.#refresh();
  }

  get selected() {
    return this.#selected && { ...this.#selected };
  }

  fit() {
    this.zoomBy(0);
  }

  cellAt(event) {
    return this.#selected && this.#partAt(pointOf(this.#canvas, event));
  }

  boxOf(cell) {
    if (!this.#arranged || this.#matrix.values.length === 0) return null;
    return boxOf(this.#arranged, this.#within(cell));
  }

  heightFor(width) {
    const { ratio } = this.#layers.size;
    return layOutFor(this.#look, { width, ratio, height: Infinity }).height;
  }

  async toPNG({ ratio = 2, dark, ...paper } = {}) {
    return paintPNG(this.#inColors(dark), { ratio, ...this.#sheet(paper) });
  }

  toSVG({ dark, ...paper } = {}) {
    return writeSVG(this.#inColors(dark), this.#sheet(paper));
  }

  destroy() {
    this.#leave.abort();
    this.#semantics.remove();
  }

  // ---- from the state to the canvas ---------------------------------------------------------------

  #refresh({ always = true } = {}) {
    const another = [this.#takeTheme(), this.#layers.takeSize()].some(Boolean);
    if (!another && !always) return;
    this.#look = this.#lookIn(this.#theme);
    this.#layers.write(this.#theme.family, this.#labels);
    this.#say();
    // Out of the page, or hidden there: as it was, until it is back.
    if (this.#layers.isEmpty) return;
    this.#arrange();
    this.#draw();
  }

  /** Whether the colours or the letters are others than last time. */
  #takeTheme() {
    const next = readTheme(this.#canvas, this.#semantics.probe);
    if (JSON.stringify(next) === JSON.stringify(this.#theme)) return false;
    this.#theme = next;
    this.#labels = createLabels(this.#layers.measure(next.family));
    return true;
  }

  #lookIn(theme) {
    return lookOf(this.#given, this.#matrix, theme, this.#labels);
  }

  // A picture for a file has the page's colours, unless others are asked for.
  #inColors(dark) {
    return dark === undefined ? this.#look : this.#lookIn(plainTheme(dark, this.#theme.family));
  }

  #sheet({ width, height, selected: marked = true }) {
    return {
      width: width ?? (this.#layers.size.width || 640),
      height,
      selected: marked ? this.#selected : null,
    };
  }

  #arrange() {
    const before = this.#arranged;
    this.#layout = layOutFor(this.#look, this.#layers.size);
    const zoom = clamp(this.#view.zoom, 1, maxZoom(this.#layout));
    const { width, height } = this.#layout;
    const isMoved = before && (before.width !== width || before.height !== height);
    const move = isMoved && zoom > 1 ? keepMiddle : settle;
    this.#view = move(this.#layout, { ...this.#view, zoom }, before);
  }

  #draw() {
    this.#arranged = arrange(this.#layout, this.#view);
    this.#layers.drawBelow((painter) => drawMatrix(painter, this.#arranged, this.#look));
    this.#drawPointed();
    this.#canvas.style.touchAction = this.#isZoomed() ? 'none' : 'pan-x pan-y';
    this.#tellView();
  }

  #drawPointed() {
    this.#layers.drawAbove((painter) => {
      const cell = this.#pointed();
      if (cell) drawCrossHair(painter, this.#arranged, this.#look, cell, this.#selected);
    });
  }

  #say() {
    const { rows, columns } = this.#matrix;
    this.#semantics.say({
      label: this.#given.label,
      rows,
      columns,
      selected: this.#selected,
      text: this.#selected ? this.#describe(this.#selected) : 'Nothing to see',
    });
  }

  #describe(cell) {
    const facts = this.#factsOf(cell);
    if (this.#given.describe) return this.#given.describe(facts);
    const value = facts.unseen ? 'not seen' : formatValue(facts.value);
    return `${facts.rowLabel} → ${facts.columnLabel}: ${value}`;
  }

  // ---- cells --------------------------------------------------------------------------------------

  #within(cell) {
    const { rows, columns } = this.#matrix;
    if (!cell || rows === 0 || columns === 0) return null;
    return { row: clamp(cell.row, 0, rows - 1), column: clamp(cell.column, 0, columns - 1) };
  }

  #pointed() {
    if (!this.#hovered) return this.#selected;
    return this.#within({ ...this.#selected, ...this.#hovered });
  }

  #partAt(point) {
    return this.#arranged && cellAt(this.#arranged, point);
  }

  #factsOf({ row, column }) {
    const { columns, values, isUnseen, rowLabels, columnLabels } = this.#matrix;
    const at = row * columns + column;
    return {
      row,
      column,
      value: values[at],
      unseen: isUnseen(at),
      rowLabel: rowLabels[row],
      columnLabel: columnLabels[column],
    };
  }

  // ---- what changes the state ---------------------------------------------------------------------

  select(cell, tell = false) {
    const next = this.#within(cell);
    if (!next) return;
    const isSame = next.row === this.#selected.row && next.column === this.#selected.column;
    this.#selected = next;
    if (!isSame) this.#say();
    // Without drawing the matrix again, unless it scrolls.
    if (this.#layout && !this.#setView(reveal(this.#layout, this.#view, next))) this.#drawPointed();
    if (tell) this.#given.onSelect?.(this.#factsOf(next));
  }

  hover(part, tell = false) {
    const isSame = part?.row === this.#hovered?.row && part?.column === this.#hovered?.column;
    this.#hovered = part;
    if (isSame) return;
    this.#drawPointed();
    if (!tell) return;
    const cell = this.#pointed();
    this.#given.onHover?.(part && cell ? this.#factsOf(cell) : null);
  }

  /** Whether it is another view. */
  #setView(next) {
    const { zoom, x, y } = this.#view;
    if (next.zoom === zoom && next.x === x && next.y === y) return false;
    this.#view = next;
    this.#draw();
    return true;
  }

  #tellView() {
    const facts = {
      zoom: this.#view.zoom,
      mostZoom: maxZoom(this.#layout),
      cell: this.#arranged.cell,
    };
    const key = JSON.stringify(facts);
    if (key === this.#told) return;
    this.#told = key;
    this.#given.onView?.(facts);
  }

  zoomBy(factor, point) {
    if (!this.#arranged) return;
    if (factor === 0) this.#setView(everything);
    else {
      const around = point ?? this.#middle();
      this.#setView(zoomAt(this.#layout, this.#view, factor, around));
    }
  }

  /** The point that stays where it is: the selected cell, if it is in sight. */
  #middle() {
    const { frame } = this.#arranged;
    const box = this.#selected && boxOf(this.#arranged, this.#selected);
    const isInSight =
      box &&
      box.x + box.width > frame.x &&
      box.x < frame.x + frame.width &&
      box.y + box.height > frame.y &&
      box.y < frame.y + frame.height;
    const { x, y, width, height } = isInSight ? box : frame;
    return { x: x + width / 2, y: y + height / 2 };
  }

  #isZoomed() {
    return this.#view.zoom > 1;
  }

  #gestures() {
    return {
      hover: (point) => {
        const isEmpty = this.#matrix.values.length === 0;
        this.hover(point && !isEmpty ? this.#partAt(point) : null, true);
      },
      choose: (point) => {
        const part = this.#partAt(point);
        if (part && this.#selected) this.select({ ...this.#selected, ...part }, true);
      },
      go: (target) => {
        this.#hovered = null;
        this.select(target, true);
      },
      pan: (x, y) => {
        const { view, layout } = { view: this.#view, layout: this.#layout };
        return this.#setView(settle(layout, { ...view, x: view.x + x, y: view.y + y }));
      },
      zoom: (factor, point) => this.zoomBy(factor, point),
      isZoomed: () => this.#isZoomed(),
      position: () => {
        const { rows, columns } = this.#matrix;
        const { frame, cell } = this.#arranged ?? { frame: { height: 0 }, cell: 1 };
        return {
          selected: this.#selected,
          rows,
          columns,
          page: Math.max(1, Math.floor(frame.height / cell) - 1),
        };
      },
    };
  }
}
