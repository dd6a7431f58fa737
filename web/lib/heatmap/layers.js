// Two canvases as one: the matrix is drawn below, once; the page's canvas is a copy of it with the cross-hair.

import { createCanvasPainter, createMeasure } from './canvas_painter.js';

export class Layers {
  #above;
  #below;
  #painters = null;
  #size = { width: 0, height: 0, ratio: 1 };

  constructor(canvas) {
    this.#above = canvas.getContext('2d');
    this.#below = document.createElement('canvas').getContext('2d');
  }

  /** In CSS pixels; `ratio` device pixels are one. */
  get size() {
    return this.#size;
  }

  get isEmpty() {
    return this.#size.width === 0 || this.#size.height === 0;
  }

  /** Whether the canvas has another size than last time. */
  takeSize() {
    const { clientWidth: width, clientHeight: height } = this.#above.canvas;
    const next = { width, height, ratio: window.devicePixelRatio || 1 };
    if (Object.keys(next).every((key) => next[key] === this.#size[key])) return false;
    this.#size = next;
    return true;
  }

  measure(family) {
    return createMeasure(this.#below, family);
  }

  /** Painters in these letters, from now on. */
  write(family, labels) {
    const { ratio } = this.#size;
    this.#painters = [this.#below, this.#above].map((context) =>
      createCanvasPainter(context, { family, labels, ratio }),
    );
  }

  drawBelow(draw) {
    const { width, height, ratio } = this.#size;
    for (const { canvas } of [this.#below, this.#above]) {
      const [w, h] = [width, height].map((length) => Math.round(length * ratio));
      if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
    }
    this.#below.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#below.clearRect(0, 0, width, height);
    draw(this.#painters[0]);
  }

  drawAbove(draw) {
    const [above, { canvas: below }, { ratio }] = [this.#above, this.#below, this.#size];
    if (!this.#painters || below.width === 0 || below.height === 0) return;
    above.setTransform(1, 0, 0, 1, 0, 0);
    above.clearRect(0, 0, above.canvas.width, above.canvas.height);
    above.drawImage(below, 0, 0);
    above.setTransform(ratio, 0, 0, ratio, 0, 0);
    draw(this.#painters[1]);
  }
}
