// Folders at addresses, for browsers: addresses are relative to the page.
import { createFolderOpener } from './open_folder.js';
import { webFolder } from './web_folder.js';

export const openAddress = (address, signal) =>
  webFolder(new URL(address, globalThis.document?.baseURI ?? globalThis.location?.href), signal);

export const openFolder = /* @__PURE__ */ createFolderOpener(openAddress);
