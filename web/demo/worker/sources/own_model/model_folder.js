// The folder of a model, wherever it is: { name, source, text(path), found() }. `source` is what loadModel() takes for
// a folder; found() has the files that were asked for and are there, by their paths: all that the model is made of.

import { directoryHandle } from '../../../../lib/models/sources/directory_handle.js';
import { webFolder } from '../../../../lib/models/sources/web_folder.js';

const missing = () => new DOMException('there is no such file', 'NotFoundError');

/** find(path) resolves to a File, what reads as one, or undefined. */
function folderOf(name, find) {
  const asked = new Map(); // path → promise of a file
  function get(path) {
    if (!asked.has(path)) asked.set(path, find(path));
    return asked.get(path);
  }
  const directoryAt = (below) => ({
    name: name || 'chosen files',
    async getFileHandle(file) {
      const found = await get(below + file);
      if (!found) throw missing();
      return { getFile: async () => found };
    },
    getDirectoryHandle: async (folder) => directoryAt(`${below}${folder}/`),
  });
  return {
    name,
    source: directoryAt(''),
    text: async (path) => (await get(path))?.text(),
    async found() {
      const files = await Promise.all([...asked].map(async ([path, file]) => [path, await file]));
      return new Map(files.filter(([, file]) => file));
    },
  };
}

const depthOf = (path) => path.split('/').length;
const isWeights = (path) => path.endsWith('.safetensors');

/** Files that were chosen or dropped, [{ path, file }]: the folder in which config.json lies highest, '' if they are in none. */
export function chosenFolder(files) {
  const byPath = new Map(files.map(({ path, file }) => [path, file]));
  const paths = [...byPath.keys()].sort((a, b) => depthOf(a) - depthOf(b));
  const config = paths.find((path) => /(^|\/)config\.json$/.test(path)) ?? paths[0] ?? '';
  const below = config.slice(0, config.lastIndexOf('/') + 1);
  // Of one file of weights the name does not matter.
  const beside = paths.filter((path) => isWeights(path) && path.startsWith(below));
  const alone = beside.length === 1 ? byPath.get(beside[0]) : undefined;
  return folderOf(below.split('/').at(-2) ?? '', async (path) => {
    return byPath.get(below + path) ?? (path === 'model.safetensors' ? alone : undefined);
  });
}

/** A FileSystemDirectoryHandle. */
export function keptFolder(name, handle) {
  return folderOf(name, directoryHandle(handle).bytes);
}

/** An address, as somebody writes it; throws where it is none. */
export function addressedFolder(address, signal) {
  const written = address.trim();
  let url;
  try {
    url = new URL(written, globalThis.location?.href);
  } catch {
    throw new Error(`“${written}” is no address`);
  }
  if (!/^https?:$/.test(url.protocol)) throw new Error(`“${written}” is no address of the web`);
  const folder = webFolder(url, signal);
  const name = decodeURIComponent(url.pathname).split('/').filter(Boolean).at(-1) ?? url.host;
  return folderOf(name, async (path) => {
    if (isWeights(path)) return folder.bytes(path);
    const text = await folder.text(path);
    return text === undefined ? undefined : new Blob([text]);
  });
}
