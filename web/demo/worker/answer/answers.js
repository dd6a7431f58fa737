// From a request to its answer: read → compute → arrange → post; and questions about the current picture.

import { arrange, keyOf } from './arrange.js';
import { createComputer } from './compute.js';
import { inspectionAt } from './inspected.js';
import { buffersIn, createPosting } from './post.js';
import { createReader } from './read.js';
import { requestOf } from './request.js';
import { tensorsOf } from './tensors.js';

/** @import { Reading, ReferenceShares } from '../../types' */
/** @import { InspectedPlace, State, SweepQuestion } from '../../state/types' */
/** @import { Computation, Drawn, MeasuringContext, MeasurableSource, PictureRequest, RequestContext } from '../types' */
/** @import { Post } from './post.js' */

/**
 * @param {Post} post
 * @param {ReferenceShares} [referenceShares] of the built-in model
 */
export function createAnswers(post, referenceShares = {}) {
  const read = createReader();
  const compute = createComputer();
  const posting = createPosting(post);
  /** @type {Computation & { drawn: Drawn } | null} */
  let current = null; // computation of the current picture

  /**
   * The steps that follow reading; a partial reading is shown in the same way.
   * @param {PictureRequest} request
   * @param {{ reading: Reading, besideReading?: Reading, key: string }} result
   */
  async function show(request, result) {
    const computation = await compute(request, result);
    const answer = { id: request.id, isWhole: !computation.reading.unfinished };
    const key = computation.labels ? keyOf(computation) : '';
    if (computation.labels && current && posting.same(answer, key)) {
      current = { ...computation, drawn: current.drawn };
      return;
    }
    const { drawn, ...arranged } = await arrange(computation, referenceShares);
    current = computation.labels && drawn && { ...computation, drawn };
    posting.answer(answer, arranged, key);
  }

  /** @param {PictureRequest} request */
  async function answer(request) {
    const { id } = request;
    const result = await read(request, (progress, partial) => {
      post({ type: 'progress', id, ...progress });
      return partial && show(request, partial);
    });
    await show(request, result);
  }

  return {
    /**
     * Answers with a picture.
     * @param {number} id
     * @param {State} state
     * @param {RequestContext} context
     */
    async show(id, state, context) {
      try {
        await answer(requestOf(id, state, context));
      } catch (error) {
        // The page shows an error in place of the picture.
        if (!context.signal.aborted) current = null;
        throw error;
      }
    },

    /**
     * Posts the computation behind a weight of the current picture.
     * @param {number} id
     * @param {InspectedPlace} place
     */
    inspect(id, place) {
      if (!current) return;
      const inspection = inspectionAt(current, place);
      post({ type: 'inspected', id, inspection }, buffersIn(inspection));
    },

    /**
     * NextWords for, or after, the tokens from `token` to `last` of a row; `isOther`: of the text beside.
     * @param {number} token
     * @param {number} last
     * @param {boolean} isOther
     */
    nextWords(token, last, isOther = false) {
      const reading = isOther ? current?.besideReading : current?.reading;
      if (!current || !reading) return {};
      const id = current.part.id;
      const part = reading.parts.find((one) => one.id === id);
      const isWritten = part && (part.rows ?? reading.rows) === reading.rows;
      return isWritten && last < reading.rows.length ? reading.nextWords?.(token, last) : {};
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
    headScores: (sequence) => shown().reading.headScores?.(sequence),

    /** The head and the pair of words in which the text beside differs most, or null. */
    async difference() {
      if (!current?.besideReading) return null;
      const { besideReading } = current;
      const { strongestDifference } = await import('../compute/strongest_difference.js');
      return strongestDifference({ ...current, besideReading });
    },

    /** What the blocks change in what the model writes: an Effect (types.d.ts), or null. */
    effect: async () => (await current?.reading.effect?.()) ?? null,

    /**
     * Measures what each head or word changes: sweep/sweep.js.
     * @param {SweepQuestion} question
     * @param {Pick<MeasuringContext, 'signal' | 'step' | 'tell' | 'report'>} context
     */
    async sweep(question, context) {
      const { request, reading } = shown();
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
}
