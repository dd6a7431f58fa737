// Models divided among all workers of a pool, however small they are.
import { loadModel } from 'attention-wasm/models';

const internals = Symbol.for('attention-wasm');

/** A plan whose layers are large. */
const largePlan = { stacks: { self: { layers: [{ weights: { widen: { shape: [1e5, 1e5] } } }] } } };

/** The pool as an option of loadModel() that divides every model. */
export const dividing = (pool) => ({
  [internals]: { createModelApi: () => pool[internals].createModelApi({ plan: largePlan }) },
});

export const loadDivided = (source, pool, options) =>
  loadModel(source, { ...options, pool: dividing(pool) });

export async function allTokens(generated) {
  const tokens = [];
  for await (const token of generated) tokens.push(token);
  return tokens;
}
