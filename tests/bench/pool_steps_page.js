// The page of pool_steps.js.
import { loadModel } from '../../web/built/models.js';
import { loadAttentionPool } from '../../web/built/pool.js';
import { measureSteps } from './pool_steps_in.js';

const createWorker = () =>
  new globalThis.Worker(new URL('pool_steps_worker.js', import.meta.url), { type: 'module' });

globalThis.measureSteps = (only, report) =>
  measureSteps({ loadAttentionPool, loadModel, createWorker }, only, report);
