// attention-wasm/pool for Node.js.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { createPoolLoader } from './pool/load_pool.js';

export const loadAttentionPool = createPoolLoader({
  createWorker: () => new Worker(new URL('./pool_worker.node.js', import.meta.url)),
  cores: availableParallelism,
});
