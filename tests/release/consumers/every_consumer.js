// All consumers by name: the exports of the other files in this folder.

import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
// Helpers, not consumers.
const shared = [
  'beginning.js',
  'every_consumer.js',
  'known.js',
  'page.js',
  'pooled.js',
  'project.js',
];

/**
 * @returns {Promise<Record<string, object>>} name → the arguments of Project.make(), and
 *   `run(project)`: the digest of the known weights, then 'same' for each further check; `note`: replaces
 *   "same numbers" in the table
 */
export async function everyConsumer() {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.js')).sort();
  const found = {};
  for (const file of files.filter((name) => !shared.includes(name))) {
    Object.assign(found, (await import(join(folder, file))).default);
  }
  return found;
}
