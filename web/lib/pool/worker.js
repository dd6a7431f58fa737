// The worker of attention-wasm/pool in browsers and other environments with web workers.
import { loadAttention } from '../core.js';
import { serveTasks } from './serve_tasks.js';

const serve = serveTasks(loadAttention, (answer, transfer) =>
  globalThis.postMessage(answer, transfer),
);
globalThis.addEventListener('message', ({ data }) => serve(data));
globalThis.postMessage({ here: true });
