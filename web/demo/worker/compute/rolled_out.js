// Weights of a rollout, computed when it is first shown.

/** @import { AttentionApi } from 'attention-wasm' */
/** @import { Part, Reading, WeightPart } from '../../types' */

/**
 * Computes a rollout, unless it is done.
 * @param {AttentionApi} api
 * @param {Part | (Omit<WeightPart, 'weights'> & { weights?: undefined })} part
 * @param {Reading} reading
 */
export async function rollOut(api, part, reading) {
  if (!part.layers || part.weights) return;
  const { rolloutOf } = await import('./rollout.js');
  Object.assign(part, rolloutOf(api, part.id, part.layers, reading));
}
