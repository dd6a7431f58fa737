// attention-wasm/models for browsers: an address is that of a folder, seen from the page.
import { createModelLoader } from './models/load_model.js';
import { webFolder } from './models/sources/web_folder.js';

export const loadModel = createModelLoader((address, signal) =>
  webFolder(new URL(address, globalThis.document?.baseURI ?? globalThis.location?.href), signal),
);
