// From a request to its answer: read → compute → arrange → post; and questions about the current picture.

import { arrange, keyOf } from './arrange.js';
import { createComputer } from './compute.js';
import { inspectionAt } from './inspected.js';
import { buffersIn, createPosting } from './post.js';
import { createReader } from './read.js';
import { requestOf } from './request.js';
import { tensorsOf } from './tensors.js';

/** `post(message, transferables)`; `referenceShares`: part → reference shares of its heads, for the built-in model. */
export function createAnswers(post, referenceShares = {}) {
  const read = createReader();
  const compute = createComputer();
  const posting = createPosting(post);
  let current = null; // computation of the current picture, with `drawn`

  /** The steps that follow reading; a partial reading is shown in the same way. */
  async function show(request, result) {
    const computation = await compute(request, result);
    const { labels, reading } = computation;
    const answer = { id: request.id, isWhole: !reading.unfinished };
    const key = labels ? keyOf(computation) : '';
    if (labels && current && posting.same(answer, key)) {
      current = { ...computation, drawn: current.drawn };
      return;
    }
    const { drawn, ...arranged } = await arrange(computation, referenceShares);
    current = drawn && { ...computation, drawn };
    posting.answer(answer, arranged, key);
  }

  async function answer(request) {
    const { id } = request;
    const result = await read(request, (progress, partial) => {
      post({ type: 'progress', id, ...progress });
      return partial && show(request, partial);
    });
    await show(request, result);
  }

  return {
    /** Answers with a picture; `context` as in request.js. */
    async show(id, state, context) {
      try {
        await answer(requestOf(id, state, context));
      } catch (error) {
        // The page shows an error in place of the picture.
        if (!context.signal.aborted) current = null;
        throw error;
      }
    },

    /** Posts the computation behind a weight of the current picture. */
    inspect(id, place) {
      if (!current) return;
      const inspection = inspectionAt(current, place);
      post({ type: 'inspected', id, inspection }, buffersIn(inspection));
    },

    /** NextWords for, or after, the tokens from `token` to `last` of a row; `isOther`: of the text beside. */
    nextWords(token, last, isOther = false) {
      const reading = isOther ? current?.besideReading : current?.reading;
      const part = reading?.parts.find(({ id }) => id === current.part.id);
      const isWritten = part && (part.rows ?? reading.rows) === reading.rows;
      return isWritten && last < reading.rows.length ? reading.nextWords?.(token, last) : {};
    },

    /** The block of the current layer at a token: an Inside (types.d.ts). */
    async inside(row) {
      const { insideOf } = await import('../compute/inside.js');
      return insideOf(shown(), row);
    },

    /** Scores of the heads of the reader's model in one sequence. */
    headScores: (sequence) => shown().reading.headScores(sequence),

    /** The head and the pair of words in which the text beside differs most, or null. */
    async difference() {
      if (!current?.besideReading) return null;
      const { strongestDifference } = await import('../compute/strongest_difference.js');
      return strongestDifference(current);
    },

    /** What the blocks change in what the model writes: an Effect (types.d.ts), or null. */
    effect: async () => (await current?.reading.effect?.()) ?? null,

    /** Measures what each head or word changes: sweep/sweep.js. */
    async sweep(question, context) {
      const { request, reading } = shown();
      if (reading.unfinished) throw new Error('the text is still being written');
      const { sweep } = await import('../sweep/sweep.js');
      const subject = { source: request.source, request: request.question, reading };
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
