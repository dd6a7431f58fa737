// Two layers: the matrix is drawn once on a hidden canvas; the page's canvas is a copy of it with the cross-hair.

import { createCanvasPainter, createMeasure } from './canvas_painter.js';

/**
 * @typedef {object} CanvasSize
 * @property {number} [width] in CSS pixels
 * @property {number} [height] in CSS pixels
 * @property {number} [ratio] device pixels per CSS pixel
 */

/** Layers for pages that do not support drawing. */
export const noLayers = {
  size: /** @type {CanvasSize} */ ({}),
  updateSize: () => false,
  setFont() {},
  drawBelow() {},
  drawAbove() {},
};

/**
 * The context of a canvas in a page that supports drawing.
 *
 * @param {HTMLCanvasElement} canvas
 */
const contextOf = (canvas) => /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));

export function createLayers(canvas) {
  const above = contextOf(canvas);
  const below = contextOf(document.createElement('canvas'));
  let painters;
  /** @type {CanvasSize} */
  let size = {};

  return {
    /** { width, height, ratio }: in CSS pixels, and device pixels per CSS pixel. */
    get size() {
      return size;
    },

    /** Reads the size of the canvas; returns whether it changed. */
    updateSize() {
      const { clientWidth: width, clientHeight: height, offsetWidth } = canvas;
      // A canvas enlarged by a CSS transform; below 1.1 it may be rounding.
      const scale = canvas.getBoundingClientRect().width / offsetWidth;
      const ratio = (window.devicePixelRatio || 1) * (scale > 1.1 ? scale : 1);
      const next = { width, height, ratio };
      const isSame = size.width === width && size.height === height && size.ratio === ratio;
      if (isSame) return false;
      size = next;
      return true;
    },

    measure: (family) => createMeasure(below, family),

    /** Sets the font family of the painters. */
    setFont(family) {
      painters = [below, above].map((context) =>
        createCanvasPainter(context, { family, ratio: size.ratio }),
      );
    },

    drawBelow(draw) {
      const { width = 0, height = 0, ratio = 1 } = size;
      for (const { canvas: one } of [below, above]) {
        const [w, h] = [width, height].map((length) => Math.round(length * ratio));
        if (one.width !== w || one.height !== h) Object.assign(one, { width: w, height: h });
      }
      below.setTransform(ratio, 0, 0, ratio, 0, 0);
      below.clearRect(0, 0, width, height);
      draw(painters[0]);
    },

    drawAbove(draw) {
      const { ratio = 1 } = size;
      const { width, height } = below.canvas;
      if (!width || !height) return;
      above.setTransform(1, 0, 0, 1, 0, 0);
      above.clearRect(0, 0, width, height);
      above.drawImage(below.canvas, 0, 0);
      above.setTransform(ratio, 0, 0, ratio, 0, 0);
      draw(painters[1]);
    },
  };
}
