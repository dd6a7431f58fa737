// True if the page supports drawing: emulated pages of component tests (jsdom) lack observers or canvas contexts.

export const canDraw = (canvas) =>
  Boolean(
    globalThis.ResizeObserver &&
    globalThis.MutationObserver &&
    typeof globalThis.matchMedia === 'function' &&
    canvas.getContext('2d'),
  );
