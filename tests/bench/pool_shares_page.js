// The page of pool_shares.js.
import { loadAttention } from '../../web/built/index.js';
import { loadAttentionPool } from '../../web/built/pool.js';
import { measureShares } from './pool_shares_in.js';

function startWorker() {
  const worker = new globalThis.Worker(new URL('share_worker.js', import.meta.url), {
    type: 'module',
  });
  const next = () =>
    new Promise((resolve) => {
      worker.onmessage = ({ data }) => resolve(data);
    });
  return {
    postMessage: (message) => worker.postMessage(message),
    next,
    terminate: () => worker.terminate(),
  };
}

globalThis.measureShares = (report) =>
  measureShares({ loadAttention, loadAttentionPool, startWorker }, report);
