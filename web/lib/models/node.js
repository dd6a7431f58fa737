// attention-wasm/models for Node.js.
import { createModelLoader } from './load_model.js';
import { openAddress } from './node_folders.js';

export const loadModel = /* @__PURE__ */ createModelLoader(openAddress);

export { ablate, knockout, patch, steer } from './edit_makers.js';
export { openFolder } from './node_folders.js';
export { compare, headScores, rollout } from './measures.js';
export { sweep } from './sweep.js';
