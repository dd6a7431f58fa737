// attention-wasm/models for Node.js: an address may also be a path.
import { fileURLToPath } from 'node:url';
import { createModelLoader } from './load_model.js';
import { createFolderOpener } from './open_folder.js';
import { diskFolder } from './sources/disk_folder.js';
import { webFolder } from './sources/web_folder.js';

function openAddress(address, signal) {
  if (typeof address === 'string' && !/^[a-z][a-z0-9+.-]+:\/\//i.test(address)) {
    return diskFolder(address);
  }
  const url = new URL(address);
  return url.protocol === 'file:' ? diskFolder(fileURLToPath(url)) : webFolder(url, signal);
}

export const loadModel = createModelLoader(openAddress);
export const openFolder = createFolderOpener(openAddress);

export { ablate, knockout, patch, steer } from './edit_makers.js';
export { compare, headScores, rollout } from './measures.js';
export { sweep } from './sweep.js';
