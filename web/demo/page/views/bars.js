// A row of weights as bars, the one looked at in full blue; a click chooses another.

import { element } from '../element.js';

const height = 56;

export function createBars(onPick) {
  const canvas = element('canvas', { role: 'img', class: 'bars', width: 1, height });
  let count = 0;
  let redraw = () => {};
  // As many pixels as there is room for.
  new ResizeObserver(() => redraw()).observe(canvas);
  canvas.addEventListener('click', ({ offsetX }) => {
    if (count > 0) onPick(Math.min(count - 1, Math.floor((offsetX / canvas.clientWidth) * count)));
  });
  return {
    element: canvas,
    show(name, weights, chosen, palette) {
      count = weights.length;
      canvas.setAttribute('aria-label', name);
      redraw = () => draw(canvas, weights, chosen, palette);
      redraw();
    },
  };
}

function draw(canvas, weights, chosen, { blue, faint, surface }) {
  const count = weights.length;
  const ratio = globalThis.devicePixelRatio || 1;
  const width = canvas.clientWidth || 300;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext('2d');
  context.scale(ratio, ratio);
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
    const tall = Math.max(1, Math.abs(size));
    context.fillRect(at * step + gap / 2, size >= 0 ? zero - tall : zero, step - gap, tall);
  });
  context.fillStyle = faint;
  context.fillRect(0, zero, width, 1);
}
