// Connection to the worker: sends requests, tracks the latest, passes on answers.

import address from '../worker/worker.js?worker&url';
import { watchWorker } from './worker_watch.js';

/** A sandboxed frame has no origin and may not start a worker from a file: there a data: URL imports the script. */
function startWorker() {
  const url = new URL(address, import.meta.url).href;
  if (origin !== 'null') return new Worker(url, { type: 'module' });
  // Not a blob: URL: Chromium starts no module worker from there.
  const script = encodeURIComponent(`import ${JSON.stringify(url)};`);
  return new Worker(`data:text/javascript,${script}`, { type: 'module' });
}

/** @import { Message, Shown, TourAnswers, TourQuestion } from '../worker/messages' */

/**
 * Handlers of the worker's messages.
 * @typedef {object} Handlers
 * @property {() => boolean} isAwaited a picture or an inspection is due
 * @property {(isSilent: boolean) => void} [silence] for a worker that stops responding
 * @property {(message: Shown & { id: number, isLatest: boolean }) => void} shown
 * @property {(message: Received<'inspected'> & { isLatest: boolean }) => void} inspected
 * @property {(message: { message: string, isOfPicture?: boolean }) => void} problem
 * @property {(message: Received<'progress'>) => void} progress
 * @property {(message: Received<'refused'>) => void} [refused]
 * @property {(message: Received<'opened'>) => void} [opened]
 */
/**
 * @template {Message['type']} Type
 * @typedef {Extract<Message, { type: Type }>} Received
 */

/**
 * `on` has a handler for every type of message, isAwaited(): whether a picture or inspection is due, and optionally
 * silence(isSilent) for a worker that stops responding. Pictures and inspections come with isLatest: they answer the
 * latest request; problems with isOfPicture: in place of the latest picture.
 * @param {Handlers} on
 */
export function connectWorker(on) {
  let worker = null;
  let last = 0;
  let lastShow = 0;
  let lastInspect = 0;
  const questions = new Map(); // id → resolve, for questions with one answer
  let sweeping = null; // { id, tell } of the current sweep
  const opening = new Set(); // ids of requests that open, close or keep files and models
  const watch =
    on.silence &&
    watchWorker({
      ping: () => worker.postMessage({ type: 'ping' }),
      isBusy: () => on.isAwaited() || questions.size > 0 || opening.size > 0,
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
    if (target !== worker) return; // a stopped worker
    watch?.hear(data?.type === 'pong');
    if (data?.type === 'pong') return;
    if (data?.type === 'swept') {
      if (data.id === sweeping?.id) sweeping.tell(data);
      return;
    }
    if (!Object.hasOwn(on, data?.type) && !questions.has(data?.id)) {
      on.problem({ message: 'the worker sent a message that answers nothing' });
      return;
    }
    opening.delete(data.type === 'progress' ? undefined : data.id);
    if (questions.has(data.id)) {
      questions.get(data.id)(data);
      questions.delete(data.id);
      return;
    }
    on[data.type]({
      ...data,
      ...(data.type === 'shown' && { isLatest: data.id === lastShow }),
      ...(data.type === 'inspected' && { isLatest: data.id === lastInspect }),
      ...(data.type === 'problem' && { isOfPicture: data.id === lastShow }),
    });
  }

  /** Sends a request; returns the id of its answers. */
  function send(request) {
    worker.postMessage({ ...request, id: ++last });
    watch?.begin();
    return last;
  }

  function ask(question) {
    return new Promise((resolve) => questions.set(send(question), resolve));
  }

  /** Opens a file or model; returns the id of the answers. */
  function sendOpening(request) {
    const id = send(request);
    opening.add(id);
    return id;
  }

  start();
  return {
    show(state) {
      lastShow = send({ type: 'show', state });
    },
    /** Requests the computation behind a weight of the picture. */
    inspect({ head, row, column, isPiece }) {
      lastInspect = send({ type: 'inspect', place: { head, row, column, isPiece } });
    },
    open: (source, file) => sendOpening({ type: 'open', source, file }),
    close: (source, file) => sendOpening({ type: 'close', source, file }),
    /** Keeps, lists or removes stored models; answered as open(). */
    keep: (source, what) => sendOpening({ type: 'keep', source, what }),
    cancel(source) {
      worker.postMessage({ type: 'cancel', source });
    },
    /** Query, key, value, options and tokens of the current part. */
    tensors: () => ask({ type: 'tensors' }),
    /** Answers a question of the tour: { about, … }. */
    async tour(question) {
      const { answer, problem } = await ask({ ...question, type: 'tour' });
      if (problem !== undefined) throw new Error(problem);
      return answer;
    },
    /** NextWords for the tokens of a row, with the text they belong to; `isOther`: the other text of the comparison. */
    nextWords: (token, last, isOther = false) => ask({ type: 'nextWords', token, last, isOther }),
    /** The whole block of the current layer at a token: { answer: an Inside } or { problem }. */
    inside: (row) => ask({ type: 'inside', row }),
    /** Scores of the open model's heads in one sequence: { answer } or { problem }. */
    headScores: (sequence) => ask({ type: 'headScores', sequence }),
    /** What the blocks change: an Effect, or null. */
    effect: async () => (await ask({ type: 'effect' })).effect ?? null,
    /** The place in which the text beside differs most: { part, head, row, column }, or null. */
    difference: async () => (await ask({ type: 'difference' })).answer ?? null,
    /**
     * Starts a sweep; `tell` is called with each message of worker/sweep/sweep.js. Another sweep, and null, cancel it.
     */
    sweep(question, tell) {
      sweeping = { id: send({ type: 'sweep', question }), tell };
    },
    keepWaiting: () => watch?.keepWaiting(),
    /** Stops the worker and starts a new one without open files. */
    restart() {
      worker.terminate();
      opening.clear();
      for (const resolve of questions.values()) resolve({ problem: 'it was stopped' });
      questions.clear();
      sweeping?.tell?.({ problem: 'it was stopped' });
      sweeping = null;
      start();
      watch?.restart();
    },
  };
}
