// All contenders. The others are compared with the first.
//
// A contender is
//   name, package?   its name, and the package whose version is reported
//   threads          number of threads it may use
//   remarks?         remarks on its numbers, by runtime
//   runtimes?        default: all
//   hasLayers?       whether it has whole Transformer layers or a graph of them
//   mostOperations?  max operations of a shape, to limit the time
//   open()           loads it; returns (or resolves to) a function (shape, inputs) → ways to compute the shape
// A way is { name, layout, prepare() }; prepare returns or resolves to { run(), close?() }; run computes from the
// arrays of the inputs, and returns or resolves to { output, weights? }, Float32Arrays in the way's layout.
// Only promises are awaited.

import {
  attentionWasm,
  attentionWasmFused,
  attentionWasmPool,
  attentionWasmReference,
} from './attention_wasm.js';
import { jaxJs } from './jax_js.js';
import { litertJs, litertJsTwoThreads, litertJsUnfused } from './litert.js';
import { onnxruntimeNode } from './onnxruntime_node.js';
import { onnxruntimeWeb, onnxruntimeWebTwoThreads } from './onnxruntime_web.js';
import { plainJavaScript } from './plain_javascript.js';
import { tensorflowWasm } from './tensorflow_wasm.js';

export const contenders = [
  attentionWasm,
  attentionWasmFused,
  attentionWasmPool,
  attentionWasmReference,
  onnxruntimeWeb,
  onnxruntimeWebTwoThreads,
  litertJs,
  litertJsTwoThreads,
  litertJsUnfused,
  tensorflowWasm,
  jaxJs,
  plainJavaScript,
  onnxruntimeNode,
];

/** Contenders whose cold start and size are measured; the others repeat these packages or load nothing. */
export const started = [
  attentionWasm,
  onnxruntimeWeb,
  litertJs,
  tensorflowWasm,
  jaxJs,
  onnxruntimeNode,
];

/** The contenders of a runtime: 'node' or 'chromium'. */
export const contendersIn = (runtime, among = contenders) =>
  among.filter(({ runtimes }) => !runtimes || runtimes.includes(runtime));

export const contenderNamed = (name) => contenders.find((contender) => contender.name === name);
