// attention-wasm, with the module included.
import wasm from 'attention-module:wasm';
import { createLoader } from './load.js';

export const loadAttention = /* @__PURE__ */ createLoader(wasm);
export { tensor, toNested } from './arguments/nested.js';
