// The worker of attention-wasm/pool in Node.js.
import { parentPort, receiveMessageOnPort } from 'node:worker_threads';
import { loadAttention } from '../core.js';
import { serveTasks } from './serve_tasks.js';

if (!parentPort) {
  throw new Error(
    "'attention-wasm/pool-worker' is the worker's side of a pool, but this is no worker thread: see createWorker of loadAttentionPool()",
  );
}

const port = parentPort;
const serve = serveTasks(
  loadAttention,
  (answer, transfer) => port.postMessage(answer, transfer),
  receiveMessageOnPort,
);
port.on('message', serve);
parentPort.postMessage({ here: true });
