// attention-wasm/pool for browsers, and wherever else workers are those of the web.
/* global Worker */
import { createPoolLoader } from './pool/load_pool.js';
import { createFromEither } from './pool/worker_of_two_sources.js';
import { inPages } from './pool/worth_a_worker.js';

export const loadAttentionPool = createPoolLoader({
  createWorker: createFromEither({
    // Spelled out in one expression, as bundlers want to see it.
    fromFile: () => new Worker(new URL('./pool_worker.js', import.meta.url), { type: 'module' }),
    async fromCode() {
      const { default: code } = await import('./pool_worker_code.js');
      const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
      try {
        return new Worker(url);
      } finally {
        // Firefox has to have begun to read it.
        setTimeout(() => URL.revokeObjectURL(url), 60_000);
      }
    },
  }),
  hasWorkers: () => typeof Worker === 'function',
  cores: () => globalThis.navigator?.hardwareConcurrency ?? 1,
  worth: inPages,
});
