// Heat maps of the library's own files for heatmap.test.js: globalThis.tools.

import { defineAttentionMap, heatmap, thumbnail } from '../../../web/lib/heatmap.js';
import { createRamp } from '../../../web/lib/heatmap/ramp.js';
import { randomWeights } from './heatmap_weights.js';

defineAttentionMap();

const nextFrame = () =>
  new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

globalThis.tools = {
  heatmap,
  thumbnail,
  createRamp,
  randomWeights,
  nextFrame,

  /** A new canvas with a heat map: { canvas, map, told }; `told` records the arguments of its callbacks. */
  make(options, { className = 'stage', ...attributes } = {}) {
    document.body.replaceChildren();
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { className, ...attributes });
    document.body.append(canvas);
    const told = [];
    const map = heatmap(canvas, {
      ...options,
      onSelect: (cell) => told.push(['select', cell]),
      onHover: (cell) => told.push(['hover', cell]),
    });
    globalThis.made = { canvas, map, told };
    return globalThis.made;
  },

  /** Returns a function from a position in CSS pixels to the canvas's current [r, g, b] there. */
  pixelsOf(canvas) {
    const { width, height } = canvas;
    const ratio = width / canvas.clientWidth;
    const copy = /** @type {OffscreenCanvasRenderingContext2D} */ (
      new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
    );
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, width, height);
    return (x, y) => {
      const at = 4 * (Math.floor(y * ratio) * width + Math.floor(x * ratio));
      return [...data.subarray(at, at + 3)];
    };
  },

  pixel: (canvas, x, y) => globalThis.tools.pixelsOf(canvas)(x, y),

  /** Text for screen readers. */
  spoken(canvas) {
    const cell = canvas.querySelector(`#${canvas.getAttribute('aria-activedescendant')}`);
    return {
      role: canvas.getAttribute('role'),
      name: canvas.getAttribute('aria-label'),
      size: [canvas.getAttribute('aria-rowcount'), canvas.getAttribute('aria-colcount')].map(
        Number,
      ),
      row: Number(cell.parentElement.getAttribute('aria-rowindex')) - 1,
      column: Number(cell.getAttribute('aria-colindex')) - 1,
      text: cell.textContent,
    };
  },
};
globalThis.ready = true;
