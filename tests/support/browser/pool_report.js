// Runs pools in a page and reports their results, workers and shutdown.

import { attentionTensors, seeded } from '../js/random_tensors.js';
import { runPoolCases } from './pool_cases.js';
import { violations } from './violations.js';

// Number of tasks sent to workers.
let calls = 0;
const { postMessage } = Worker.prototype;
Worker.prototype.postMessage = function count(message, transfer) {
  if (message.task === 'call') calls++;
  postMessage.call(this, message, transfer);
};

const errorOf = (promise) =>
  promise.then(
    () => 'none',
    ({ name, message }) => `${name}: ${message}`,
  );

const big = attentionTensors(seeded('big'), { qLen: 800, kLen: 800, keyDim: 64, valueDim: 64 });
const attend = (pool) => pool.attention(big.query, big.key, big.value);

async function compute(loadAttentionPool) {
  const fingerprints = {};
  const asked = {};
  for (const workers of [1, 2, 3]) {
    const pool = await loadAttentionPool({ workers });
    const before = calls;
    fingerprints[workers] = await runPoolCases(pool);
    asked[workers] = calls - before;
    await pool.close();
  }
  return { fingerprints, asked };
}

async function end(loadAttentionPool) {
  const pool = await loadAttentionPool({ workers: 2 });
  await attend(pool);
  const pending = errorOf(attend(pool));
  // Workers answer after their pool was closed.
  for (const start = performance.now(); performance.now() < start + 200;);
  await Promise.all([pool.close(), pool.close()]);
  return { pending: await pending, later: await errorOf(attend(pool)) };
}

export async function report(loadAttentionPool) {
  const pool = await loadAttentionPool();
  return {
    workers: pool.workers,
    cores: navigator.hardwareConcurrency,
    isolated: globalThis.crossOriginIsolated,
    ...(await compute(loadAttentionPool)),
    ended: await end(loadAttentionPool),
    violations,
  };
}

/** Outcome of a pool whose first worker runs the script at `first`, the others the one at `others`. */
export async function replace(loadAttentionPool, first, others) {
  let made = 0;
  const createWorker = () => new Worker(made++ === 0 ? first : others, { type: 'module' });
  const pool = await loadAttentionPool({ workers: 2, createWorker });
  const error = await errorOf(attend(pool));
  const after = await errorOf(attend(pool));
  await pool.close();
  return { error, after, made };
}
