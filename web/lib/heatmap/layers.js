// Two canvases as one: the matrix is drawn below, once; the page's canvas is a copy of it with the cross-hair.

import { createCanvasPainter, createMeasure } from './canvas_painter.js';

/** Where nothing can be drawn: without a size nothing is. */
export const noLayers = { size: {}, takeSize: () => false, write() {} };

export function createLayers(canvas) {
  const above = canvas.getContext('2d');
  const below = document.createElement('canvas').getContext('2d');
  let painters;
  let size = {};

  return {
    /** In CSS pixels; `ratio` device pixels are one. */
    get size() {
      return size;
    },

    /** Whether the canvas has another size than last time. */
    takeSize() {
      const { clientWidth: width, clientHeight: height } = canvas;
      const next = { width, height, ratio: window.devicePixelRatio || 1 };
      if (Object.keys(next).every((key) => next[key] === size[key])) return false;
      size = next;
      return true;
    },

    measure: (family) => createMeasure(below, family),

    /** Painters in these letters, from now on. */
    write(family) {
      painters = [below, above].map((context) =>
        createCanvasPainter(context, { family, ratio: size.ratio }),
      );
    },

    drawBelow(draw) {
      const { width, height, ratio } = size;
      for (const { canvas: one } of [below, above]) {
        const [w, h] = [width, height].map((length) => Math.round(length * ratio));
        if (one.width !== w || one.height !== h) Object.assign(one, { width: w, height: h });
      }
      below.setTransform(ratio, 0, 0, ratio, 0, 0);
      below.clearRect(0, 0, width, height);
      draw(painters[0]);
    },

    drawAbove(draw) {
      const { ratio } = size;
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
