// Everyone who takes part. The first is the one that the others are compared with.
//
// A contender is
//   name, package?   what it is called, and the package whose version counts
//   threads          how many it is told to compute with
//   remarks?         by runtime, what a reader of its numbers should know
//   runtimes?        where it runs: all, unless named
//   hasLayers?       whether it has whole Transformer layers, or a graph of them
//   mostOperations?  of a shape that it can be waited for
//   open()           loads it; returns or resolves to (shape, inputs) → its ways to compute the shape
// A way is { name, layout, prepare() }; prepare returns or resolves to { run(), close?() }; run computes from the
// arrays of the inputs, and returns or resolves to { output, weights? }, Float32Arrays in the way's layout.
// What is asynchronous is awaited, and only that.

import { attentionWasm, attentionWasmPool, attentionWasmReference } from './attention_wasm.js';
import { jaxJs } from './jax_js.js';
import { onnxruntimeNode } from './onnxruntime_node.js';
import { onnxruntimeWeb, onnxruntimeWebTwoThreads } from './onnxruntime_web.js';
import { plainJavaScript } from './plain_javascript.js';
import { tensorflowWasm } from './tensorflow_wasm.js';

export const contenders = [
  attentionWasm,
  attentionWasmPool,
  attentionWasmReference,
  onnxruntimeWeb,
  onnxruntimeWebTwoThreads,
  tensorflowWasm,
  jaxJs,
  plainJavaScript,
  onnxruntimeNode,
];

/** Who starts and is weighed: the others are the same packages again, or nothing to load. */
export const started = [attentionWasm, onnxruntimeWeb, tensorflowWasm, jaxJs, onnxruntimeNode];

/** The contenders of a runtime: 'node' or 'chromium'. */
export const contendersIn = (runtime, among = contenders) =>
  among.filter(({ runtimes }) => !runtimes || runtimes.includes(runtime));

export const contenderNamed = (name) => contenders.find((contender) => contender.name === name);
