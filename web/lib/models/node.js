// attention-wasm/models for Node.js.
import { createModelLoader } from './load_model.js';
import { openAddress } from './sources/node_folders.js';

export const loadModel = /* @__PURE__ */ createModelLoader(openAddress);

export { ablate, knockout, patch, steer } from './inside/edit_makers.js';
export { openFolder } from './sources/node_folders.js';
export { compare, headScores, rollout } from './inside/measures.js';
export { sweep } from './inside/sweep.js';
