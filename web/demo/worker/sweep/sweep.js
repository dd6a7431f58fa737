// A sweep: what a model writes, measured again with each head switched off, or each word hidden, one after another. The
// answer comes in messages: { plan }, then { first, runs } whenever some runs are done, then { isDone }; or { why }.

import { headCells, wordCells } from './cells.js';

const between = 40; // ms between messages

/** @import { ModelReading } from '../../types' */
/** @import { SweepQuestion } from '../../state/types' */
/** @import { Swept } from '../messages' */
/** @import { MeasurableSource, MeasuringContext, SourceQuestion } from '../types' */

/**
 * A list of blocks with one more.
 * @type {(blocks: string, one: string) => string}
 */
const withBlock = (blocks, one) => (blocks ? `${blocks},${one}` : one);

/**
 * @param {{ source: MeasurableSource, request: SourceQuestion, reading: ModelReading }} shown the current picture
 * @param {Pick<SweepQuestion, 'over' | 'part' | 'row' | 'difference'>} question
 * @param {Omit<MeasuringContext, 'begin' | 'add'>} context
 */
export async function sweep({ source, request, reading }, question, context) {
  const { over, part, row, difference } = question;
  const { tell, step } = context;
  const layer = reading.parts.find(({ id }) => id === part) ?? reading.parts[0];
  const now = request.block ?? '';
  const items = now.split(',');
  const cells = (over === 'heads' ? headCells(reading) : wordCells(layer, reading)).map((cell) => ({
    ...cell,
    isBlocked: items.includes(cell.block),
  }));
  const post = createPosts(tell);
  const measured = await source.measure(
    {
      ...{ request, reading, row, now, difference },
      blocks: cells.map(({ block }) => withBlock(now, block)),
    },
    {
      ...context,
      begin: (base) => tell({ plan: { over, cells, ...base } }),
      add: post.add,
    },
  );
  if (measured?.why) {
    tell(measured);
    return;
  }
  await step();
  post.send();
  tell({ isDone: true });
}

/**
 * Collects runs, so that not every one needs a message.
 * @param {(message: Swept) => void} tell
 */
function createPosts(tell) {
  /** @type {ArrayLike<number>[]} */
  let runs = [];
  let first = 0;
  let last = performance.now();
  function send() {
    if (runs.length > 0) tell({ first, runs });
    first += runs.length;
    [runs, last] = [[], performance.now()];
  }
  return {
    send,
    /**
     * ln p of the targets in the next run.
     * @param {ArrayLike<number>} logProbabilities
     */
    add(logProbabilities) {
      runs.push(logProbabilities);
      if (performance.now() - last > between) send();
    },
  };
}
