// From a request to its answer: read → compute → arrange → post; and questions about the current picture. The functions are
// methods of the worker, as messages.d.ts has them.

import { transfer } from '../calls.js';
import { arrange, keyOf } from './arrange.js';
import { createComputer } from './compute.js';
import { inspectionAt } from './inspected.js';
import { createPosting } from './post.js';
import { createReader } from './read.js';
import { requestOf } from './request.js';
import { tensorsOf } from './tensors.js';

/** @import { DrawnReading, ReferenceShares, Reading } from '../../types' */
/** @import { InspectedPlace, State, SweepQuestion } from '../../state/types' */
/** @import { PageWorker, WordPlace } from '../messages' */
/** @import { Computation, Drawn, MeasuringContext, MeasurableSource, PictureRequest, RequestContext } from '../types' */

/** @typedef {Parameters<PageWorker['show']>[1]} ShowEvents */

/** @param {ReferenceShares} [referenceShares] of the built-in model */
export function createAnswers(referenceShares = {}) {
  const read = createReader();
  const compute = createComputer();
  const post = createPosting();
  let last = 0; // id of the latest request
  /** @type {Computation & { drawn: Drawn } | null} */
  let current = null; // computation of the current picture

  /**
   * The steps that follow reading; a partial reading is shown in the same way.
   * @param {PictureRequest} request
   * @param {{ reading: Reading, besideReading?: DrawnReading, key: string }} result
   * @param {ShowEvents} on
   */
  async function show(request, result, on) {
    const computation = await compute(request, result);
    const isWhole = !isUnfinished(computation.reading);
    const key = computation.labels ? keyOf(computation) : '';
    if (computation.labels && current && post.same(on, isWhole, key)) {
      current = { ...computation, drawn: current.drawn };
      return;
    }
    const { drawn, ...arranged } = await arrange(computation, referenceShares);
    current = computation.labels && drawn && { ...computation, drawn };
    post.answer(on, isWhole, arranged, key);
  }

  /**
   * @param {PictureRequest} request
   * @param {ShowEvents} on
   */
  async function answer(request, on) {
    const result = await read(request, (progress, partial) => {
      on.progress(progress);
      return partial && show(request, partial, on);
    });
    await show(request, result, on);
  }

  return {
    /**
     * Answers with a picture.
     * @param {State} state
     * @param {ShowEvents} on
     * @param {RequestContext} context
     */
    async show(state, on, context) {
      try {
        await answer(requestOf(++last, state, context), on);
      } catch (error) {
        // The page shows an error in place of the picture.
        if (!context.signal.aborted) current = null;
        throw error;
      }
    },

    /**
     * The computation behind a weight of the current picture.
     * @param {InspectedPlace} place
     */
    inspect: (place) => current && transfer({ inspection: inspectionAt(current, place) }),

    /**
     * NextWords for, or after, the tokens of a row.
     * @param {WordPlace} place
     */
    nextWords({ token, last, isOther = false }) {
      const reading = isOther ? current?.besideReading : current?.reading;
      if (!current || reading?.kind !== 'model') return {};
      const id = current.part.id;
      const part = reading.parts.find((one) => one.id === id);
      const isWritten = part && (part.rows ?? reading.rows) === reading.rows;
      return isWritten && last < reading.rows.length
        ? (reading.nextWords?.(token, last) ?? {})
        : {};
    },

    /**
     * The block of the current layer at a token.
     * @param {number} row
     */
    async inside(row) {
      const { insideOf } = await import('../compute/inside.js');
      return insideOf(shown(), row);
    },

    /**
     * Scores of the heads of the reader's model in one sequence.
     * @param {number} sequence
     */
    headScores: (sequence) => shownRun().headScores?.(sequence),

    /** The head and the pair of words in which the text beside differs most, or null. */
    async difference() {
      if (!current?.besideReading) return null;
      const { besideReading } = current;
      const { strongestDifference } = await import('../compute/strongest_difference.js');
      return strongestDifference({ ...current, besideReading });
    },

    /** What the blocks change in what the model writes: an Effect (types.d.ts), or null. */
    async effect() {
      const reading = current?.reading;
      return reading?.kind === 'model' ? ((await reading.effect?.()) ?? null) : null;
    },

    /**
     * Measures what each head or word changes: sweep/sweep.js.
     * @param {SweepQuestion} question
     * @param {Pick<MeasuringContext, 'signal' | 'step' | 'tell' | 'report'>} context
     */
    async sweep(question, context) {
      const { request } = shown();
      const reading = shownRun();
      if (reading.unfinished) throw new Error('the text is still being written');
      const { sweep } = await import('../sweep/sweep.js');
      const source = /** @type {MeasurableSource} */ (request.source);
      const subject = { source, request: request.question, reading };
      await sweep(subject, question, { ...context, api: request.api });
    },

    /** Query, key, value, options and tokens of the current part. */
    tensors: () => current && tensorsOf(current),
  };

  function shown() {
    if (!current) throw new Error('no text is shown');
    return current;
  }

  function shownRun() {
    const { reading } = shown();
    if (reading.kind !== 'model') throw new Error('no model is shown');
    return reading;
  }
}

/** @param {Reading} reading */
const isUnfinished = (reading) => reading.kind === 'model' && reading.unfinished === true;
