// attention-wasm/pool for Node.js.
import { availableParallelism } from 'node:os';
import process from 'node:process';
import { Worker } from 'node:worker_threads';
import { createPoolLoader } from './load_pool.js';
import { inNode } from './worth_a_worker.js';

export const loadAttentionPool = createPoolLoader({
  createWorker: () =>
    new Worker(new URL('./pool_worker.node.js', import.meta.url), {
      // Of a script on the command line its kind would be told to the worker, which is a file.
      execArgv: process.execArgv.filter((argument) => !argument.startsWith('--input-type')),
    }),
  cores: availableParallelism,
  worth: inNode,
});
