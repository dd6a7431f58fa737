// The library and the memory of its module, which nobody else sees.
import { loadAttention } from 'attention-wasm';

/** @returns {Promise<{ api: object, memory: WebAssembly.Memory }>} an instance of its own */
export async function loadWithMemory(options) {
  const { instantiate } = WebAssembly;
  let memory;
  WebAssembly.instantiate = async (...given) => {
    const instance = await instantiate(...given);
    memory = Object.values(instance.exports).find((one) => one instanceof WebAssembly.Memory);
    return instance;
  };
  try {
    return { api: await loadAttention({ kernels: 'simd', ...options }), memory };
  } finally {
    WebAssembly.instantiate = instantiate;
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
