// Folder of a model from any origin: { name, source, text(path), found() }. `source` is an argument for loadModel();
// found() returns the files read so far by path, which are all files of the model.

import { openFolder } from 'attention-wasm/models';
import { isConfig } from '../../config_name.js';

/** @import { BlobSource } from 'attention-wasm/safetensors' */
/**
 * A file, or what reads the ranges of one.
 * @typedef {BlobSource & { text?: () => Promise<string> }} FoundFile
 */

/**
 * @param {string} name
 * @param {(path: string) => Promise<FoundFile | undefined>} find
 */
function folderOf(name, find) {
  /** @type {Map<string, Promise<FoundFile | undefined>>} path → promise of a file */
  const reads = new Map();
  /** @param {string} path */
  function get(path) {
    const read = reads.get(path) ?? find(path);
    reads.set(path, read);
    return read;
  }
  /** @param {string} path of a text, which is a whole file */
  const text = async (path) => (await get(path))?.text?.();
  return {
    name,
    source: { location: `the folder '${name || 'chosen files'}'`, text, bytes: get },
    text,
    found,
    /** Name of the only weights' file, without its ending; '' for the usual one, and for several. */
    async weightsName() {
      const files = [...(await found()).entries()].filter(([path]) => isWeights(path));
      const [[path, file]] = files;
      const written = file instanceof File ? file.name : path;
      const name = (written.split('/').at(-1) ?? '').replace(/\.safetensors$/, '');
      return files.length > 1 || name === 'model' ? '' : name;
    },
  };

  async function found() {
    /** @type {Map<string, FoundFile>} */
    const files = new Map();
    for (const [path, read] of [...reads]) {
      const file = await read;
      if (file) files.set(path, file);
    }
    return files;
  }
}

const depthOf = (path) => path.split('/').length;
const isWeights = (path) => path.endsWith('.safetensors');

/**
 * Chosen or dropped files, [{ path, file }]: the topmost folder with a config.json, else with one *_config.json, which may
 * have other files of its prefix beside it; '' if there is none.
 */
export function chosenFolder(files) {
  const byPath = new Map(files.map(({ path, file }) => [path, file]));
  const paths = [...byPath.keys()].sort((a, b) => depthOf(a) - depthOf(b));
  const configs = paths.filter((path) => isConfig(nameIn(path)));
  const known =
    configs.find((path) => nameIn(path) === 'config.json') ??
    (configs.length === 1 ? configs[0] : undefined);
  const config = known ?? paths[0] ?? '';
  const below = config.slice(0, config.lastIndexOf('/') + 1);
  const prefix = known ? nameIn(known).slice(0, -'config.json'.length) : '';
  // A single weights file may have any name.
  const beside = paths.filter((path) => isWeights(path) && path.startsWith(below));
  const alone = beside.length === 1 ? byPath.get(beside[0]) : undefined;
  return folderOf(below.split('/').at(-2) ?? '', async (path) => {
    return (
      byPath.get(below + path) ??
      byPath.get(below + prefix + path) ??
      (path === 'model.safetensors' ? alone : undefined)
    );
  });
}

/** @param {string} path */
const nameIn = (path) => path.slice(path.lastIndexOf('/') + 1);

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
      if (error instanceof Error && error.name === 'NotFoundError') return undefined;
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
    if (isWeights(path)) return /** @type {Promise<BlobSource | undefined>} */ (folder.bytes(path));
    const text = await folder.text(path);
    return text === undefined ? undefined : new Blob([text]);
  });
}
