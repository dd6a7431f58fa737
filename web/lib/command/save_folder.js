// The folder of --save: checked before what it is for, written after it.

import { access, constants, mkdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pid } from 'node:process';

const found = (path) => stat(path).catch(() => undefined);

/**
 * Makes a folder and the missing ones above it, and adds them to `made`. Without mkdir()'s option `recursive`, which never
 * returns where a folder seems missing and cannot be made, such as /proc/x.
 */
async function makeFolders(path, made = []) {
  try {
    await mkdir(path);
  } catch (error) {
    const existing = await found(path);
    if (existing?.isDirectory()) return;
    if (existing) throw new Error(`${path} is a file, not a folder`, { cause: error });
    if (Object(error).code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolders(dirname(path), made);
    await mkdir(path);
  }
  made.push(path);
}

/** Throws if files of these names cannot be written to a folder. Leaves nothing behind, so that an interruption does not. */
export async function checkFolder(folder, names) {
  const path = resolve(folder);
  const made = [];
  try {
    await makeFolders(path, made);
    await access(path, constants.W_OK);
    for (const name of names) {
      if ((await found(join(path, name)))?.isDirectory()) {
        throw new Error(`${join(folder, name)} is a folder, not a file`);
      }
    }
  } finally {
    for (const one of made.reverse()) await rmdir(one);
  }
}

/** Writes files, contents by name: all or, if one cannot be written, none. A link is replaced, not written through. */
export async function saveFiles(folder, files) {
  const path = resolve(folder);
  await makeFolders(path);
  const partial = (name) => join(path, `.${name}.${pid}.partial`);
  const names = Object.keys(files);
  try {
    for (const name of names) {
      await rm(partial(name), { force: true });
      await writeFile(partial(name), files[name], { flag: 'wx' });
    }
    for (const name of names) await rename(partial(name), join(path, name));
  } catch (error) {
    for (const name of names) await rm(partial(name), { force: true });
    throw error;
  }
}
