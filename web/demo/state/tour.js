// The tour in the store: what the reader chose in it, what its steps ask of the worker, and what came back.

import { rowOf } from '../tensors.js';
import { choose } from './changes.js';

/** @import { BlockedLink, Lesson, NextWords } from '../types' */
/** @import { LookupAnswer, TourAnswers, TourLink, TourQuestion } from '../worker/messages' */
/** @import { Came, Store, Tour, TourPlace } from './types' */

/** Ids of the steps in order. Links name a step by its number: a new one comes last. */
export const tourSteps = [
  ...['lookup', 'embedding', 'place', 'projection', 'score', 'scale', 'softmax'],
  ...['mix', 'heads', 'backwards', 'cross', 'what-if', 'cost'],
];

/** Lengths of the texts for which the last step measures a call, and the size of its vectors. */
export const costs = { lengths: [16, 64, 256, 1024], dim: 64 };

/** @type {Tour} */
export const noTour = {
  ...{ step: null, place: { at: null }, lesson: null, failed: null },
  ...{ found: null, words: {}, blocked: {}, costs: [] },
};

/**
 * Index of the step that is shown, or null.
 * @param {Store} store
 */
export const tourStepOf = ({ chosen: { tour } }) =>
  tour === null ? null : Math.min(tour, tourSteps.length - 1);

/**
 * Changes what the reader chose; fields without a value stay.
 * @param {Store} store
 * @param {Partial<TourPlace>} part
 * @returns {Store}
 */
export function pickInTour(store, part) {
  const given = Object.entries(part).filter(([, value]) => value !== undefined);
  const place = { ...store.tour.place, ...Object.fromEntries(given) };
  return { ...store, tour: { ...store.tour, place } };
}

/**
 * Goes to the step of this id, with its place.
 * @param {Store} store
 * @param {string} id
 * @param {Partial<TourPlace>} part
 */
export const goInTour = (store, id, part) =>
  choose(pickInTour(store, part), { tour: tourSteps.indexOf(id) });

/**
 * A number of a figure, and a block, are of one step.
 * @param {Store} store
 * @returns {Store}
 */
export function followTour(store) {
  const step = tourStepOf(store);
  const { tour } = store;
  if (step === tour.step) return store;
  const place = { ...tour.place, at: null, isBlocked: false };
  return { ...store, tour: { ...tour, step, place } };
}

/**
 * What the step that is shown needs next; null for nothing.
 * @param {Store} store
 * @returns {TourQuestion | null}
 */
export function tourQuestionOf({ chosen, tour }) {
  switch (tour.step === null ? '' : tourSteps[tour.step]) {
    case 'lookup':
      return tour.found?.table === chosen.lookup ? null : { about: 'lookup', table: chosen.lookup };
    case 'what-if':
      return tour.lesson && blockQuestionOf(tour.lesson, tour);
    case 'cost': {
      const length = costs.lengths[tour.costs.length];
      return length === undefined ? null : { about: 'cost', length, dim: costs.dim };
    }
    default:
      return null;
  }
}

/**
 * @param {Lesson} lesson
 * @param {Tour} tour
 * @returns {TourQuestion | null}
 */
function blockQuestionOf(lesson, { place, words, blocked }) {
  const link = tourLinkOf(lesson, place);
  if (place.isBlocked && !blocked[nameOf(link)]) return { about: 'blocked', ...link };
  return words[link.row] ? null : { about: 'words', row: link.row };
}

/**
 * The link of a place, as the worker takes it.
 * @param {Lesson} lesson
 * @param {Tour['place']} place
 * @returns {TourLink}
 */
function tourLinkOf({ layers }, { reads = 0, seen = 0, crossHead, isOneHead }) {
  const layer = layers.cross - 1;
  const where = isOneHead ? { layer, head: crossHead } : {};
  return { part: `cross.${layer}`, ...where, row: reads, column: seen };
}

/** @param {TourLink} link */
const nameOf = ({ head, row, column }) => `${head ?? 'all'}:${row}-${column}`;

/**
 * The answer for the link of a place, where it is blocked; else undefined.
 * @param {Lesson} lesson
 * @param {Pick<Tour, 'place' | 'blocked'>} tour
 */
export const blockedIn = (lesson, { place, blocked }) =>
  place.isBlocked ? blocked[nameOf(tourLinkOf(lesson, place))] : undefined;

/**
 * The lesson has come, or could not be made: another step asks again.
 * @param {Store} store
 * @param {Pick<Came<'lesson'>, 'answer' | 'problem'>} came
 * @returns {Store}
 */
export function lessonCame(store, { answer, problem = '' }) {
  const { tour } = store;
  if (!answer) return { ...store, tour: { ...tour, failed: { step: tour.step, problem } } };
  const place = { ...beginning(answer), ...tour.place };
  return { ...store, tour: { ...tour, place, lesson: answer, failed: null } };
}

/**
 * A step has its answer.
 * @param {Store} store
 * @param {Pick<Came<'tour'>, 'answer' | 'question'>} came
 * @returns {Store}
 */
export function stepCame(store, { answer, question }) {
  return answer
    ? { ...store, tour: { ...store.tour, ...partOf(store.tour, question, answer) } }
    : store;
}

/**
 * @param {Tour} tour
 * @param {TourQuestion} question
 * @param {TourAnswers[TourQuestion['about']]} answer
 * @returns {Partial<Tour>}
 */
function partOf({ words, blocked, costs: measured }, question, answer) {
  switch (question.about) {
    case 'lookup':
      return { found: { table: question.table, answer: /** @type {LookupAnswer} */ (answer) } };
    case 'words':
      return {
        words: { ...words, [question.row]: /** @type {NextWords['words']} */ (answer) },
      };
    case 'blocked':
      return {
        blocked: { ...blocked, [nameOf(question)]: /** @type {BlockedLink} */ (answer) },
      };
    case 'cost':
      return { costs: [...measured, /** @type {TourAnswers['cost']} */ (answer)] };
    default:
      return {};
  }
}

/**
 * Index of the number with the largest absolute value.
 * @param {Float32Array} numbers
 */
const largestIn = (numbers) => {
  let found = 0;
  numbers.forEach((number, at) => {
    if (Math.abs(number) > Math.abs(numbers[found])) found = at;
  });
  return found;
};

/**
 * The words, head and numbers that the tour shows first: indices of the rows and columns, and of components: `wide` in x,
 * `component` in q, k, v and o, `joined` in the concatenated heads, `out` in the result.
 * @param {Lesson} lesson
 */
export function beginning({ start, encoder, cross, french }) {
  const { row, column, head, alignedHead } = start;
  const [q, k] = [rowOf(encoder.query, row, head), rowOf(encoder.key, column, head)];
  const component = largestIn(q.map((number, at) => number * k[at]));
  const reads = Math.max(0, french.indexOf('rouge'));
  return {
    ...{ row, column, head, component, kind: 'query' },
    wide: largestIn(rowOf(encoder.x.rows, row)),
    joined: head * encoder.keyDim + component,
    out: largestIn(rowOf(encoder.output, row)),
    ...{ later: reads, laterColumn: reads - 1, backHead: 0 },
    ...{ crossHead: alignedHead, reads, seen: largestIn(rowOf(cross.weights, reads, alignedHead)) },
  };
}
