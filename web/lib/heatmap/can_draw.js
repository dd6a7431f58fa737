// Whether there is anything to draw on: a page that only pretends to be one, as those of component tests, has no
// observers, or a canvas without a context.

export const canDraw = (canvas) =>
  Boolean(
    globalThis.ResizeObserver &&
    globalThis.MutationObserver &&
    globalThis.matchMedia &&
    canvas.getContext('2d'),
  );
