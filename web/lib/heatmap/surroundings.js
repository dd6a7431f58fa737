// Watches the surroundings that a picture depends on: its room on the page, the style, the colour scheme, paper.

/** `changed()` is called when one of them may be another; `signal` ends that. */
export function watchSurroundings(canvas, changed, signal) {
  const resizing = new ResizeObserver(changed);
  resizing.observe(canvas);
  const styling = new MutationObserver(changed);
  for (const element of [document.documentElement, document.body]) {
    styling.observe(element, { attributes: true });
  }
  // Paper has its own colours, and is printed as soon as this returns.
  for (const query of ['(prefers-color-scheme: dark)', 'print']) {
    matchMedia(query).addEventListener('change', changed, { signal });
  }
  signal.addEventListener('abort', () => {
    resizing.disconnect();
    styling.disconnect();
  });
}
