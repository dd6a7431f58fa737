// Runs the test vectors in this page and in a module worker; the test awaits globalThis.reports.

import { fused } from '/web/built/fused.js';
import { loadAttention } from '/web/built/index.js';
import { fetchVectors } from './fetch_vectors.js';
import { runVectors } from './run_vectors.js';
import { violations } from './violations.js';

async function inPage() {
  return runVectors(loadAttention, fused, ...(await fetchVectors()));
}

function inWorker() {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('vectors_worker.js', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => reject(new Error(`the worker failed: ${event.message}`));
  });
}

// A module with f32x4.relaxed_madd: valid only in engines with relaxed SIMD.
const usesRelaxedSimd = [
  [0, 97, 115, 109, 1, 0, 0, 0],
  [1, 6, 1, 96, 1, 123, 1, 123],
  [3, 2, 1, 0],
  [10, 13, 1, 11, 0, 32, 0, 32, 0, 32, 0, 253, 133, 2, 11],
];

globalThis.hasRelaxedSimd = WebAssembly.validate(Uint8Array.from(usesRelaxedSimd.flat()));

globalThis.reports = (async () => ({
  page: await inPage(),
  worker: await inWorker(),
  violations,
}))();
