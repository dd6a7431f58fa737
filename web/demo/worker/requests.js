// Messages of the page's worker, as messages.d.ts has them. A new request cancels work for older ones at their next step.

import referenceShares from 'virtual:reference-shares';
import { turns } from './compute/turns.js';
import { createAnswers } from './answer/answers.js';
import { apiWith } from './kernels.js';
import { messageOf } from '../../lib/arguments/message_of.js';
import { sources } from './sources/source_list.js';

/** @import { Opening, OpenFiles, OpenModel, Request, Signal, Swept, TourQuestion } from './messages' */
/** @import { OpeningContext, ReportedProgress, OpeningSource } from './types' */
/** @typedef {Extract<Request, { type: 'show' }>} ShowRequest */

/** @type {(message: object, transfer?: Transferable[]) => void} */
const post = (message, transfer = []) => postMessage(message, { transfer });

const { show, inspect, inside, headScores, nextWords, effect, difference, sweep, tensors } =
  createAnswers(post, referenceShares);
/** @type {ShowRequest | null} */
let pending = null;
/** @type {AbortController | null} */
let running = null; // of the current computation
/** @type {AbortController | null} */
let sweeping = null; // of the current sweep
let isFused = false; // the latest state wants fused kernels
let opened = 0; // count of files opened and closed: with it the same text may have other vectors

/** @type {{ [Type in (Request | Signal)['type']]: (request: Extract<Request | Signal, { type: Type }>) => unknown }} */
const answers = {
  show: ask,
  inspect: ({ id, place }) => inspect(id, place),
  open: openFile,
  close: closeFile,
  keep: keepOpened,
  cancel: ({ source }) => sourceOf(source).cancel(),
  nextWords: async ({ id, token, last, isOther }) =>
    post({ type: 'nextWords', id, ...(await nextWords(token, last, isOther)) }),
  effect: async ({ id }) => post({ type: 'effect', id, effect: await effect() }),
  difference: (request) => tellOnce(request, difference),
  sweep: measureEach,
  inside: (request) => tellOnce(request, () => inside(request.row)),
  headScores: (request) => tellOnce(request, () => headScores(request.sequence)),
  tensors: ({ id }) => post({ type: 'tensors', id, ...tensors() }),
  tour: (request) => tellOnce(request, () => answerTour(request)),
  ping() {}, // worker.js answers it
};
/**
 * Handles a message from the page; each gets an answer, or what is wrong.
 * @param {{ data: Request }} event
 */
export async function answerTo({ data }) {
  const answer = /** @type {(request: Request) => unknown} */ (answers[data.type]);
  try {
    await answer(data);
  } catch (error) {
    post({ type: 'problem', id: data.id, message: messageOf(error) });
  }
}

/** @param {ShowRequest} request */
async function ask(request) {
  pending = request;
  isFused = request.state.fused;
  running?.abort();
  if (running) return;
  while (pending) {
    const { id, state } = pending;
    pending = null;
    running = new AbortController();
    const { signal } = running;
    try {
      await answer(id, state, signal);
    } catch (error) {
      if (!signal.aborted) post({ type: 'problem', id, message: messageOf(error) });
    }
  }
  running = null;
}

/**
 * @param {number} id
 * @param {ShowRequest['state']} state
 * @param {AbortSignal} signal
 */
async function answer(id, state, signal) {
  const api = await apiWith(state.fused);
  await show(id, state, { api, signal, step: turns(signal), files: opened });
}

/** @param {Extract<Request, { type: 'sweep' }>} request */
async function measureEach({ id, question }) {
  sweeping?.abort();
  if (!question) return;
  const { signal } = (sweeping = new AbortController());
  /** @param {Swept} message */
  const tell = (message) => {
    if (!signal.aborted) post({ type: 'swept', id, ...message });
  };
  /** @param {ReportedProgress} progress */
  const report = (progress) => post({ type: 'progress', id, source: question.source, ...progress });
  try {
    await sweep(question, { signal, step: turns(signal), tell, report });
  } catch (error) {
    tell({ problem: messageOf(error) });
  }
}

/** @param {TourQuestion} question */
async function answerTour(question) {
  const api = await apiWith(isFused);
  const { answerOf } = await import('./tour/answers.js');
  return answerOf(api, question);
}

/**
 * Posts the answer to a question, or what is wrong.
 * @param {Pick<Request, 'type' | 'id'>} request
 * @param {() => unknown} work
 */
async function tellOnce({ type, id }, work) {
  try {
    post({ type, id, answer: await work() });
  } catch (error) {
    post({ type, id, problem: messageOf(error) });
  }
}

/** @param {string} source one of the list */
const sourceOf = (source) => /** @type {OpeningSource} */ (sources.find(({ id }) => id === source));

/**
 * Calls a source and posts its answer; `isNew`: its vectors may differ from now on.
 * @param {Opening & { id: number }} request
 * @param {(source: OpeningSource, context: OpeningContext) => Promise<OpenFiles | OpenModel>} work
 * @param {boolean} isNew
 */
async function tell({ id, source }, work, isNew) {
  /** @param {ReportedProgress} progress */
  const report = (progress) => post({ type: 'progress', id, source, ...progress });
  try {
    const context = { api: await apiWith(isFused), step: turns(), report };
    const answer = await work(sourceOf(source), context);
    if (isNew) ++opened;
    post({ type: 'opened', id, source, ...answer });
  } catch (error) {
    post({ type: 'refused', id, source, message: messageOf(error) });
  }
}

/** @param {Extract<Request, { type: 'close' }>} request */
function closeFile(request) {
  return tell(request, (source) => source.close(request.file), true);
}

/** @param {Extract<Request, { type: 'open' }>} request */
function openFile(request) {
  return tell(request, (source, context) => source.open(request.file, context), true);
}

/** @param {Extract<Request, { type: 'keep' }>} request */
function keepOpened(request) {
  return tell(request, (source, context) => source.keep(request.what, context), false);
}
