// Lets other tasks of the event loop run during a long computation.

const maxBlockingMilliseconds = 15; // a third of the 50 ms of a long task; the rest is for one step and garbage collection

// Ways to call a function in a task of its own, the fastest first: browsers delay setTimeout() by at least 4 ms.
const schedulers = [
  (next) => globalThis.setImmediate(next), // Node.js
  (next) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      next();
    };
    port2.postMessage(null);
  },
  (next) => setTimeout(next),
];

/**
 * Waits for the next task of the event loop, by the first function that does not throw: engines lack some, and in the
 * edge runtime of Next.js those of Node.js exist and throw.
 */
const nextTask = () =>
  new Promise((next) => {
    schedulers.some((schedule) => {
      try {
        schedule(next);
        return true;
      } catch {
        return false;
      }
    });
  });

/** Lets other tasks run: with a signal between any two steps, because a task may abort it; else every 15 ms. */
export function taskYielder(signal) {
  let last = performance.now();
  return async () => {
    if (!signal && performance.now() - last < maxBlockingMilliseconds) return;
    await nextTask();
    last = performance.now();
  };
}
