// attention-wasm/pool for browsers and other environments with web workers.
/* global Worker */
import { loadFile } from './module/load_file.js';
import { createPoolLoader } from './pool/load_pool.js';
import { createFromEither, FallbackWorker } from './pool/fallback_worker.js';
import { inPages } from './pool/workers.js';

export const loadAttentionPool = createPoolLoader({
  createWorker: createFromEither({
    // One expression, so that bundlers recognize it.
    fromFile: () => new Worker(new URL('./pool_worker.js', import.meta.url), { type: 'module' }),
    async fromCode() {
      const { default: code } = await loadFile(
        'pool_worker_code.js',
        () => import('./pool_worker_code.js'),
      );
      const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
      try {
        return new Worker(url);
      } finally {
        // Later: Firefox fetches the URL asynchronously.
        setTimeout(() => URL.revokeObjectURL(url), 60_000);
      }
    },
  }),
  hasWorkers: () => typeof Worker === 'function',
  cores: () => globalThis.navigator?.hardwareConcurrency ?? 1,
  // A Worker that tests define outside of browsers may run in this thread.
  isThread: (worker) =>
    globalThis.crossOriginIsolated === true &&
    (worker instanceof FallbackWorker || worker instanceof Worker),
  worth: inPages,
});
