// A folder on the disk of Node.js. What was opened stays open until the folder is closed.
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';

async function unlessMissing(promise) {
  try {
    return await promise;
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  }
}

export function diskFolder(path) {
  const handles = [];
  return {
    place: path,
    text: (name) => unlessMissing(readFile(join(path, name), 'utf8')),
    async bytes(name) {
      const source = await unlessMissing(open(join(path, name)));
      if (source) handles.push(source);
      return source;
    },
    async close() {
      await Promise.all(handles.splice(0).map((handle) => handle.close()));
    },
  };
}
