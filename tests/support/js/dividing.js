// An option of loadModel() that divides every model among the workers of a pool. Imports nothing: pages use it.

/** @import { AttentionPool } from 'attention-wasm/pool' */

const internals = Symbol.for('attention-wasm');

/** A plan whose layers are large. */
const largePlan = { stacks: { self: { layers: [{ weights: { widen: { shape: [1e5, 1e5] } } }] } } };

/**
 * The pool as an option of loadModel() that divides every model.
 * @param {AttentionPool} pool
 * @returns {AttentionPool}
 */
export function dividing(pool) {
  const createModelApi = () => pool[internals].createModelApi({ plan: largePlan });
  return Object.create(pool, { [internals]: { value: { createModelApi } } });
}
