// The worker's answer to a state of the page, without a worker, and the flow that shows it.

import assert from 'node:assert/strict';
import { loadAttention } from 'attention-wasm';
import { cellOf } from '../../../web/demo/page/cell.js';
import { inspectionOf, placeInPicture } from '../../../web/demo/state/derived.js';
import { initialState } from '../../../web/demo/state_fields.js';
import { createAnswers } from '../../../web/demo/worker/answer/answers.js';
import { h, textOf, written } from './components.js';

const { Flow } = await import('../../../web/demo/page/flow/flow.jsx');

const api = await loadAttention();

/**
 * A worker that is asked for states one after another. Resolves to { state, picture, facts, inspection } as the page has
 * them then, and `answers` for questions about them.
 */
export function askWorker() {
  const shown = [];
  const answers = createAnswers();
  const on = { shown: (answer) => shown.push(answer), progress() {} };
  const { signal } = new AbortController();
  const last = (name) => shown.findLast((answer) => answer[name])?.[name];
  return async (part, more = {}) => {
    const state = { ...initialState, ...part };
    const context = { api, step: async () => {}, files: 0, signal, ...more };
    await answers.show(state, on, context);
    const [picture, facts] = ['picture', 'facts'].map(last);
    // Another selection in the same picture is asked for by itself.
    const answer = { picture, facts, inspection: null };
    const place = inspectionOf({ chosen: state, piece: null, answer });
    const { inspection } = (place && answers.inspect(place)) ?? shown.at(-1);
    return { state, picture, facts, inspection, answers };
  };
}

/** The answer of a new worker. */
export const answerTo = (part, more) => askWorker()(part, more);

/**
 * The flow of an answer: { boxes: [name, text at a glance] each, sums: lines of each step of the details by its id, cell:
 * numbers of the cell by their class, pair, html: with the details of every box }.
 */
export function flowOf({ state, picture, facts, inspection }, more = {}) {
  const place = placeInPicture(picture, state);
  const cell = cellOf(picture, place, state.stage);
  const map = { stage: state.stage, stages: [] };
  const shown = { facts, picture, place, inspection, chosen: state, cell, map, ...more };
  const open = (box) => written(h(Flow, { ...shown, chosen: { ...state, box } }));
  const ids = Array.from(open('').matchAll(/<h3 class="box of-(\w+)"/g), ([, id]) => id);
  const all = ids.map(open);
  const html = all.join('');
  const steps = html.split('<section class="step" id="step-').slice(1);
  const sums = Object.fromEntries(
    steps.map((step) => {
      const lines = step.match(/<p class="sum">.*?<\/p>/g) ?? [];
      const [[id]] = step.matchAll(/^\w+/g);
      return [id, lines.map(textOf)];
    }),
  );
  const numbers = Array.from(html.matchAll(/<dd class="([\w-]+)">(.*?)<\/dd>/g));
  assert.ok(numbers.length >= 2, 'the numbers of the cell');
  const [[pair]] = html.matchAll(/<span class="pair-title">.*?<\/span>/g);
  const boxes = Array.from(
    all[0].matchAll(/<h3 class="box .*?<span class="name">(.*?)<\/span>(.*?)<\/button>/g),
    ([, name, glance]) => [name, textOf(glance).replace(/^: /, '')],
  );
  return {
    ...{ html, boxes, sums },
    cell: Object.fromEntries(numbers.map(([, name, text]) => [name, textOf(text)])),
    pair: textOf(pair),
  };
}
