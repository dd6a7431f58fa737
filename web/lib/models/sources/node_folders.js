// Folders at addresses, for Node.js: an address may also be a path.
import { fileURLToPath } from 'node:url';
import { createFolderOpener } from './open_folder.js';
import { diskFolder } from './disk_folder.js';
import { webFolder } from './web_folder.js';

export function openAddress(address, signal) {
  if (typeof address === 'string' && !/^[a-z][a-z0-9+.-]+:\/\//i.test(address)) {
    return diskFolder(address);
  }
  const url = new URL(address);
  return url.protocol === 'file:' ? diskFolder(fileURLToPath(url)) : webFolder(url, signal);
}

export const openFolder = /* @__PURE__ */ createFolderOpener(openAddress);
