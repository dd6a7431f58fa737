// Questions to the worker, as a table: while this is shown, and that has come, ask this. follow() asks in the store,
// page/asking.js passes the questions on, came() takes what comes back.

import { isOfTexts } from '../texts.js';
import { answered, differenceFound, failed, inspected } from './answers.js';
import { askPicture } from './changes.js';
import { inspectionOf, isAwaiting, placeInPicture } from './derived.js';
import { filesCame, filesStopped } from './files.js';
import { followModel, hasModelRoom, modelCame, modelsCame, modelStopped } from './own_model.js';
import { measuredHeads, scoresOf } from './head_scores.js';
import { savedCame } from './saving.js';
import { followSweep, sweepQuestionOf, swept } from './sweep.js';
import { followTour, lessonCame, stepCame, tourQuestionOf } from './tour.js';

/** @import { TourQuestion } from '../worker/messages' */
/** @import { Answers, Came, Key, ModelOrder, QuestionName, Row, Rows, ShownStore, Store } from './types' */

/**
 * The questions, a row each; each row is asked once for each key.
 * @type {Rows}
 */
export const table = {
  picture: {
    isShown: ({ asked }) => asked.picture > 0,
    key: ({ asked }) => [asked.picture],
    ask: ({ chosen }) => chosen,
    takesOlder: true, // the worker sends no picture twice
    take(store, { step, problem, isLatest }) {
      if (step) return answered(store, { ...step, isLatest });
      return problem === undefined ? store : failed(store, { message: problem, isOfPicture: true });
    },
  },

  /** Ends the computation of the picture. */
  stop: {
    isShown: ({ asked }) => asked.stop > 0,
    key: ({ asked }) => [asked.stop],
    ask: () => undefined,
    take: (store) => store,
  },

  inspection: {
    isShown: (store) => store.asked.inspection > 0 && inspectionOf(store) !== null,
    key: ({ asked }) => [asked.inspection],
    ask: inspectionOf,
    takesOlder: true, // while a key is held, for instance
    take(store, { answer, problem, isLatest }) {
      if (problem !== undefined) return failed(store, { message: problem });
      return answer ? inspected(store, { ...answer, isLatest }) : store;
    },
  },

  /** The whole block of the selected token, which is unfolded behind the last box of the flow. */
  block: {
    isShown: ({ chosen, answer: { facts } }) =>
      chosen.flow &&
      chosen.box === 'value' &&
      (chosen.whole || chosen.lens) &&
      facts?.hasInside === true,
    isReady: (store) => store.answer.inspection !== null && isWhole(store) && !isAwaiting(store),
    key: ({ answer: { picture, inspection } }) => [picture, inspection?.place.row],
    ask: ({ answer: { inspection } }) => inspection?.place.row ?? 0,
  },

  /** Likeliest words at the selected row. */
  nextWords: {
    isShown: (store) => isWritten(store) && store.answer.facts?.unfinished === false,
    isReady: isSettled,
    key: ({ chosen, answer: { picture, facts } }) => [
      ...[facts.from, facts.texts[0], String(facts.requestedTexts), chosen.block],
      String(picture.rowTokens[placeInPicture(picture, chosen).row]),
    ],
    ask: ({ chosen, answer: { picture } }) =>
      spanOf(picture.rowTokens[placeInPicture(picture, chosen).row]),
  },

  /** The same in the text beside, at the word aligned with the selected one. */
  otherWords: {
    isShown: (store) => isWritten(store) && besideTokens(store).length > 0,
    isReady: isSettled,
    key: (store) => [
      ...[store.chosen.source, store.answer.facts.from, String(store.answer.picture.beside?.texts)],
      String(besideTokens(store)),
    ],
    ask: (store) => ({ ...spanOf(besideTokens(store)), isOther: true }),
  },

  /** What is changed by what is blocked. */
  effect: {
    isShown: ({ chosen, answer: { facts } }) => chosen.block !== '' && facts?.blocks !== undefined,
    isReady: (store) => isSettled(store) && !store.answer.facts?.fixed,
    key({ chosen: { source, mode, block }, answer: { facts } }) {
      const { from, texts, requestedTexts } = facts;
      return [source, mode, block, from, String(texts), String(requestedTexts)];
    },
    ask: () => undefined,
  },

  /** Where the text beside differs most, for the button of that name. */
  difference: {
    isShown: ({ asked }) => asked.difference > 0,
    key: ({ asked }) => [asked.difference],
    ask: ({ answer: { picture } }) => picture,
    after: (store, { answer: place = null, question: picture }) =>
      differenceFound(store, { picture, place }),
  },

  /** Scores of all heads in one sequence after another. */
  headScores: {
    isShown: (store) => scoresOf(store)?.isRunning === true,
    isReady: isSettled,
    key: ({ scores }) => [scores?.run, scores?.far],
    ask: ({ scores }) => scores?.far ?? 0,
    take: measuredHeads,
  },

  /** Files that the reader opens and closes, one after another. */
  files: {
    isShown: ({ files }) => files.orders.length > 0,
    key: ({ files }) => [files.orders[0].id],
    ask: ({ files }) => files.orders[0],
    take: filesCame,
  },

  /** The reader's model, as it is opened, given a picture, or kept; a newer order ends the older one. */
  model: {
    isShown: ({ ownModel }) => ownModel.order !== null,
    key: ({ ownModel }) => [ownModel.order?.id],
    ask: ({ ownModel }) => /** @type {ModelOrder} */ (ownModel.order),
    takesOlder: true, // what it says is open is open
    take: modelCame,
  },

  /** Models that are kept, where they are listed; and those that the reader closes and removes. */
  models: {
    isShown: hasModelRoom,
    key: ({ ownModel }) => [ownModel.modelsOrder.id],
    ask: ({ ownModel }) => ownModel.modelsOrder,
    takesOlder: true,
    take: modelsCame,
  },

  /** Ends the opening or keeping of a model. */
  cancel: {
    isShown: ({ asked }) => asked.cancel > 0,
    key: ({ asked }) => [asked.cancel],
    ask: () => undefined,
    take: (store) => store,
  },

  /** What the reader saves or copies of the picture. */
  saved: {
    isShown: ({ asked }) => asked.saved > 0,
    key: ({ asked }) => [asked.saved],
    ask: ({ saving: { format, paper } }) => ({ format, paper }),
    take: savedCame,
  },

  /** What each head or word changes; null ends it. */
  sweep: {
    isShown: ({ asked }) => asked.sweep > 0,
    key: ({ asked }) => [asked.sweep],
    ask: sweepQuestionOf,
    take: (store, { step, problem }) =>
      step || problem ? swept(store, step ?? { problem }) : store,
  },

  /** What the tour reads of the trained model. */
  lesson: {
    isShown: ({ tour: { step, lesson, failed } }) =>
      step !== null && !lesson && failed?.step !== step,
    key: ({ tour }) => [tour.failed],
    ask: () => undefined,
    after: lessonCame,
  },

  /** What a step of the tour needs, one after another. */
  tour: {
    isShown: (store) => tourQuestionOf(store) !== null,
    key: (store) => [JSON.stringify(tourQuestionOf(store))],
    ask: (store) => /** @type {TourQuestion} */ (tourQuestionOf(store)),
    after: stepCame,
  },
};

