// Gestures on the canvas: hover, click, wheel, drag, pinch and keys. Calls back with points of the canvas.

import { keyTarget, keyZoom } from './keys.js';

const minDrag = 4; // CSS pixels; a smaller movement is a click

/**
 * on: { hover(point | null), choose(point), go(target), pan(dx, dy), which returns whether the matrix moved,
 * zoom(factor, point?), isZoomed(), position(), which returns { selected, rows, columns, page } }. Returns a function
 * that removes the listeners.
 */
export function listenToGestures(canvas, on) {
  const pointers = new Map();
  const stopping = new AbortController();
  let dragged = false;

  const listen = (type, listener, options = {}) =>
    canvas.addEventListener(type, listener, { signal: stopping.signal, ...options });

  listen('pointerdown', (event) => {
    if (event.pointerType === 'mouse' && event.button !== 0) return;
    if (pointers.size === 0) dragged = false;
    pointers.set(event.pointerId, { start: pointOf(canvas, event), last: pointOf(canvas, event) });
  });

  listen('pointermove', (event) => {
    const point = pointOf(canvas, event);
    const pointer = pointers.get(event.pointerId);
    if (!pointer) {
      if (event.pointerType !== 'touch') on.hover(point);
      return;
    }
    if (pointers.size === 2) pinch(event.pointerId, point);
    else if (on.isZoomed() && (dragged || distance(pointer.start, point) > minDrag)) {
      dragged = true;
      if (!canvas.hasPointerCapture(event.pointerId)) canvas.setPointerCapture(event.pointerId);
      on.hover(null);
      on.pan(pointer.last.x - point.x, pointer.last.y - point.y);
    }
    pointer.last = point;
  });

  function pinch(id, point) {
    const [other] = [...pointers].filter(([key]) => key !== id).map(([, { last }]) => last);
    const before = pointers.get(id).last;
    dragged = true;
    const factor = distance(point, other) / Math.max(1, distance(before, other));
    on.zoom(factor, { x: (point.x + other.x) / 2, y: (point.y + other.y) / 2 });
    on.pan((before.x - point.x) / 2, (before.y - point.y) / 2);
  }

  for (const type of ['pointerup', 'pointercancel']) {
    listen(type, (event) => pointers.delete(event.pointerId));
  }
  listen('pointerleave', (event) => {
    if (!pointers.has(event.pointerId)) on.hover(null);
  });
  listen('click', (event) => {
    // Clicks by keys have no position.
    if (!dragged && event.detail !== 0) on.choose(pointOf(canvas, event));
  });
  listen('dblclick', (event) => on.zoom(on.isZoomed() ? 0 : 3, pointOf(canvas, event)));

  listen(
    'wheel',
    (event) => {
      const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
      const [x, y] = event.shiftKey ? [event.deltaY, event.deltaX] : [event.deltaX, event.deltaY];
      // A touchpad pinch is a wheel event with the control key.
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        on.zoom(
          2 ** (-event.deltaY * unit * (event.deltaMode === 0 ? 0.01 : 0.005)),
          pointOf(canvas, event),
        );
      } else if (on.isZoomed() && on.pan(x * unit, y * unit)) {
        event.preventDefault();
        on.hover(pointOf(canvas, event));
      }
    },
    { passive: false },
  );

  listen('keydown', (event) => {
    if (event.altKey || event.target !== canvas) return;
    const zoom = keyZoom(event);
    const { selected, ...extent } = on.position();
    const target = zoom === null && selected ? keyTarget(event, selected, extent) : null;
    if (zoom === null && !target) return;
    event.preventDefault();
    if (target) on.go(target);
    else on.zoom(zoom);
  });

  return () => stopping.abort();
}

function distance(one, other) {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

/** The position of an event on the canvas, in CSS pixels before any CSS transform of the canvas. */
export function pointOf(canvas, { clientX, clientY }) {
  const frame = canvas.getBoundingClientRect();
  return {
    x: ((clientX - frame.left) * canvas.offsetWidth) / (frame.width || 1) - canvas.clientLeft,
    y: ((clientY - frame.top) * canvas.offsetHeight) / (frame.height || 1) - canvas.clientTop,
  };
}
