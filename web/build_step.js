// A step of the build. It is skipped if its inputs have the same content as in the last run, its outputs are unchanged, and
// their folders have no other files.

import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The files of a folder and all folders below it, in the order of their names; of a file itself. */
function filesBelow(path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

/** SHA-256 of the names and contents of files, and of the versions of what reads them. */
function digestOf(root, paths) {
  const hash = createHash('sha256').update(`${process.version}\n`);
  for (const path of paths.flatMap(filesBelow)) {
    const content = readFileSync(path);
    hash.update(`${relative(root, path)} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/** Sizes and times of the files in the output folders. */
const stateOf = (folders) =>
  folders.flatMap(filesBelow).map((path) => {
    const { size, mtimeMs } = statSync(path);
    return [path, size, mtimeMs];
  });

function writeIfChanged(root, path, content) {
  const bytes = Buffer.from(content);
  if (existsSync(path) && readFileSync(path).equals(bytes)) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  console.log(`${relative(root, path)}: ${bytes.length.toLocaleString('en')} bytes`);
}

/**
 * @param {object} step
 * @param {string} step.root the checkout, whose path is no part of the digest of the inputs
 * @param {string} step.stamp file that records the inputs and outputs of the last time
 * @param {string[]} step.inputs files and folders
 * @param {string[]} step.folders folders of the outputs; files that the step does not make are removed from them
 * @param {() => Promise<Map<string, string | Uint8Array>>} step.make path → content of all outputs
 * @returns {Promise<boolean>} whether it was necessary
 */
export async function runStep({ root, stamp, inputs, folders, make }) {
  const digest = digestOf(root, inputs);
  const record = () => JSON.stringify({ digest, outputs: stateOf(folders) });
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === record()) return false;
  rmSync(stamp, { force: true });
  const files = await make();
  for (const [path, content] of files) writeIfChanged(root, path, content);
  for (const path of folders.flatMap(filesBelow)) if (!files.has(path)) rmSync(path);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, record());
  return true;
}
