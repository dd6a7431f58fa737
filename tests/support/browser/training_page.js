// attention-wasm/training in a page, and in a worker of it.
import { loadTraining } from '/web/built/training.js';
import { digestOfRun } from '../js/training_runs.js';

globalThis.digests = async () => {
  const worker = new Worker(new URL('training_worker.js', import.meta.url), { type: 'module' });
  const inWorker = new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = () => reject(new Error('the worker failed'));
  });
  return [digestOfRun(await loadTraining()), await inWorker];
};
