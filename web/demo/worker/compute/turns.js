// Long work in the worker lets messages in between its steps, so that typing on can cancel it.

const patience = 12; // ms

/** Returns `step()`, to be awaited between the steps; it rejects once the signal is aborted. */
export function turns(signal) {
  let since = performance.now();
  return async () => {
    if (performance.now() - since > patience) {
      await new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          port1.close();
          resolve();
        };
        port2.postMessage(null);
      });
      since = performance.now();
    }
    signal?.throwIfAborted();
  };
}
