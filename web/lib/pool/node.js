// attention-wasm/pool for Node.js.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { createPoolLoader } from './load_pool.js';
import { createFromEither } from './worker_of_two_sources.js';
import { inNode } from './worth_a_worker.js';

// Without the arguments of this process: they are for its script, and some no worker can have.
const start = (url) => new Worker(url, { execArgv: [] });

// The code is that of a worker of the web, for which Node.js has other names.
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
      const { default: code } = await import('./pool_worker_code.js');
      return start(new URL(`data:text/javascript,${encodeURIComponent(names + code)}`));
    },
  }),
  hasWorkers: () => true,
  cores: availableParallelism,
  worth: inNode,
});
