/**
 * attention-wasm/fused: kernels that multiply and add in one instruction, for engines with relaxed SIMD. A program that does
 * not import them does not download them.
 */

import type { FusedKernels } from './index.js';

/**
 * Kernels for `loadAttention()` and `loadAttentionPool()` that round a product and its sum once. They take less time than
 * `'simd'` and are about as exact, but not the same bits on every machine: a processor without the instruction rounds twice,
 * and so does an engine that does not use it (Bun 1.4.5), which then has the bits and the speed of `'simd'`.
 * On one machine and engine a result has the same bits with any number of workers, and query by query. int8 products are integers,
 * and the same as with `'simd'`; up to four rows take less time where the engine adds four products of bytes in one
 * instruction (V8 of Node.js 24, AVX-VNNI).
 * Relaxed SIMD is in Chrome 114, Firefox 145, Node.js 22, Deno, Bun and workerd; elsewhere `'simd'` runs, and `kernels` of
 * the result says so.
 *
 * Where bytes may not be compiled (Cloudflare Workers), pass a compiled `attention-wasm/fused.wasm` as `kernels` instead,
 * beside the compiled `wasm`. It cannot fall back: engines without relaxed SIMD refuse to compile it, at its import or in
 * `WebAssembly.compile()`.
 *
 * @example
 * ```js
 * import { loadAttention } from 'attention-wasm';
 * import { fused } from 'attention-wasm/fused';
 *
 * const { attention, kernels } = await loadAttention({ kernels: fused });
 * const one = { data: Float32Array.of(3), dims: [1, 1] };
 * console.log(attention(one, one, one).output.data[0], ['simd', 'fused'].includes(kernels)); // 3 true
 * ```
 */
export const fused: FusedKernels;
