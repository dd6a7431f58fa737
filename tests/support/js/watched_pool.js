// A pool whose workers and messages a test can inspect, and reference results.
import { Worker } from 'node:worker_threads';

import { loadAttentionPool } from 'attention-wasm/pool';

export { same } from './same_results.js';

export const workerFile = new URL(import.meta.resolve('attention-wasm/pool-worker'));

/**
 * A pool whose workers are watched: `made` are all of them, `tasks` the names of what they were sent, `called`
 * the functions that they were to call.
 */
/** @type {(index: number) => Worker} */
const startWorker = () => new Worker(workerFile);

export async function watchedPool(options = {}, makeWorker = startWorker) {
  const made = [];
  const tasks = [];
  const called = [];
  const createWorker = () => {
    const worker = makeWorker(made.length);
    const post = worker.postMessage.bind(worker);
    worker.postMessage = (message, transfer) => {
      tasks.push(message.task);
      called.push(...(message.calls ?? []).map(({ name }) => name));
      post(message, transfer);
    };
    made.push(worker);
    return worker;
  };
  const pool = await loadAttentionPool({ workers: 2, ...options, createWorker });
  const count = (name) => tasks.filter((task) => task === name).length;
  return { pool, made, tasks, called, count };
}
