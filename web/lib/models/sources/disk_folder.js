// A folder on the disk of Node.js. What was opened stays open until the folder is closed.
import { open, readFile } from 'node:fs/promises';
import * as ownPaths from 'node:path';

async function unlessMissing(promise) {
  try {
    return await promise;
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** The path of a file in a folder; paths: node:path, of this system or of another. */
export function pathWithin(folder, name, paths = ownPaths) {
  const path = paths.resolve(folder, name);
  const inner = paths.relative(folder, path); // absolute where it is on another drive
  if (inner.split(paths.sep)[0] !== '..' && !paths.isAbsolute(inner)) return path;
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
    place: path,
    text: (name) => unlessMissing(readText(pathWithin(path, name))),
    async bytes(name) {
      const place = pathWithin(path, name);
      const source = await unlessMissing(open(place));
      if (!source) return undefined;
      handles.push(source);
      if ((await source.stat()).isDirectory()) throw new Error(`${place} is a folder, not a file`);
      return source;
    },
    async close() {
      await Promise.all(handles.splice(0).map((handle) => handle.close()));
    },
  };
}
