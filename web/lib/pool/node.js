// attention-wasm/pool for Node.js.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { createPoolLoader } from './load_pool.js';
import { inNode } from './worth_a_worker.js';

export const loadAttentionPool = createPoolLoader({
  createWorker: () =>
    // Without the arguments of this process: they are for its script, and some no worker can have.
    new Worker(new URL('./pool_worker.node.js', import.meta.url), { execArgv: [] }),
  cores: availableParallelism,
  worth: inNode,
});
