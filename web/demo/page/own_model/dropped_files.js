// Files of a model as [{ path, file }], from a file input or a drop of files and nested folders.

/** @import { DroppedFiles } from '../../state/types' */

const readable = /\.(json|txt|safetensors|model)$/;
const deepest = 4; // max depth of nested folders

/** @param {Iterable<File>} files */
export const chosenFiles = (files) =>
  Array.from(files, (file) => ({ path: file.webkitRelativePath || file.name, file })).filter(
    ({ path }) => readable.test(path),
  );

/**
 * readEntries() returns at most a hundred entries at a time.
 * @param {FileSystemDirectoryEntry} folder
 */
async function entriesIn(folder) {
  const reader = folder.createReader();
  /** @type {FileSystemEntry[]} */
  const all = [];
  for (;;) {
    /** @type {FileSystemEntry[]} */
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

/** @type {(entry: FileSystemEntry) => entry is FileSystemFileEntry} */
const isFile = (entry) => entry.isFile;
/** @type {(entry: FileSystemEntry) => entry is FileSystemDirectoryEntry} */
const isFolder = (entry) => entry.isDirectory;

/**
 * @param {FileSystemEntry} entry
 * @param {number} depth
 * @returns {Promise<{ path: string, file: File }[]>}
 */
async function filesIn(entry, depth) {
  if (isFile(entry)) {
    if (!readable.test(entry.name)) return [];
    /** @type {File} */
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    return [{ path: entry.fullPath.replace(/^\//, ''), file }];
  }
  if (!isFolder(entry) || depth === deepest || entry.name.startsWith('.')) return [];
  const lists = (await entriesIn(entry)).map((one) => filesIn(one, depth + 1));
  return (await Promise.all(lists)).flat();
}

/** @param {DroppedFiles} dropped */
export async function droppedFiles({ entries, files }) {
  if (entries.length === 0) return chosenFiles(files);
  return (await Promise.all(entries.map((entry) => filesIn(entry, 0)))).flat();
}
