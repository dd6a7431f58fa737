// True if the page supports drawing: emulated pages of component tests (jsdom) lack observers or canvas contexts.

export const canDraw = (canvas) =>
  Boolean(
    globalThis.ResizeObserver &&
    globalThis.MutationObserver &&
    globalThis.matchMedia &&
    canvas.getContext('2d'),
  );
