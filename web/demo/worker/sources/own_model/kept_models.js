// Models that are kept for the next visit, in the file system that the browser gives the page for itself: a folder for
// each, with the files that it was read from. What stands in kept.json is written last: without it a folder is not
// whole.

const room = 'models';
const told = 'kept.json';
const atOnce = 2 ** 22; // bytes

async function folderOfAll(options) {
  const storage = globalThis.navigator?.storage;
  if (!storage?.getDirectory) throw new Error('this browser keeps no files for pages');
  const root = await storage.getDirectory();
  return root.getDirectoryHandle(room, options);
}

const isMissing = ({ name }) => name === 'NotFoundError';

/** [{ name, bytes }]; none where the browser keeps nothing. */
export async function keptModels() {
  const found = [];
  try {
    const all = await folderOfAll();
    for await (const [, folder] of all.entries()) {
      const file = await wholeIn(folder);
      if (file) found.push(JSON.parse(await file.text()));
    }
  } catch {
    // What cannot be read is not there.
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function wholeIn(folder) {
  try {
    return await (await folder.getFileHandle(told)).getFile();
  } catch {
    return undefined;
  }
}

// Names of folders may have every sign.
const placeOf = (name) =>
  encodeURIComponent(name).replace(/[.*]/g, (sign) => `_${sign.charCodeAt()}`);

/** The folder of a model that is kept. */
export async function keptModel(name) {
  try {
    return await (await folderOfAll()).getDirectoryHandle(placeOf(name));
  } catch (error) {
    throw isMissing(error) ? new Error(`${name} is not kept any more`, { cause: error }) : error;
  }
}

export async function removeModel(name) {
  try {
    await (await folderOfAll()).removeEntry(placeOf(name), { recursive: true });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Writes the files that the model was read from; of one that cannot be kept nothing is left. */
export async function keepModel({ name, folder }, { signal, report }) {
  const files = await folder.found();
  const total = [...files.values()].reduce((sum, { size }) => sum + size, 0);
  let loaded = 0;
  await removeModel(name);
  try {
    const all = await folderOfAll({ create: true });
    const into = await all.getDirectoryHandle(placeOf(name), { create: true });
    for (const [path, file] of files) {
      await copy(file, await handleAt(into, path), (bytes) => {
        signal.throwIfAborted();
        loaded += bytes;
        report({ loaded, total, file: path });
      });
    }
    const says = new Blob([JSON.stringify({ name, bytes: total })]);
    await copy(says, await handleAt(into, told), () => {});
  } catch (error) {
    await removeModel(name);
    const isFull = error.name === 'QuotaExceededError';
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

/** `file` is a File, or what reads as one by ranges. */
async function copy(file, handle, wrote) {
  const access = await handle.createSyncAccessHandle();
  try {
    access.truncate(0);
    for (let at = 0; at < file.size; at += atOnce) {
      const end = Math.min(at + atOnce, file.size);
      const bytes = new Uint8Array(await file.slice(at, end).arrayBuffer());
      access.write(bytes, { at });
      wrote(bytes.length);
    }
    access.flush();
  } finally {
    access.close();
  }
}
