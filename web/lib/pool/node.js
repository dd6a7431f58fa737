// attention-wasm/pool for Node.js.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { loadFile } from '../module/load_file.js';
import { createPoolLoader } from './load_pool.js';
import { createFromEither, FallbackWorker } from './fallback_worker.js';
import { inNode } from './workers.js';

// Without this process's execArgv: workers do not accept all of its options.
const start = (url) => new Worker(url, { execArgv: [] });

// Defines the two functions of web workers that the code of the worker calls.
const names = `
  import { parentPort } from 'node:worker_threads';
  globalThis.postMessage = (...message) => parentPort.postMessage(...message);
  globalThis.addEventListener = (event, listener) =>
    parentPort.on(event, (data) => listener({ data }));
`;

export const loadAttentionPool = createPoolLoader({
  createWorker: createFromEither({
    fromFile: () => start(new URL('./pool_worker.node.js', import.meta.url)),
    async fromCode() {
      const { default: code } = await loadFile(
        'pool_worker_code.js',
        () => import('./pool_worker_code.js'),
      );
      return start(new URL(`data:text/javascript,${encodeURIComponent(names + code)}`));
    },
  }),
  hasWorkers: () => true,
  cores: availableParallelism,
  isThread: (worker) => worker instanceof FallbackWorker || worker instanceof Worker,
  worth: inNode,
});
