// Work that has to know how large things are is done once everything is written: to measure in between would lay
// the page out again each time.

/** Returns a function that has `work()` done at the end of the turn, once, however often it is called. */
export function afterWriting(work) {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      work();
    });
  };
}
