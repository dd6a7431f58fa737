// Files of a model as [{ path, file }], from a file input or a drop of files and nested folders.

const readable = /\.(json|txt|safetensors)$/;
const deepest = 4; // max depth of nested folders

export const chosenFiles = (files) =>
  Array.from(files, (file) => ({ path: file.webkitRelativePath || file.name, file })).filter(
    ({ path }) => readable.test(path),
  );

const promised = (ask) => new Promise((resolve, reject) => ask(resolve, reject));

/** readEntries() returns at most a hundred entries at a time. */
async function entriesIn(folder) {
  const reader = folder.createReader();
  const all = [];
  for (;;) {
    const some = await promised((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

async function filesIn(entry, depth) {
  if (entry.isFile) {
    if (!readable.test(entry.name)) return [];
    const file = await promised((resolve, reject) => entry.file(resolve, reject));
    return [{ path: entry.fullPath.replace(/^\//, ''), file }];
  }
  if (depth === deepest || entry.name.startsWith('.')) return [];
  const lists = (await entriesIn(entry)).map((one) => filesIn(one, depth + 1));
  return (await Promise.all(lists)).flat();
}

/** `entries`: file system entries where the browser supports them, else `files`. */
export async function droppedFiles({ entries, files }) {
  if (entries.length === 0) return chosenFiles(files);
  return (await Promise.all(entries.map((entry) => filesIn(entry, 0)))).flat();
}
