// An option of loadModel() that divides every model among the workers of a pool. Imports nothing: pages use it.

const internals = Symbol.for('attention-wasm');

/** A plan whose layers are large. */
const largePlan = { stacks: { self: { layers: [{ weights: { widen: { shape: [1e5, 1e5] } } }] } } };

/** The pool as an option of loadModel() that divides every model. */
export const dividing = (pool) => ({
  [internals]: { createModelApi: () => pool[internals].createModelApi({ plan: largePlan }) },
});
