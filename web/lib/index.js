// attention-wasm, with the module included.
import createModule from 'attention-module:create';
import wasm from 'attention-module:wasm';
import { createLoader } from './load.js';

export const loadAttention = /* @__PURE__ */ createLoader(createModule, wasm);
export { tensor, toNested } from './arguments/nested.js';
