// attention-wasm/core: without the module, which is an argument of loadAttention().
import { createLoader } from './load.js';

export const loadAttention = /* @__PURE__ */ createLoader();
export { tensor, toNested } from './arguments/nested.js';
