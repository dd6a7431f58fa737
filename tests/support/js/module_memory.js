// The memory of a module, which nobody sees but heap.js.
import { loadAttention } from 'attention-wasm';

/** From now on modules are seen: a function that gives the memory of the last as bytes. */
export function seeMemory() {
  const { instantiate } = WebAssembly;
  let memory;
  WebAssembly.instantiate = async (...given) => {
    const instance = await instantiate(...given);
    memory = Object.values(instance.exports).find((one) => one instanceof WebAssembly.Memory);
    return instance;
  };
  return {
    bytes: () => Buffer.from(memory.buffer),
    stop: () => (WebAssembly.instantiate = instantiate),
  };
}

/** An instance of its own, and a function that gives its memory as bytes. */
export async function loadWithMemory(options) {
  const { bytes, stop } = seeMemory();
  try {
    return { api: await loadAttention({ kernels: 'simd', ...options }), bytes };
  } finally {
    stop();
  }
}

/** How often the bits of a number, float32, float64 or bfloat16, begin anywhere in bytes. */
export function timesIn(bytes, number) {
  const float32 = Buffer.from(Float32Array.of(number).buffer);
  const patterns = [float32, Buffer.from(Float64Array.of(number).buffer), float32.subarray(2)];
  let times = 0;
  for (const pattern of patterns) {
    for (let at = bytes.indexOf(pattern); at >= 0; at = bytes.indexOf(pattern, at + 1)) times++;
  }
  return times;
}
