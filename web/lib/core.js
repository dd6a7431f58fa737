// attention-wasm/core: without the module, which is an argument of loadAttention().
import createModule from 'attention-module:create';
import { createLoader } from './load.js';

export const loadAttention = /* @__PURE__ */ createLoader(createModule);
export { tensor, toNested } from './arguments/nested.js';
