// Runs pools in a page and reports their results, workers and shutdown.

import { attentionTensors, seeded } from '../js/random_tensors.js';
import { runPoolCases } from './pool_cases.js';
import { violations } from './violations.js';

// Number of tasks sent to workers.
let calls = 0;
const { addEventListener, postMessage } = Worker.prototype;
Worker.prototype.postMessage = function count(message, transfer) {
  if (message.task === 'call') calls++;
  postMessage.call(this, message, transfer);
};

let hold = null; // takes a function that delivers a message, while messages are held
Worker.prototype.addEventListener = function listen(type, listener) {
  addEventListener.call(this, type, (event) => {
    if (hold && type === 'message') hold(() => listener(event));
    else listener(event);
  });
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
  const held = [];
  const answered = new Promise((resolve) => {
    hold = (deliver) => {
      held.push(deliver);
      resolve(undefined);
    };
  });
  const pending = errorOf(attend(pool));
  await answered;
  const closing = Promise.all([pool.close(), pool.close()]);
  // The pool hears answers after it was closed.
  for (const deliver of held) deliver();
  hold = null;
  await closing;
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
