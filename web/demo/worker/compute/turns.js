// Cooperative scheduling: long work yields to messages between its steps, so that a key press can cancel it.

const stepMs = 12; // between messages

/**
 * Returns `step()`, to be awaited between steps; it rejects once the signal is aborted.
 * @param {AbortSignal} [signal]
 */
export function turns(signal) {
  let since = performance.now();
  return async () => {
    if (performance.now() - since > stepMs) {
      await /** @type {Promise<void>} */ (
        new Promise((resolve) => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => {
            port1.close();
            resolve();
          };
          port2.postMessage(null);
        })
      );
      since = performance.now();
    }
    signal?.throwIfAborted();
  };
}
