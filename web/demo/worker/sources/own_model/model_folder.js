// Folder of a model from any origin: { name, source, text(path), found() }. `source` is an argument for loadModel();
// found() returns the files read so far by path, which are all files of the model.

import { openFolder } from 'attention-wasm/models';

/** find(path) resolves to a File, an object with size and slice(), or undefined. */
function folderOf(name, find) {
  const reads = new Map(); // path → promise of a file
  function get(path) {
    if (!reads.has(path)) reads.set(path, find(path));
    return reads.get(path);
  }
  const text = async (path) => (await get(path))?.text();
  return {
    name,
    source: { location: `the folder '${name || 'chosen files'}'`, text, bytes: get },
    text,
    async found() {
      const files = await Promise.all([...reads].map(async ([path, file]) => [path, await file]));
      return new Map(files.filter(([, file]) => file));
    },
  };
}

const depthOf = (path) => path.split('/').length;
const isWeights = (path) => path.endsWith('.safetensors');

/** Chosen or dropped files, [{ path, file }]: the topmost folder with a config.json, '' if there is none. */
export function chosenFolder(files) {
  const byPath = new Map(files.map(({ path, file }) => [path, file]));
  const paths = [...byPath.keys()].sort((a, b) => depthOf(a) - depthOf(b));
  const config = paths.find((path) => /(^|\/)config\.json$/.test(path)) ?? paths[0] ?? '';
  const below = config.slice(0, config.lastIndexOf('/') + 1);
  // A single weights file may have any name.
  const beside = paths.filter((path) => isWeights(path) && path.startsWith(below));
  const alone = beside.length === 1 ? byPath.get(beside[0]) : undefined;
  return folderOf(below.split('/').at(-2) ?? '', async (path) => {
    return byPath.get(below + path) ?? (path === 'model.safetensors' ? alone : undefined);
  });
}

/** From a FileSystemDirectoryHandle. */
export function keptFolder(name, handle) {
  return folderOf(name, async (path) => {
    const names = path.split('/');
    const last = names.pop();
    try {
      let directory = handle;
      for (const below of names) directory = await directory.getDirectoryHandle(below);
      return await (await directory.getFileHandle(last)).getFile();
    } catch (error) {
      if (error.name === 'NotFoundError') return undefined;
      throw error;
    }
  });
}

const hubName = /^(?!\.)[\w.-]+\/[\w.-]+$/;

/** From the address of a folder, or OWNER/NAME of a repository of the Hugging Face hub; throws for other texts. */
export function addressedFolder(address, signal) {
  const written = address.trim();
  let url;
  try {
    url = hubName.test(written)
      ? new URL(`https://huggingface.co/${written}/resolve/main/`)
      : new URL(written, globalThis.location?.href);
  } catch {
    throw new Error(`“${written}” is no address`);
  }
  if (!/^https?:$/.test(url.protocol)) throw new Error(`“${written}” is no address of the web`);
  const folder = openFolder(url, { signal });
  const path = decodeURIComponent(url.pathname).split('/').filter(Boolean);
  const name = hubName.test(written) ? written : (path.at(-1) ?? url.host);
  return folderOf(name, async (path) => {
    if (isWeights(path)) return folder.bytes(path);
    const text = await folder.text(path);
    return text === undefined ? undefined : new Blob([text]);
  });
}
