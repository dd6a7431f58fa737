// Bar chart of a row of weights, in the box of the row and in its details: the attended column is in full blue.

import { element } from '../element.js';

const height = 56;

/** `latest()` returns what is shown, and `pick(column)` where a click chooses a column. */
export function createBars(latest) {
  const canvas = element('canvas', { role: 'img', class: 'bars', width: 1, height });
  let count = 0;
  let width = 300;
  let redraw = () => {};
  // One canvas pixel per device pixel.
  new ResizeObserver(() => {
    width = canvas.clientWidth || width;
    redraw();
  }).observe(canvas);
  canvas.addEventListener('click', ({ offsetX }) => {
    if (count === 0) return;
    latest().pick?.(Math.min(count - 1, Math.floor((offsetX / canvas.clientWidth) * count)));
  });
  return {
    element: canvas,
    show({ name, weights, column: chosen, palette }) {
      count = weights.length;
      canvas.setAttribute('aria-label', name);
      redraw = () => draw(canvas, width, { weights, chosen, ...palette });
      redraw();
    },
  };
}

function draw(canvas, width, { weights, chosen, blue, faint, surface }) {
  const count = weights.length;
  const ratio = globalThis.devicePixelRatio || 1;
  const [wide, tall] = [width, height].map((length) => Math.round(length * ratio));
  if (canvas.width !== wide || canvas.height !== tall) {
    Object.assign(canvas, { width: wide, height: tall });
  }
  const context = canvas.getContext('2d');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const top = Math.max(...weights, 1e-9);
  const low = Math.min(...weights, 0);
  const zero = (top / (top - low)) * (height - 4) + 2;
  const step = width / count;
  const gap = step > 6 ? 2 : step > 3 ? 1 : 0;
  context.fillStyle = surface;
  context.fillRect(0, 0, width, height);
  weights.forEach((weight, at) => {
    const size = (weight / (top - low)) * (height - 4);
    context.fillStyle = at === chosen ? blue : faint;
    const length = Math.max(1, Math.abs(size));
    const from = size >= 0 ? zero - length : zero;
    context.fillRect(at * step + gap / 2, from, step - gap, length);
  });
  context.fillStyle = faint;
  context.fillRect(0, zero, width, 1);
}
