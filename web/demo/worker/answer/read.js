// First step: the reading of a request, the tokens and vectors or weights that its source has for the texts.

import { withRollouts } from '../sources/rollout_parts.js';
import { Cache } from './cache.js';
import { besideRequestOf } from './request.js';

/** @import { Reading } from '../../types' */
/** @import { PictureRequest, ReadingContext, ReportedProgress, RequestContext } from '../types' */

/** @typedef {(progress: ReportedProgress, partial?: { reading: Reading, key: string }) => unknown} Report */

/** Readings of the last requests: with blocks, without, and of the text beside. */
export function createReader() {
  /** @type {Cache<Reading>} */
  const plain = new Cache();
  /** @type {Cache<Reading>} */
  const blocked = new Cache();
  /** @type {Cache<Reading>} */
  const beside = new Cache();

  /**
   * The text beside; without words, the text's own reading.
   * @param {PictureRequest} request
   * @param {Reading} own
   * @param {Report} report
   */
  async function readBeside(request, own, report) {
    const other = besideRequestOf(request);
    if (!other) return undefined;
    const { source, question, key } = other;
    const context = contextOf(other, (progress) => report(progress));
    const reading = await beside.get(key, async () =>
      withRollouts(await source.read(question, context)),
    );
    if (reading.kind !== 'none' && reading.rows.length > 0 && reading.columns.length > 0) {
      return reading;
    }
    return own.kind === 'none' ? undefined : own;
  }

  /**
   * `report(progress, partial)` is called while the source works, with { text, fraction } and the result so far if there
   * is one. Resolves to { reading, besideReading?, key }, equal keys for equal readings.
   * @param {PictureRequest} request
   * @param {Report} report
   */
  return async function read(request, report) {
    const { id, source, question, key } = request;
    const complete = await completing(request);
    const context = contextOf(request, (progress, reading) =>
      report(progress, reading && { reading: complete(reading), key: `${id} ${progress.text}` }),
    );
    const reading = await (question.block ? blocked : plain).get(key, async () =>
      complete(await source.read(question, context)),
    );
    await request.step();
    return { reading, besideReading: await readBeside(request, reading, report), key };
  };
}

/**
 * The context of source.read(); reports of an outdated request are dropped, but for those of loading its source.
 * @param {RequestContext} request
 * @param {(progress: ReportedProgress, reading?: Reading) => unknown} report
 * @returns {ReadingContext}
 */
function contextOf({ api, signal, step }, report) {
  return {
    ...{ api, signal, step },
    report: ({ reading, ...progress }) =>
      signal.aborted && !progress.isLoading ? undefined : report(progress, reading),
  };
}

/**
 * Returns a function that adds to a source's reading what no source has to know: blocks and rollouts.
 * @param {PictureRequest} request
 * @returns {Promise<(reading: Reading) => Reading>}
 */
async function completing({ question: { block } }) {
  const whatIf = block ? await import('../what_if.js') : null;
  return (read) => withRollouts(whatIf && block ? whatIf.markBlocks(read, block) : read);
}
