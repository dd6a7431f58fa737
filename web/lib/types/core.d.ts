/** attention-wasm/core: the same functions without the module, which is an argument of `loadAttention()`. */
import type { AttentionApi, LoadOptions, WasmSource } from './index.js';

export type * from './index.js';
export { tensor, toNested } from './arguments/nested.js';

/**
 * As in `attention-wasm`, with the module as an argument: `attention-wasm/attention.wasm` of the same version.
 *
 * @example
 * In Node.js; in pages `wasm` is a `URL` or a `Response`, in Cloudflare Workers a module that was imported:
 *
 * ```js
 * import { readFile } from 'node:fs/promises';
 * import { loadAttention } from 'attention-wasm/core';
 *
 * const wasm = await readFile(new URL(import.meta.resolve('attention-wasm/attention.wasm')));
 * const { sinusoidalPositions } = await loadAttention({ wasm });
 * console.log(sinusoidalPositions(10, 4).dims); // [ 10, 4 ]
 * ```
 */
export function loadAttention(options: LoadOptions & { wasm: WasmSource }): Promise<AttentionApi>;
