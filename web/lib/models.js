// attention-wasm/models for browsers: addresses are relative to the page.
import { createModelLoader } from './models/load_model.js';
import { webFolder } from './models/sources/web_folder.js';

export const loadModel = createModelLoader((address, signal) =>
  webFolder(new URL(address, globalThis.document?.baseURI ?? globalThis.location?.href), signal),
);

export { ablate, knockout, patch, steer } from './models/edit_makers.js';
export { compare, headScores, rollout } from './models/measures.js';
export { sweep } from './models/sweep.js';
