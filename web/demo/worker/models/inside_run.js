// Captures inside a run of a model: the model, the input, the blocks, and the norms where the weights are known.

/** @import { ModelInput, RunOptions } from 'attention-wasm/models' */
/** @import { OpenedModel } from '../types' */

/**
 * `inside()` of a reading.
 * @param {OpenedModel} opened
 * @param {ModelInput} input
 * @param {RunOptions} blocked
 */
export const createInside =
  ({ model, isNaming, known }, input, blocked) =>
  async () => ({ model, input, blocked, isNaming, norm: known?.norm });
