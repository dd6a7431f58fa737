// What the eye does not need at once is done after the picture is painted.

const patience = 300; // ms: in a page that is not looked at nothing is painted

/** Resolves once what is there by now has been painted. */
export const painted = () =>
  new Promise((resolve) => {
    const waiting = setTimeout(resolve, patience);
    requestAnimationFrame(() => {
      clearTimeout(waiting);
      setTimeout(resolve);
    });
  });

/** Work that is put off until then, once, however often it is asked for. */
export function createAfterPaint(work) {
  let isDue = false;
  function now() {
    if (!isDue) return;
    isDue = false;
    work();
  }
  return {
    now,
    isDue: () => isDue,
    ask() {
      if (isDue) return;
      isDue = true;
      painted().then(now);
    },
  };
}
