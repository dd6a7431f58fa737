// The worker as one typed object for the page. A worker that stops responding can be replaced by a new one.

import address from './worker.js?worker&url';
import { createCaller } from './calls.js';
import { watchWorker } from './watch.js';

/** @import { CallName, Events, PageWorker, Question } from './messages' */

/** A sandboxed frame has no origin and may not start a worker from a file: there a data: URL imports the script. */
function startWorker() {
  const url = new URL(address, import.meta.url).href;
  if (origin !== 'null') return new Worker(url, { type: 'module' });
  // Not a blob: URL: Chromium starts no module worker from there.
  const script = encodeURIComponent(`import ${JSON.stringify(url)};`);
  return new Worker(`data:text/javascript,${script}`, { type: 'module' });
}

/**
 * Starts the worker. `problem(message)`: it cannot be started, or fails outside of a call; `silence(isSilent)`: it stops
 * responding, or responds again.
 * @param {{ problem(message: string): void, silence?(isSilent: boolean): void }} on
 */
export function connectWorker(on) {
  /** @type {Worker} */
  let running;
  const caller = createCaller((call) => {
    running.postMessage(call);
    watch?.begin();
  });
  const watch =
    on.silence &&
    watchWorker({
      ping: () => running.postMessage({ type: 'ping' }),
      isBusy: caller.isBusy,
      onSilence: on.silence,
    });

  function start() {
    running = startWorker();
    running.addEventListener('message', hear);
    running.addEventListener('error', (event) => {
      event.preventDefault();
      on.problem(event.message || 'the worker could not be started');
    });
  }

  /** @param {MessageEvent} event */
  function hear({ data, target }) {
    if (target !== running) return; // a stopped worker
    const isPong = data?.type === 'pong';
    watch?.hear(isPong);
    if (!isPong && !caller.hear(data)) {
      on.problem('the worker sent a message that answers nothing');
    }
  }

  start();
  return {
    worker: /** @type {PageWorker} */ (
      new Proxy(
        {},
        {
          /** @param {CallName} name */
          get:
            (_, name) =>
            /** @type {(question: Question<CallName>, events: Events) => Promise<unknown>} */
            (question, events) =>
              caller.call(name, question, events),
        },
      )
    ),
    keepWaiting: () => watch?.keepWaiting(),
    /** Stops the worker and starts a new one without open files: calls reject with Stopped. */
    restart() {
      running.terminate();
      caller.stop();
      start();
      watch?.restart();
    },
  };
}
