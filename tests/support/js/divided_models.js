// Models divided among all workers of a pool, however small they are.
import { loadModel } from 'attention-wasm/models';
import { dividing } from './dividing.js';

export { dividing };

export const loadDivided = (source, pool, options) =>
  loadModel(source, { ...options, pool: dividing(pool) });

export async function allTokens(generated) {
  const tokens = [];
  for await (const token of generated) tokens.push(token);
  return tokens;
}
