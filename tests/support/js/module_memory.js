// Access to a module's memory, which is otherwise private to heap.js.
import { readFileSync } from 'node:fs';
import { loadAttention } from 'attention-wasm';
import { instantiate } from '../../../web/lib/module/instantiate.js';

/** Records modules created from now on; returns a function to the memory of the last one as bytes. */
export function seeMemory() {
  const { instantiate } = WebAssembly;
  let memory;
  /** @type {(compiled: WebAssembly.Module, imports?: WebAssembly.Imports) => Promise<WebAssembly.Instance>} */
  const watched = async (compiled, imports) => {
    const instance = await instantiate(compiled, imports);
    // fused.wasm has none of its own.
    memory =
      Object.values(instance.exports).find((one) => one instanceof WebAssembly.Memory) ?? memory;
    return instance;
  };
  Object.assign(WebAssembly, { instantiate: watched });
  return {
    bytes: () => Buffer.from(memory.buffer),
    stop: () => (WebAssembly.instantiate = instantiate),
  };
}

/** A separate instance, and a function that returns its memory as bytes. */
export async function loadWithMemory(options) {
  const { bytes, stop } = seeMemory();
  try {
    return { api: await loadAttention({ kernels: 'simd', ...options }), bytes };
  } finally {
    stop();
  }
}

/** Number of occurrences of a number's bits (as float32, float64 or bfloat16) in bytes. */
export function timesIn(bytes, number) {
  const float32 = Buffer.from(Float32Array.of(number).buffer);
  const patterns = [float32, Buffer.from(Float64Array.of(number).buffer), float32.subarray(2)];
  let times = 0;
  for (const pattern of patterns) {
    for (let at = bytes.indexOf(pattern); at >= 0; at = bytes.indexOf(pattern, at + 1)) times++;
  }
  return times;
}

/** The allocator of attention or training: { allocate, release, size }, in bytes; size() is that of the memory. */
export async function allocatorOf(name) {
  const path = (type) => new URL(`../../../.build/module/${name}.${type}`, import.meta.url);
  const { default: createModule } = await import(path('js').href);
  const compiled = await WebAssembly.compile(readFileSync(path('wasm')));
  const { module, memory } = await instantiate(compiled, createModule);
  return { ...module, size: () => memory.buffer.byteLength };
}
