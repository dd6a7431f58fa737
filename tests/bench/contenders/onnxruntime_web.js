// onnxruntime-web, its WebAssembly build, with one or two threads. The number of threads is fixed per module,
// so each has its own module.

import { onnxModel } from '../onnx_writer.js';
import { waysOf } from './onnxruntime.js';

const dist = new URL('../node_modules/onnxruntime-web/dist/', import.meta.url);

/** In Node, the build for Node starts threads, and only one copy of it can be loaded. */
function moduleFor(threads) {
  const file = globalThis.document || threads === 1 ? 'ort.wasm.min.mjs' : 'ort.node.min.mjs';
  return import(new URL(`${file}?threads=${threads}`, dist));
}

/**
 * It starts with its first session. In Node it leaves a global Worker behind that others (jax-js) would take for a
 * browser's.
 */
async function startNow({ InferenceSession }) {
  const before = globalThis.Worker;
  const session = await InferenceSession.create(anyModel(), { executionProviders: ['wasm'] });
  await session.release();
  if (!before) delete globalThis.Worker;
}

const anyModel = () =>
  onnxModel({ inputs: { x: [1] }, outputs: { y: [1] }, nodes: [['Identity', ['x'], ['y']]] });

export const sessionOptions = { executionProviders: ['wasm'], logSeverityLevel: 3 };

export async function startedRuntime(threads) {
  if (threads > 1 && globalThis.document && !globalThis.crossOriginIsolated) {
    throw new Error('wants a cross-origin isolated page');
  }
  const runtime = await moduleFor(threads);
  runtime.env.wasm.numThreads = threads;
  runtime.env.logLevel = 'error';
  await startNow(runtime);
  return runtime;
}

const withThreads = (threads) => ({
  name: threads === 1 ? 'onnxruntime-web' : `onnxruntime-web, ${threads} threads`,
  package: 'onnxruntime-web',
  threads,
  hasLayers: true,
  async open() {
    return waysOf(await startedRuntime(threads), sessionOptions);
  },
});

export const onnxruntimeWeb = withThreads(1);
export const onnxruntimeWebTwoThreads = withThreads(2);
