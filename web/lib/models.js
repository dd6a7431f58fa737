// attention-wasm/models for browsers: addresses are relative to the page.
import { createModelLoader } from './models/load_model.js';
import { createFolderOpener } from './models/open_folder.js';
import { webFolder } from './models/sources/web_folder.js';

const openAddress = (address, signal) =>
  webFolder(new URL(address, globalThis.document?.baseURI ?? globalThis.location?.href), signal);

export const loadModel = createModelLoader(openAddress);
export const openFolder = createFolderOpener(openAddress);

export { ablate, knockout, patch, steer } from './models/edit_makers.js';
export { compare, headScores, rollout } from './models/measures.js';
export { sweep } from './models/sweep.js';
