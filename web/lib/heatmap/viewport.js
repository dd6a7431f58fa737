// The viewport: the layout of the matrix, the zoom, and the scroll position.

import {
  arrange,
  boxOf,
  clamp,
  fullView,
  keepCenter,
  maxZoom,
  reveal,
  clampView,
  zoomAt,
} from './layout.js';

/** @typedef {ReturnType<typeof arrange>} Scene */

export class Viewport {
  #layout; // undefined before the first layout, as the scene
  #view = fullView; // { zoom, x, y }
  /** @type {Scene | undefined} */
  #scene;

  /** Positions of all cells, as arrange() returns them; undefined before the first layout. */
  get scene() {
    return this.#scene;
  }

  get isZoomed() {
    return this.#view.zoom > 1;
  }

  /** { zoom, maxZoom, cell }, the argument of onView(), after a layout. */
  get facts() {
    return { zoom: this.#view.zoom, maxZoom: maxZoom(this.#layout), cell: this.#scene?.cell };
  }

  /** Shows the whole matrix from the next layout on. */
  reset() {
    this.#view = fullView;
  }

  /** Sets the layout; after a resize the same position stays in the center. */
  layOut(layout) {
    const before = this.#scene;
    const zoom = clamp(this.#view.zoom, 1, maxZoom(layout));
    const isMoved = before && (before.width !== layout.width || before.height !== layout.height);
    const move = isMoved && zoom > 1 ? keepCenter : clampView;
    this.#layout = layout;
    this.#view = move(layout, { ...this.#view, zoom }, before);
    this.#scene = arrange(layout, this.#view);
  }

  /** Scrolls to a cell. Returns whether the view changed, as do pan() and zoomBy(). */
  reveal(cell) {
    return this.#go(reveal(this.#layout, this.#view, cell));
  }

  pan(x, y) {
    const { zoom, ...at } = this.#view;
    return this.#go(clampView(this.#layout, { zoom, x: at.x + x, y: at.y + y }));
  }

  /** Zooms around a point of the canvas; factor 0 shows the whole matrix. */
  zoomBy(factor, point) {
    return this.#go(factor === 0 ? fullView : zoomAt(this.#layout, this.#view, factor, point));
  }

  /** The center of a cell or, if it is null or not visible, of the frame. */
  middleOf(cell) {
    const scene = /** @type {Scene} */ (this.#scene); // there is a layout
    const { frame } = scene;
    const box = cell && boxOf(scene, cell);
    const isInSight = (at, length) =>
      box[at] + box[length] > frame[at] && box[at] < frame[at] + frame[length];
    const { x, y, width, height } =
      box && isInSight('x', 'width') && isInSight('y', 'height') ? box : frame;
    return { x: x + width / 2, y: y + height / 2 };
  }

  #go(next) {
    if (['zoom', 'x', 'y'].every((name) => next[name] === this.#view[name])) return false;
    this.#view = next;
    this.#scene = arrange(this.#layout, next);
    return true;
  }
}
