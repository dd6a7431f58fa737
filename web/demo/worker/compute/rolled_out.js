// Weights of a rollout, computed when it is first shown.

/** @import { AttentionApi } from 'attention-wasm' */
/** @import { DrawnReading, Part } from '../../types' */

/**
 * Computes a rollout, unless it is done.
 * @param {AttentionApi} api
 * @param {Part} part
 * @param {DrawnReading} reading
 */
export async function rollOut(api, part, reading) {
  if (part.kind !== 'rollout' || part.rolledOut) return;
  const { rolloutOf } = await import('./rollout.js');
  part.rolledOut = rolloutOf(api, part, reading);
}
