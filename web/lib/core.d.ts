/** attention-wasm/core: the same functions with no module inside, which has to be handed over. */
import type { AttentionApi, LoadOptions, WasmSource } from './index.js';

export type * from './index.js';
export { tensor, toNested } from './arguments/nested.js';

/** As in `attention-wasm`, for the module given: `attention-wasm/attention.wasm`, of the same version. */
export function loadAttention(options: LoadOptions & { wasm: WasmSource }): Promise<AttentionApi>;
