// Lets other tasks of the event loop run during a long computation.

const maxBlockingMilliseconds = 15; // a third of the 50 ms of a long task; the rest is for one step and garbage collection

/** Waits for the next task of the event loop. setTimeout() is the last choice: browsers delay it by at least 4 ms. */
const nextTask = () =>
  new Promise((next) => {
    const { setImmediate } = globalThis; // of Node.js
    if (setImmediate) setImmediate(next);
    else if (typeof MessageChannel === 'function') {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        next();
      };
      port2.postMessage(null);
    } else setTimeout(next);
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
