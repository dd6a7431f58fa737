// attention-wasm/pool for edge runtimes, which have no workers: those that createWorker makes, if any. The name of a worker's
// file would add code for pages to their bundles (webpack's asks for the document).
import { createPoolLoader } from './load_pool.js';
import { inPages } from './workers.js';

export const loadAttentionPool = createPoolLoader({
  hasWorkers: () => false,
  cores: () => 1,
  isThread: () => false,
  worth: inPages,
});
