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
import { nodeProcess } from './module/node_process.js';

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

function requireOk(response, what) {
  if (response.ok) return;
  throw new Error(`${what} was answered with status ${response.status}`);
}

async function compileResponse(response) {
  const type = response.headers.get('content-type') ?? '';
  // Streaming needs the right type; without it the bytes do as well.
  if (type.startsWith('application/wasm') && WebAssembly.compileStreaming) {
    return WebAssembly.compileStreaming(response);
  }
  // No await among the arguments below: Next.js puts them into a function of its own, which is not async.
  const bytes = await response.arrayBuffer();
  return WebAssembly.compile(bytes);
}

async function compileUrl(url) {
  const failed = (cause) => {
    const hint = url.protocol === 'file:' ? ' (read the file and pass its bytes instead)' : '';
    throw new Error(`the wasm at ${url.href} could not be loaded${hint}: ${cause.message}`, {
      cause,
    });
  };
  const response = await fetch(url).catch(failed);
  requireOk(response, `the wasm at ${url.href}`);
  return compileResponse(response).catch(failed);
}

async function compile(given) {
  const wasm = await given;
  if (Object.prototype.toString.call(wasm) === '[object WebAssembly.Module]') return wasm;
  if (wasm instanceof URL) return compileUrl(wasm);
  if (typeof wasm?.arrayBuffer === 'function') {
    requireOk(wasm, `the wasm at ${wasm.url}`);
    return compileResponse(wasm);
  }
  if (ArrayBuffer.isView(wasm) || wasm instanceof ArrayBuffer) {
    // Node.js, which has no page to keep alive, is done sooner than it has asked another thread.
    return nodeProcess() ? new WebAssembly.Module(wasm) : WebAssembly.compile(wasm);
  }
  throw new TypeError(
    `wasm must be bytes, a Response, a URL or a WebAssembly.Module, found ${describe(wasm)}`,
  );
}

/**
 * The remedy against an engine's refusal, as an error; undefined for any other error. Under a page's policy Chromium
 * and Firefox refuse to compile, WebKit to instantiate.
 */
function refusalOf(error) {
  const cause = error?.cause ?? error; // the engine's own
  let needed;
  if (/WebAssembly.*(CSP|Content Security)/is.test(cause?.message)) {
    needed = "'wasm-unsafe-eval' in script-src";
  } else if (/disallowed by embedder/.test(cause?.message)) {
    needed =
      'a compiled module where bytes may not be compiled (Cloudflare Workers): import attention.wasm as a ' +
      "WebAssembly.Module and pass it, loadAttention({ wasm }) of 'attention-wasm/core'";
  }
  return needed && new Error(`attention-wasm needs ${needed}: ${cause.message}`, { cause });
}

/** Runs the glue against a compiled module; resolves to its names and its memory. */
function instantiate(compiled) {
  return new Promise((resolve, reject) => {
    let memory;
    const instantiateWasm = (imports, receive) => {
      WebAssembly.instantiate(compiled, imports)
        .then((instance) => {
          memory = Object.values(instance.exports).find(
            (item) => item instanceof WebAssembly.Memory,
          );
          receive(instance, compiled);
        })
        // The glue does not notice what goes wrong while it receives an instance.
        .catch(reject);
      return {};
    };
    const quiet = () => {};
    createModule({ instantiateWasm, print: quiet, printErr: quiet }).then(
      (module) => resolve({ module, memory }),
      reject,
    );
  });
}

/** The error of an instantiation: of another module, unless the engine refused or memory is short. */
function instantiationError(cause) {
  if (cause instanceof RangeError) return cause;
  const other = `wasm is not attention.wasm of this version of attention-wasm: ${cause.message}`;
  return refusalOf(cause) ?? new Error(other, { cause });
}

const kinds = {
  wasm: (value) => value,
  kernels: /* @__PURE__ */ oneOf(['simd', 'reference']),
  wipe: boolean,
};

async function load(wasm, kernels = 'simd', wipe = false) {
  requireSimd();
  const compiled = await compile(wasm).catch((error) => {
    throw refusalOf(error) ?? error;
  });
  const { module, memory } = await instantiate(compiled).catch((error) => {
    throw instantiationError(error);
  });
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
