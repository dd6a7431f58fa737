// Loading: from bytes, a Response, a URL or a compiled module to the functions of the library.
// Nothing happens at import; nothing is fetched unless a URL was given.
import createModule from 'attention-module:glue';
import { attentionFields, attentionOptions, inStages } from './arguments/attention_options.js';
import { describe } from './arguments/describe.js';
import { boolean, callback, number, oneOf, readOptions } from './arguments/options.js';
import { readTensor } from './arguments/tensor.js';
import { embedding } from './attention/embed.js';
import { kernelAttention } from './attention/kernel_attention.js';
import { keyValueCache } from './attention/key_value_cache.js';
import { linearAttention } from './attention/linear_attention.js';
import { positions } from './attention/positions.js';
import { scaledDotProduct } from './attention/scaled_dot_product.js';
import { linear } from './layers/linear.js';
import {
  multiHeadAttention,
  multiHeadFields,
  multiHeadMakers,
  multiHeadOptions,
} from './layers/multi_head_attention.js';
import { norms } from './layers/norm.js';
import { readLayer, transformer } from './layers/transformer.js';
import { crossFields, layerReader } from './layers/transformer_call.js';
import { transformerLayer } from './layers/transformer_layer.js';
import { transformerObjects } from './layers/transformer_object.js';
import { Heap } from './module/heap.js';
import { factsOf, make } from './module/module_object.js';

// A module of one function that returns a v128: valid only where SIMD128 is known.
const usesSimd = [
  [0, 97, 115, 109, 1, 0, 0, 0],
  [1, 5, 1, 96, 0, 1, 123],
  [3, 2, 1, 0],
  [10, 22, 1, 20, 0, 253, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 11],
];

function requireSimd() {
  if (typeof WebAssembly !== 'object') {
    throw new Error('attention-wasm needs WebAssembly, which this JavaScript engine does not have');
  }
  if (!WebAssembly.validate(Uint8Array.from(usesSimd.flat()))) {
    throw new Error(
      'attention-wasm needs WebAssembly SIMD, which this JavaScript engine does not have',
    );
  }
}

async function compileResponse(response) {
  if (!response.ok) {
    throw new Error(`the wasm at ${response.url} was answered with status ${response.status}`);
  }
  const type = response.headers.get('content-type') ?? '';
  // Streaming needs the right type; without it the bytes do as well.
  return type.startsWith('application/wasm') && WebAssembly.compileStreaming
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

async function compileUrl(url) {
  try {
    return await compileResponse(await fetch(url));
  } catch (cause) {
    const hint = url.protocol === 'file:' ? ' (read the file and pass its bytes instead)' : '';
    throw new Error(`the wasm at ${url.href} could not be loaded${hint}: ${cause.message}`, {
      cause,
    });
  }
}

async function compile(given) {
  const wasm = await given;
  if (Object.prototype.toString.call(wasm) === '[object WebAssembly.Module]') return wasm;
  if (wasm instanceof URL) return compileUrl(wasm);
  if (typeof wasm?.arrayBuffer === 'function') return compileResponse(wasm);
  if (ArrayBuffer.isView(wasm) || wasm instanceof ArrayBuffer) {
    // Node.js, which has no page to keep alive, is done sooner than it has asked another thread.
    return globalThis.process?.getBuiltinModule
      ? new WebAssembly.Module(wasm)
      : WebAssembly.compile(wasm);
  }
  throw new TypeError(
    `wasm must be bytes, a Response, a URL or a WebAssembly.Module, found ${describe(wasm)}`,
  );
}

/** Of a page's policy engines say less than what it lacks. */
function refuse(cause) {
  if (!/CSP|Security/.test(cause?.message)) throw cause;
  throw new Error(`attention-wasm needs 'wasm-unsafe-eval' in script-src: ${cause.message}`, {
    cause,
  });
}

/** Runs the glue against a compiled module; resolves to its names and its memory. */
function instantiate(compiled) {
  return new Promise((resolve, reject) => {
    let memory;
    // The glue does not notice what goes wrong while it receives an instance.
    const refuse = (cause) =>
      reject(
        cause instanceof RangeError // no memory for it
          ? cause
          : new Error(
              `wasm is not attention.wasm of this version of attention-wasm: ${cause.message}`,
              {
                cause,
              },
            ),
      );
    const instantiateWasm = (imports, receive) => {
      WebAssembly.instantiate(compiled, imports)
        .then((instance) => {
          memory = Object.values(instance.exports).find(
            (item) => item instanceof WebAssembly.Memory,
          );
          receive(instance, compiled);
        })
        .catch(refuse);
      return {};
    };
    const quiet = () => {};
    createModule({ instantiateWasm, print: quiet, printErr: quiet }).then(
      (module) => resolve({ module, memory }),
      refuse,
    );
  });
}

const kinds = {
  wasm: (value) => value,
  kernels: /* @__PURE__ */ oneOf(['simd', 'reference']),
  wipe: boolean,
};

async function load(wasm, kernels = 'simd', wipe = false) {
  requireSimd();
  const compiled = await compile(wasm).catch(refuse);
  const { module, memory } = await instantiate(compiled);
  const heap = new Heap(module, memory, kernels === 'reference', wipe);
  const { KeyValueCache } = keyValueCache(heap);
  const objects = transformerObjects(heap, KeyValueCache);
  const api = {
    ...scaledDotProduct(heap),
    ...kernelAttention(heap),
    ...linearAttention(heap),
    ...positions(heap),
    ...linear(heap),
    ...embedding(heap),
    ...norms(heap),
    KeyValueCache,
    ...multiHeadAttention(heap, KeyValueCache),
    ...transformer(heap, objects),
    ...transformerLayer(heap, objects),
    kernels,
    memoryBytes: () => heap.size,
    release: (result) => heap.released.take(result),
  };
  return Object.freeze(withInternals(api, { heap, compiled }));
}

// attention-wasm/pool is a file of its own: what it needs of this one it finds at this symbol, of an API and
// of loadAttention().
const internals = /* @__PURE__ */ Symbol.for('attention-wasm');

const withInternals = (object, value) =>
  Object.defineProperty(object, internals, { __proto__: null, value });

const forPools = {
  attentionFields,
  attentionOptions,
  callback,
  crossFields,
  factsOf,
  inStages,
  layerReader,
  make,
  multiHeadFields,
  multiHeadMakers,
  multiHeadOptions,
  number,
  readLayer,
  readOptions,
  readTensor,
};

/** loadAttention for an entry point that carries the module (a function that returns its bytes) or none. */
export function createLoader(included) {
  let shared;
  async function loadAttention(options) {
    const { wasm, kernels, wipe } = readOptions('loadAttention', options, kinds);
    const source = () => {
      if (wasm !== undefined) return wasm;
      if (included) return included();
      throw new TypeError(
        "loadAttention() of 'attention-wasm/core' needs { wasm }: bytes, a Response, a URL or a WebAssembly.Module",
      );
    };
    if ((wasm ?? kernels ?? wipe) !== undefined) return load(source(), kernels, wipe);
    const loading = (shared ??= load(source()).catch((error) => {
      shared = undefined;
      throw error;
    }));
    const api = await loading;
    if (!api[internals].heap.isInterrupted) return api;
    if (shared === loading) shared = undefined;
    return loadAttention();
  }
  return withInternals(loadAttention, forPools);
}
