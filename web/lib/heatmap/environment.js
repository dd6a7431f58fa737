// Watches what a picture depends on: its size, styles, the color scheme, printing.

/** Calls changed() when one of these may have changed, until `signal` aborts. */
export function watchEnvironment(canvas, changed, signal) {
  const resizing = new ResizeObserver(changed);
  resizing.observe(canvas);
  const styling = new MutationObserver(changed);
  for (const element of [document.documentElement, document.body]) {
    styling.observe(element, { attributes: true });
  }
  // Print styles have their own colors; the browser prints right after these listeners.
  for (const query of ['(prefers-color-scheme: dark)', 'print']) {
    matchMedia(query).addEventListener('change', changed, { signal });
  }
  signal.addEventListener('abort', () => {
    resizing.disconnect();
    styling.disconnect();
  });
}