/**
 * The picture is whole, and the worker has it: that of the build is not computed.
 * @param {Store} store
 */
function isWhole({ chosen, answer: { picture, facts } }) {
  return isOfTexts(chosen.mode) && picture !== null && !facts.isPrerendered && !facts.unfinished;
}

/**
 * No other picture is due.
 * @param {Store} store
 */
export function isSettled(store) {
  return isWhole(store) && !store.awaited.picture;
}

/**
 * The rows are written by a model, which knows what may come next.
 * @param {Store} store
 */
function isWritten({ answer: { picture, facts } }) {
  return picture !== null && facts.hasNext && !facts.fixed && !picture.part.startsWith('encoder');
}

/**
 * Tokens of the text beside, in the selected row.
 * @param {Store} store
 */
function besideTokens({ chosen, answer: { picture } }) {
  return picture?.beside?.rowTokens?.[placeInPicture(picture, chosen).row] ?? [];
}

/** @param {number[]} tokens */
const spanOf = (tokens) => ({ token: tokens[0], last: tokens[tokens.length - 1] });

/**
 * The latest question of a row with its answer, where it is shown; else null. While it is due the answer is the former one.
 * @template {QuestionName} Name
 * @param {Store} store
 * @param {Name} name
 * @returns {Answers[Name] | null}
 */
