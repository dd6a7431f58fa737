// attention-wasm/core, without the module: it has to be handed over.
import { createLoader } from './load.js';

export const loadAttention = /* @__PURE__ */ createLoader();
export { tensor, toNested } from './arguments/nested.js';
