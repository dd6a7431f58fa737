// The worker of attention-wasm/pool in Node.js.
import { parentPort, receiveMessageOnPort } from 'node:worker_threads';
import { loadAttention } from '../core.js';
import { serveTasks } from './serve_tasks.js';

if (!parentPort) {
  throw new Error(
    "'attention-wasm/pool-worker' is the worker's side of a pool, but this is no worker thread: see createWorker of loadAttentionPool()",
  );
}

const serve = serveTasks(
  loadAttention,
  (answer, transfer) => parentPort.postMessage(answer, transfer),
  receiveMessageOnPort,
);
parentPort.on('message', serve);
parentPort.postMessage({ here: true });
