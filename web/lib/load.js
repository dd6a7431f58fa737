// loadAttention(): from bytes, a Response, a URL or a compiled module to the functions of the library. An import has no
// side effects; nothing is fetched except a URL argument.
import { attentionFields, attentionOptions, groupScores } from './arguments/attention_options.js';
import { copyBox, writeBox } from './arguments/box.js';
import { describe } from './arguments/describe.js';
import { isUrl } from './arguments/is_url.js';
import { boolean, callback, number, readOptions } from './arguments/options.js';
import { callsOfRanges, maskOfRange, optionsOfRange, writeResult } from './arguments/ranges.js';
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
import { readTransformerLayer, transformerLayer } from './layers/transformer_layer.js';
import { transformerObjects } from './layers/transformer_object.js';
import { CompileForbiddenError } from './module/errors.js';
import { Heap } from './module/heap.js';
import { instantiate } from './module/instantiate.js';
import { linkFused } from './module/link_fused.js';
import { factsOf, make } from './module/module_object.js';
import { nodeProcess } from './module/node_process.js';

// The property of an API, of loadAttention() and of fused kernels with the internals that other files of the package use.
const internals = /* @__PURE__ */ Symbol.for('attention-wasm');

// A module with a function that returns a v128: valid only in engines with SIMD128.
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
  // Streaming compilation requires this content type.
  if (type.startsWith('application/wasm') && WebAssembly.compileStreaming) {
    return WebAssembly.compileStreaming(response);
  }
  // No await in the arguments below: Next.js moves them into a function that is not async.
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

const isCompiled = (value) =>
  Object.prototype.toString.call(value) === '[object WebAssembly.Module]';

async function compile(source) {
  const wasm = await source;
  if (isCompiled(wasm)) return wasm;
  if (isUrl(wasm)) return compileUrl(wasm);
  if (typeof wasm?.arrayBuffer === 'function') {
    requireOk(wasm, `the wasm at ${wasm.url}`);
    return compileResponse(wasm);
  }
  if (ArrayBuffer.isView(wasm) || wasm instanceof ArrayBuffer) {
    const bytes = /** @type {BufferSource} */ (wasm); // the engine refuses shared memory
    // Node.js compiles synchronously: faster than in another thread, and no page has to stay responsive.
    return nodeProcess() ? new WebAssembly.Module(bytes) : WebAssembly.compile(bytes);
  }
  throw new TypeError(
    `wasm must be bytes, a Response, a URL or a WebAssembly.Module, found ${describe(wasm)}`,
  );
}

const emptyModule = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);

/** Remedy where the kernels of attention-wasm/fused may not be compiled. */
const passFused =
  "Import fused.wasm of 'attention-wasm' as a WebAssembly.Module, beside attention.wasm, and pass both: " +
  "loadAttention({ wasm: <module>, kernels: <module> }) of 'attention-wasm/core'";

/**
 * A CompileForbiddenError, with `remedy` instead of its usual one, if not even an empty module can be compiled and
 * instantiated, otherwise undefined. Under a Content-Security-Policy Chromium and Firefox refuse to compile, WebKit to
 * instantiate.
 */
async function refusalOf(error, remedy) {
  const cause = error?.cause ?? error; // the engine's error
  if (cause instanceof TypeError || cause instanceof WebAssembly.LinkError) return undefined;
  try {
    await WebAssembly.instantiate(new WebAssembly.Module(emptyModule), {});
  } catch {
    return new CompileForbiddenError(cause, remedy);
  }
  return undefined;
}

/** The error of a failed instantiation: out of memory, compiling forbidden, or a different wasm file. */
async function instantiationError(cause) {
  if (cause instanceof RangeError) return cause;
  const other = `wasm is not attention.wasm of this version of attention-wasm: ${cause.message}`;
  return (await refusalOf(cause)) ?? new Error(other, { cause });
}

/** Kernels by name, those of attention-wasm/fused, or compiled from fused.wasm. */
function readKernels(value, name) {
  if (['simd', 'reference'].includes(value) || isCompiled(value)) return value;
  if (value.name === 'fused' && value[internals]) return value;
  const Problem = typeof value === 'string' ? RangeError : TypeError;
  throw new Problem(
    `${name} must be 'simd', 'reference' or fused of 'attention-wasm/fused', found ${describe(value)}`,
  );
}

const kinds = {
  wasm: (value) => value,
  kernels: readKernels,
  wipe: boolean,
};

/** Instantiates a source of wasm by Emscripten's createModule(); resolves to { module, memory, compiled }. */
export async function instantiateModule(wasm, createModule) {
  requireSimd();
  const compiled = await compile(wasm).catch(async (error) => {
    throw (await refusalOf(error)) ?? error;
  });
  const instance = await instantiate(compiled, createModule).catch(async (error) => {
    throw await instantiationError(error);
  });
  return { ...instance, compiled };
}

/**
 * The chosen kernels of an instance: their name, their list and stack for Heap, and fused.wasm if they are of it.
 *
 * @returns {Promise<{ name: string, kernels: number, stack?: { address: number, bytes: number }, fused?: WebAssembly.Module }>}
 */
async function chooseKernels(chosen, instance) {
  const { module } = instance;
  if (chosen === 'reference') return { name: chosen, kernels: module.referenceKernels() };
  const compileFused = async () =>
    chosen[internals]?.compile().catch(async (error) => {
      throw (await refusalOf(error, passFused)) ?? error;
    });
  const fused = isCompiled(chosen) ? chosen : await compileFused();
  if (!fused) return { name: 'simd', kernels: module.simdKernels() };
  return { name: 'fused', fused, ...(await linkFused(fused, instance)) };
}

async function load(createModule, wasm, chosen = 'simd', wipe = false) {
  const { compiled, ...instance } = await instantiateModule(wasm, createModule);
  const { name, fused, ...kernels } = await chooseKernels(chosen, instance);
  const heap = new Heap(instance.module, instance.memory, kernels, wipe);
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
    kernels: name,
    memoryBytes: () => heap.size,
    release: (result) => heap.released.take(result),
  };
  return Object.freeze(withInternals(api, { heap, compiled, fused }));
}

function withInternals(object, value) {
  /** @type {PropertyDescriptor & { __proto__: null }} */
  const property = { __proto__: null, value };
  return Object.defineProperty(object, internals, property);
}

const forPools = {
  attentionFields,
  attentionOptions,
  callback,
  callsOfRanges,
  crossFields,
  copyBox,
  factsOf,
  groupScores,
  layerReader,
  make,
  maskOfRange,
  multiHeadFields,
  multiHeadMakers,
  multiHeadOptions,
  number,
  optionsOfRange,
  writeBox,
  writeResult,
  readLayer,
  readOptions,
  readTensor,
  readTransformerLayer,
};

/**
 * loadAttention() of an entry point. createModule: Emscripten's function for attention.wasm; included: a function that
 * returns the bytes of the included module, if any.
 */
export function createLoader(createModule, included) {
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
    if ((wasm ?? kernels ?? wipe) !== undefined) return load(createModule, source(), kernels, wipe);
    const loading = (shared ??= load(createModule, source()).catch((error) => {
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
