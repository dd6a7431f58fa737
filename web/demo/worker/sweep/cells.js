// Cells of a sweep: the heads of a reading, or the words of one of its texts, each with the block that takes it away.

import { keysOf, placeOfPart, writeBlock } from '../../blocks.js';
import { wordsIn } from '../sources/token_groups.js';

/** @import { DrawnReading, Part, SweepCell } from '../../types' */

/** @param {number} count */
const range = (count) => Array.from({ length: count }, (_, at) => at);

/**
 * Every head of every layer; a rollout has none.
 * @param {DrawnReading} reading
 * @returns {SweepCell[]}
 */
export const headCells = ({ parts }) =>
  parts.flatMap(({ id, heads, kind }) =>
    range(kind === 'rollout' ? 0 : heads).map((head) => {
      const block = writeBlock({ ...placeOfPart(id), head });
      return { text: `head ${head + 1}`, part: id, head, block };
    }),
  );

/**
 * Every word of the text that a part looks at.
 * @param {Part} part
 * @param {DrawnReading} reading
 * @returns {SweepCell[]}
 */
export function wordCells(part, reading) {
  const stack = keysOf(placeOfPart(part.id).stack);
  return wordsIn(part.columns ?? reading.columns).map(({ text, tokens }) => ({
    ...{ text, columns: tokens },
    block: writeBlock({ stack, columns: tokens }),
  }));
}
