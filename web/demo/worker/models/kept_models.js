// Models kept for the next visit in the origin private file system: a folder for each, with copies of its files.
// kept.json is written last: a folder without it is incomplete.

import { readIdentity } from '../../model_identity.js';

/** @import { ModelIdentity } from '../../model_identity.js' */

const folderName = 'models';
const infoFile = 'kept.json';
const chunkBytes = 2 ** 22; // per write

/** @param {FileSystemGetDirectoryOptions} [options] */
async function folderOfAll(options) {
  const storage = globalThis.navigator?.storage;
  if (!storage?.getDirectory) throw new Error('this browser keeps no files for pages');
  const root = await storage.getDirectory();
  return root.getDirectoryHandle(folderName, options);
}

/** @param {unknown} error */
const isMissing = (error) => nameOf(error) === 'NotFoundError';

/** @param {unknown} error */
const nameOf = (error) => (error instanceof Error ? error.name : '');

/** [{ place, name, bytes, identity }], `identity` of those kept since it is; empty if the browser has no such storage. */
export async function keptModels() {
  const found = [];
  try {
    const all = await folderOfAll();
    for await (const [place, folder] of all.entries()) {
      const file = await wholeIn(folder);
      if (file) found.push({ ...JSON.parse(await file.text()), place });
    }
  } catch {
    // Unreadable storage counts as empty.
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** @param {FileSystemHandle} folder */
async function wholeIn(folder) {
  try {
    const directory = /** @type {FileSystemDirectoryHandle} */ (folder);
    return await (await directory.getFileHandle(infoFile)).getFile();
  } catch {
    return undefined;
  }
}

/** Folder of a model, whose name may have any characters; models of one name have different hashes. */
export function placeOf({ name, identity }) {
  const { hash } = /** @type {ModelIdentity} */ (readIdentity(identity));
  const written = encodeURIComponent(name.slice(0, 60));
  return `${written.replace(/[.*]/g, (sign) => `_${sign.charCodeAt(0)}`)}_${hash}`;
}

/** Directory handle of a kept model, and its name. */
export async function keptModel(place) {
  try {
    const handle = await (await folderOfAll()).getDirectoryHandle(place);
    const { name } = JSON.parse(
      await (await handle.getFileHandle(infoFile)).getFile().then(textOf),
    );
    return { name, handle };
  } catch (error) {
    throw isMissing(error) ? new Error('it is not kept any more', { cause: error }) : error;
  }
}

/** @param {File} file */
const textOf = (file) => file.text();

export async function removeModel(place) {
  try {
    await (await folderOfAll()).removeEntry(place, { recursive: true });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Copies the model's files; if that fails, removes all of them. */
export async function keepModel({ name, identity, folder }, { signal, report }) {
  const place = placeOf({ name, identity });
  const files = await folder.found();
  const total = [...files.values()].reduce((sum, { size }) => sum + size, 0);
  let loaded = 0;
  await removeModel(place);
  try {
    const all = await folderOfAll({ create: true });
    const into = await all.getDirectoryHandle(place, { create: true });
    for (const [path, file] of files) {
      await copy(file, await handleAt(into, path), (bytes) => {
        signal.throwIfAborted();
        loaded += bytes;
        report({ loaded, total, file: path });
      });
    }
    const says = new Blob([JSON.stringify({ name, bytes: total, identity })]);
    await copy(says, await handleAt(into, infoFile), () => {});
  } catch (error) {
    await removeModel(place);
    const isFull = nameOf(error) === 'QuotaExceededError';
    throw isFull ? new Error('the browser has no room to keep it', { cause: error }) : error;
  }
}

async function handleAt(directory, path) {
  const names = path.split('/');
  const last = names.pop();
  let folder = directory;
  for (const name of names) folder = await folder.getDirectoryHandle(name, { create: true });
  return folder.getFileHandle(last, { create: true });
}

/** `file`: a File, or an object with size and slice(). */
async function copy(file, handle, wrote) {
  const access = await handle.createSyncAccessHandle();
  try {
    access.truncate(0);
    for (let at = 0; at < file.size; at += chunkBytes) {
      const end = Math.min(at + chunkBytes, file.size);
      const bytes = new Uint8Array(await file.slice(at, end).arrayBuffer());
      access.write(bytes, { at });
      wrote(bytes.length);
    }
    access.flush();
  } finally {
    access.close();
  }
}
