// Second step: every stage of the chosen part, from q·k to the weights, computed by the library.

import { canMove } from '../compute/picture.js';
import { rollOut } from '../compute/rolled_out.js';
import { computeStages } from '../compute/stages.js';
import { LargeCache } from './cache.js';
import { labelsOf } from './labels.js';

/** @import { DrawnReading, Part, Reading, Stages } from '../../types' */
/** @import { State } from '../../state/types' */
/** @import { Computation, Computed, EmptyComputation, PictureRequest } from '../types' */

/**
 * Fields that the stages of a part depend on.
 * @type {(keyof State)[]}
 */
export const computedWith = [
  'kind',
  'scale',
  'ownScale',
  'temperature',
  'softcap',
  'causal',
  'windowLeft',
  'windowRight',
];

const maxBytes = 256 * 2 ** 20;

/** Computations of the layers that were looked at last, within 256 MB. */
export function createComputer() {
  /** @type {LargeCache<Computed>} */
  const cache = new LargeCache(maxBytes);

  /**
   * Without tokens nothing is computed.
   * @param {PictureRequest} request
   * @param {{ reading: Reading, besideReading?: DrawnReading, key: string }} read result of the first step
   * @returns {Promise<Computation | EmptyComputation>}
   */
  return async function compute(request, { reading, besideReading, key: readKey }) {
    const { api, state, step } = request;
    if (reading.kind === 'none') return { request, reading, part: null, labels: null };
    const part = reading.parts.find((one) => one.id === state.part) ?? reading.parts[0];
    const labels = labelsOf(part, reading);
    if (labels.rows.length === 0 || labels.columns.length === 0)
      return { request, part, reading, labels: null };
    await rollOut(api, part, reading);
    const key = JSON.stringify([readKey, part.id, computedWith.map((name) => state[name])]);
    const computed = await cache.get(readKey, key, () => computeStages(api, part, reading, state));
    await step();
    const stages = await stagesFor(part, computed, state);
    await step();
    return { request, part, labels, reading, besideReading, computed, stages, key };
  };
}

/**
 * Stages of the part, with 'moved' if requested.
 * @param {Part} part
 * @param {Computed} computed
 * @param {State} state
 * @returns {Promise<Stages>}
 */
async function stagesFor(part, computed, { stage }) {
  if (stage !== 'moved' || !canMove(part)) return computed.stages;
  const { withMoved } = await import('../compute/moved.js');
  return withMoved(part, computed);
}
