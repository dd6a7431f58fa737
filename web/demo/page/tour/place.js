// Initial place in the lesson: the words, head and components that the tour shows first.

import { rowOf } from '../../tensors.js';

/** @import { Lookup } from '../../state_fields.js' */
/** @import { Lesson } from '../../types' */
/** @import { LookupAnswer } from '../../worker/messages' */

/**
 * The reader's choices in the tour; `at`: a number of the step's figure; the price list of the first step, and its answer.
 * @typedef {ReturnType<typeof beginning> & Chosen & { lookup: Lookup, found?: LookupAnswer }} TourPlace
 * @typedef {{ at: { of: string, row: number, column: number } | null }} Chosen
 */

/** Index of the number with the largest absolute value. */
const largestIn = (numbers) => {
  let found = 0;
  numbers.forEach((number, at) => {
    if (Math.abs(number) > Math.abs(numbers[found])) found = at;
  });
  return found;
};

/**
 * @param {Lesson} lesson
 * @returns indices of the rows and columns, and of components: `wide` in x, `component` in q, k, v and o, `joined` in
 * the concatenated heads, `out` in the result
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
