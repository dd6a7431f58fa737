// The worker's methods, as messages.d.ts has them. A newer show() or sweep() ends the older one at its next step.

import referenceShares from 'virtual:reference-shares';
import { turns } from './compute/turns.js';
import { createAnswers } from './answer/answers.js';
import { answerCalls } from './calls.js';
import { apiWith } from './kernels.js';
import { createNewest } from './newest.js';
import { sources } from './sources/source_list.js';

/** @import { Methods, OpenFiles, OpenModel } from './messages' */
/** @import { OpeningContext, OpeningSource } from './types' */

const answers = createAnswers(referenceShares);
const showing = createNewest();
const sweeping = createNewest();
let isFused = false; // the latest state wants fused kernels
let opened = 0; // count of files opened and closed: with it the same text may have other vectors

/** @type {Methods} */
const methods = {
  ...answers,

  show(state, on) {
    isFused = state.fused;
    return showing(async (signal) => {
      const api = await apiWith(state.fused);
      await answers.show(state, on, { api, signal, step: turns(signal), files: opened });
    });
  },

  stop: () => showing(async () => {}),

  sweep: (question, on) =>
    sweeping(async (signal) => {
      if (!question) return;
      await answers.sweep(question, {
        ...{ signal, step: turns(signal), report: on.progress },
        tell: (step) => signal.aborted || on.swept(step),
      });
    }),

  open: ({ source, file }, { progress }) =>
    change(async () => sourceOf(source).open(file, await contextOf(progress))),
  close: ({ source, file }) => change(() => sourceOf(source).close(file)),
  keep: async ({ source, what }, { progress }) =>
    sourceOf(source).keep(what, await contextOf(progress)),
  cancel: (source) => sourceOf(source).cancel(),

  async tour(question) {
    const api = await apiWith(isFused);
    const { answerOf } = await import('./tour/answers.js');
    return answerOf(api, question);
  },
};

/** Handles a message of the page. */
export const answerTo = answerCalls(methods, (message, buffers) =>
  postMessage(message, { transfer: buffers }),
);

/** @param {string} source one of the list */
const sourceOf = (source) => /** @type {OpeningSource} */ (sources.find(({ id }) => id === source));

/**
 * @param {OpeningContext['report']} report
 * @returns {Promise<OpeningContext>}
 */
const contextOf = async (report) => ({ api: await apiWith(isFused), step: turns(), report });

/**
 * Opens or closes something: vectors may differ from then on.
 * @param {() => Promise<OpenFiles | OpenModel>} work
 */
async function change(work) {
  const answer = await work();
  ++opened;
  return answer;
}
