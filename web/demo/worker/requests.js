// Messages of the page's worker. A new request cancels work for older ones at their next step.
// In:  { type: 'show', id, state }    { type: 'inspect', id, place: { head, row, column, isPiece } }
//      { type: 'open', id, source, file }    { type: 'close', id, source, file: its id }    { type: 'tensors', id }
//      { type: 'keep', id, source, what }    { type: 'cancel', source }
//      { type: 'nextWords', id, token, last, isOther }
//      { type: 'tour', id, about, … }    { type: 'effect', id }    { type: 'inside', id, row }
//      { type: 'difference', id }
//      { type: 'headScores', id, sequence }
//      { type: 'sweep', id, question }   null as the question ends the current sweep
//      { type: 'ping' }, which worker.js answers with { type: 'pong' }
// Out: { type: 'shown', id, isWhole, picture, facts, inspection }   the last three only if they have
//                                            changed; isWhole: the final answer to the request
//      { type: 'inspected', id, inspection }
//      { type: 'progress', id, source?, isLoading?, text, fraction? }  { type: 'problem', id, message }
//      { type: 'opened', id, source, text, … }    { type: 'refused', id, source, message }
//      { type: 'tensors', id, query, key, value, options, tokens }
//      { type: 'nextWords', id, kind, text, before, words, … }
//      { type: 'effect', id, effect }
//      { type: 'difference', id, answer }    the place of the strongest difference from the text beside, or null
//      { type: 'swept', id, plan | first, runs | isDone | why | problem }    as sweep/sweep.js has them
//      { type: 'tour', id, answer }          or a problem instead of an answer
// types.d.ts defines picture, facts, inspection and the other terms.

import referenceShares from 'virtual:reference-shares';
import { turns } from './compute/turns.js';
import { createAnswers } from './answer/answers.js';
import { apiWith } from './kernels.js';
import { sources } from './sources/source_list.js';

const post = (message, transfer = []) => postMessage(message, { transfer });

const { show, inspect, inside, headScores, nextWords, effect, difference, sweep, tensors } =
  createAnswers(post, referenceShares);
let pending = null;
let running = null; // AbortController of the current computation
let sweeping = null; // AbortController of the current sweep
let isFused = false; // the latest state wants fused kernels
let opened = 0; // count of files opened and closed: with it the same text may have other vectors

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
  tour: ({ type, id, ...question }) => tellOnce({ type, id }, () => answerTour(question)),
  ping() {}, // worker.js answers it
};
/** Handles a message from the page; each gets an answer, or what is wrong. */
export async function answerTo({ data }) {
  try {
    await answers[data.type](data);
  } catch (error) {
    post({ type: 'problem', id: data.id, message: error.message });
  }
}

async function ask(request) {
  pending = request;
  isFused = request.state.fused;
  running?.abort();
  if (running) return;
  while (pending) {
    const { id, state } = pending;
    pending = null;
    running = new AbortController();
    try {
      await answer(id, state, running.signal);
    } catch (error) {
      if (!running.signal.aborted) post({ type: 'problem', id, message: error.message });
    }
  }
  running = null;
}

async function answer(id, state, signal) {
  const api = await apiWith(state.fused);
  await show(id, state, { api, signal, step: turns(signal), files: opened });
}

async function measureEach({ id, question }) {
  sweeping?.abort();
  if (!question) return;
  const { signal } = (sweeping = new AbortController());
  const tell = (message) => {
    if (!signal.aborted) post({ type: 'swept', id, ...message });
  };
  const report = (progress) => post({ type: 'progress', id, source: question.source, ...progress });
  try {
    await sweep(question, { signal, step: turns(signal), tell, report });
  } catch (error) {
    tell({ problem: error.message });
  }
}

async function answerTour({ about, ...question }) {
  const api = await apiWith(isFused);
  const { tour } = await import('./tour/answers.js');
  return tour[about](api, question);
}

/** Posts the answer to a question, or what is wrong. */
async function tellOnce({ type, id }, work) {
  try {
    post({ type, id, answer: await work() });
  } catch (error) {
    post({ type, id, problem: error.message });
  }
}

const sourceOf = (source) => sources.find(({ id }) => id === source);

/** Calls a source and posts its answer; `isNew`: its vectors may differ from now on. */
async function tell({ id, source }, work, isNew) {
  const report = (progress) => post({ type: 'progress', id, source, ...progress });
  try {
    const answer = await work(sourceOf(source), {
      api: await apiWith(isFused),
      step: turns(),
      report,
    });
    if (isNew) ++opened;
    post({ type: 'opened', id, source, ...answer });
  } catch (error) {
    post({ type: 'refused', id, source, message: error.message });
  }
}

function closeFile(request) {
  return tell(request, (source) => source.close(request.file), true);
}

function openFile(request) {
  return tell(request, (source, context) => source.open(request.file, context), true);
}

function keepOpened(request) {
  return tell(request, (source, context) => source.keep(request.what, context), false);
}
