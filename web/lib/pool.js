// attention-wasm/pool for browsers, and wherever else workers are those of the web.
/* global Worker */
import { createPoolLoader } from './pool/load_pool.js';
import { inPages } from './pool/worth_a_worker.js';

export const loadAttentionPool = createPoolLoader({
  // Spelled out in one expression, as bundlers want to see it.
  createWorker: () => new Worker(new URL('./pool_worker.js', import.meta.url), { type: 'module' }),
  cores: () => globalThis.navigator?.hardwareConcurrency ?? 1,
  worth: inPages,
});
