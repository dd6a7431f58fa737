// attention-wasm/models for browsers. Each import below is a file of its own in web/built, so that a program with one small
// function does not bundle the models.
import { openAddress } from './models/sources/folders.js';
import { createModelLoader } from './models/load_model.js';

export const loadModel = /* @__PURE__ */ createModelLoader(openAddress);

export { ablate, knockout, patch, steer } from './models/inside/edit_makers.js';
export { openFolder } from './models/sources/folders.js';
export { compare, headScores, rollout } from './models/inside/measures.js';
export { sweep } from './models/inside/sweep.js';
