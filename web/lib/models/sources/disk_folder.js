// A folder on disk in Node.js. Opened files stay open until the folder is closed.
import { open, readFile } from 'node:fs/promises';
import * as ownPaths from 'node:path';

async function undefinedIfMissing(promise) {
  try {
    return await promise;
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
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

async function readText(path) {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (cause.code !== 'EISDIR') throw cause;
    throw new Error(`${path} is a folder, not a file`, { cause });
  }
}

export function diskFolder(path) {
  const handles = [];
  return {
    location: path,
    text: (name) => undefinedIfMissing(readText(pathWithin(path, name))),
    async bytes(name) {
      const filePath = pathWithin(path, name);
      const source = await undefinedIfMissing(open(filePath));
      if (!source) return undefined;
      handles.push(source);
      if ((await source.stat()).isDirectory())
        throw new Error(`${filePath} is a folder, not a file`);
      return source;
    },
    async close() {
      await Promise.all(handles.splice(0).map((handle) => handle.close()));
    },
  };
}