export const answerOf = (store, name) =>
  table[name].isShown(store) ? (store.answers[name] ?? null) : null;

/**
 * An answer is due that the page waits for; those that come step by step are not waited for.
 * @param {Store} store
 */
export const isWaiting = (store) =>
  isAwaiting(store) || Object.values(store.answers).some(({ isDue }) => isDue);

/**
 * The store with the questions that follow from it.
 * @param {Store} store
 * @param {Partial<Rows>} [rows]
 * @returns {Store}
 */
export function follow(store, rows = table) {
  const followed = followTour(followModel(followSweep(store)));
  const shown = /** @type {ShownStore} */ (followed);
  let next = followed;
  for (const [name, row] of /** @type {[QuestionName, Row<QuestionName>][]} */ (
    Object.entries(rows)
  )) {
    if (!row.isShown(followed) || row.isReady?.(followed) === false) continue;
    const key = row.key(shown);
    const before = next.answers[name];
    if (before && isSame(before.key, key)) continue;
    const { answer = null, problem = '' } = before ?? {};
    const isDue = !row.take;
    next = withAnswer(next, name, { key, question: row.ask(shown), isDue, answer, problem });
  }
  return next;
}

/** @type {(one: Key, other: Key) => boolean} */
const isSame = (one, other) => one.every((value, at) => Object.is(value, other[at]));

/**
 * @param {Store} store
 * @param {QuestionName} name
 * @param {object} answer
 * @returns {Store}
 */
const withAnswer = (store, name, answer) => ({
  ...store,
  answers: /** @type {Partial<Answers>} */ ({ ...store.answers, [name]: answer }),
});

/**
 * Something came back for a question: a step, the answer or a problem. What nobody waits for any more is dropped.
 * @template {QuestionName} Name
 * @param {Store} store
 * @param {Name} name
 * @param {Key} key of the question
 * @param {Omit<Came<Name>, 'isLatest' | 'question'>} what
 * @returns {Store}
 */
export function came(store, name, key, what) {
  const latest = store.answers[name];
  const isLatest = latest?.key === key;
  const { take, takesOlder, after } = table[name];
  if (!latest || (!isLatest && (!takesOlder || what.problem !== undefined))) return store;
  const all = { ...what, isLatest, question: latest.question };
  if (take) return take(store, all);
  const { answer = null, problem = '' } = what;
  const next = withAnswer(store, name, { ...latest, isDue: false, answer, problem });
  return after ? after(next, all) : next;
}

/**
 * The worker was replaced by a new one, which has not been asked anything: what was due is asked again.
 * @param {Store} store
 * @returns {Store}
 */
export function restarted(store) {
  // Questions that the reader asked by a button are not asked again.
  const kept = Object.entries(store.answers).filter(([name]) => name in store.asked);
  return askPicture({
    ...modelStopped(filesStopped(swept(store, { problem: 'it was stopped' }))),
    ...{ loading: null, scores: null, answers: Object.fromEntries(kept) },
    awaited: { picture: false, inspection: false },
  });
}
