// Runs the test vectors in this page and in a module worker; the test awaits globalThis.reports.

import { loadAttention } from '../../../web/built/index.js';
import { fetchVectors } from './fetch_vectors.js';
import { runVectors } from './run_vectors.js';
import { violations } from './violations.js';

async function inPage() {
  return runVectors(loadAttention, ...(await fetchVectors()));
}

function inWorker() {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('vectors_worker.js', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => reject(new Error(`the worker failed: ${event.message}`));
  });
}

globalThis.reports = (async () => ({
  page: await inPage(),
  worker: await inWorker(),
  violations,
}))();
