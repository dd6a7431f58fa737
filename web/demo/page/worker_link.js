// The page's end of its worker: sends requests, remembers the newest, hands on the answers.

import address from '../worker/worker.js?worker&url';
import { watchWorker } from './worker_watch.js';

/**
 * In a frame with the attribute sandbox the page has no origin, and may start no file as a worker: there a script in
 * the address imports it.
 */
function startWorker() {
  const url = new URL(address, import.meta.url).href;
  if (origin !== 'null') return new Worker(url, { type: 'module' });
  // Not as a Blob: Chromium starts no module from there.
  const script = encodeURIComponent(`import ${JSON.stringify(url)};`);
  return new Worker(`data:text/javascript,${script}`, { type: 'module' });
}

/**
 * `on` has a function for every type of message the worker sends, and may have silence(isSilent): whether the worker
 * has stopped answering. An answer to an older request is shown all the same: it is on the way to the newest, and the
 * worker will not send its picture again.
 */
export function connectWorker(on) {
  let worker = null;
  let last = 0;
  let lastShow = 0;
  let lastInspect = 0;
  const waiting = { show: false, inspect: false };
  const asked = new Map(); // id → resolve, for answers to a question
  const opening = new Set(); // ids of files and models that are opened, closed or kept
  const watch =
    on.silence &&
    watchWorker({
      ping: () => worker.postMessage({ type: 'ping' }),
      isBusy: () => waiting.show || waiting.inspect || asked.size > 0 || opening.size > 0,
      onSilence: on.silence,
    });

  function start() {
    worker = startWorker();
    worker.addEventListener('message', hear);
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      on.problem({ message: event.message || 'the worker could not be started' });
    });
  }

  function hear({ data, target }) {
    if (target !== worker) return; // one that was stopped
    watch?.hear(data?.type === 'pong');
    if (data?.type === 'pong') return;
    if (!Object.hasOwn(on, data?.type) && !asked.has(data?.id)) {
      on.problem({ message: 'the worker sent a message that answers nothing' });
      return;
    }
    opening.delete(data.type === 'progress' ? undefined : data.id);
    if (asked.has(data.id)) {
      asked.get(data.id)(data);
      asked.delete(data.id);
      return;
    }
    const ends = (data.type === 'shown' && data.isWhole) || data.type === 'problem';
    if (ends && data.id === lastShow) waiting.show = false;
    if (ends || data.id === lastInspect) waiting.inspect = false;
    on[data.type](data);
  }

  /** Sends a request; returns the id that its answers have. */
  function send(request) {
    worker.postMessage({ ...request, id: ++last });
    watch?.begin();
    return last;
  }

  function ask(question) {
    return new Promise((resolve) => asked.set(send(question), resolve));
  }

  /** The id is that of what the worker says about it. */
  function sendOpening(request) {
    const id = send(request);
    opening.add(id);
    return id;
  }

  start();
  return {
    show(state) {
      waiting.show = true;
      lastShow = send({ type: 'show', state });
    },
    /** What is behind a weight of the picture that is shown. */
    inspect({ head, row, column }) {
      waiting.inspect = true;
      lastInspect = send({ type: 'inspect', place: { head, row, column } });
    },
    open: (source, file) => sendOpening({ type: 'open', source, file }),
    close: (source, file) => sendOpening({ type: 'close', source, file }),
    /** Has a source keep something, or says what is kept; the answer is as to open(). */
    keep: (source, what) => sendOpening({ type: 'keep', source, what }),
    cancel(source) {
      worker.postMessage({ type: 'cancel', source });
    },
    /** Query, key, value, options and tokens of the part that is shown. */
    tensors: () => ask({ type: 'tensors' }),
    /** What the tour wants to know: { about, … }. */
    async tour(question) {
      const { answer, problem } = await ask({ ...question, type: 'tour' });
      if (problem !== undefined) throw new Error(problem);
      return answer;
    },
    /** The words that may stand where a row's tokens do, or behind them, and the text that they belong to. */
    nextWords: (token, last) => ask({ type: 'nextWords', token, last }),
    /** Whether a picture is to come; or anything. */
    isComputing: () => waiting.show,
    isWaiting: () => waiting.show || waiting.inspect,

    keepWaiting: () => watch.keepWaiting(),
    /** Stops what the worker does and starts another one, in which nothing is open. */
    restart() {
      worker.terminate();
      Object.assign(waiting, { show: false, inspect: false });
      opening.clear();
      for (const resolve of asked.values()) resolve({ problem: 'it was stopped' });
      asked.clear();
      start();
      watch.restart();
    },
  };
}
