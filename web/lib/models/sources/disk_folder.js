// A folder on disk in Node.js. Opened files stay open until the folder is closed.
import { open, readFile, stat } from 'node:fs/promises';
import * as ownPaths from 'node:path';

async function undefinedIfMissing(promise) {
  try {
    return await promise;
  } catch (error) {
    const { code } = Object(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** The path of a file in a folder; throws for paths outside it. paths: node:path, win32 or posix. */
export function pathWithin(folder, name, paths = ownPaths) {
  const path = paths.resolve(folder, name);
  const relative = paths.relative(folder, path); // absolute if it is on another drive
  if (relative.split(paths.sep)[0] !== '..' && !paths.isAbsolute(relative)) return path;
  throw new RangeError(`${path} is not in the folder ${folder}`);
}

/** open(path), a promise, if it is a file: opening a named pipe waits for its writer. */
async function ofFile(path, open) {
  const found = await stat(path);
  if (found.isDirectory()) throw new Error(`${path} is a folder, not a file`);
  if (!found.isFile()) throw new Error(`${path} is a device or a pipe, not a file`);
  return open(path);
}

export function diskFolder(path) {
  const handles = [];
  return {
    location: path,
    text: (name) =>
      undefinedIfMissing(ofFile(pathWithin(path, name), (file) => readFile(file, 'utf8'))),
    async bytes(name) {
      const source = await undefinedIfMissing(ofFile(pathWithin(path, name), open));
      if (source) handles.push(source);
      return source;
    },
    has: async (name) => (await undefinedIfMissing(stat(pathWithin(path, name)))) !== undefined,
    async close() {
      await Promise.all(handles.splice(0).map((handle) => handle.close()));
    },
  };
}
