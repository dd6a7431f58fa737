// All consumers there are, by name: what the files beside this one export.

import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
// What they share.
const shared = [
  'beginning.js',
  'every_consumer.js',
  'known.js',
  'page.js',
  'pooled.js',
  'project.js',
];

/**
 * @returns {Promise<Record<string, object>>} name → what Project.make() wants, and
 *   `run(project)`: the digest of the known weights, then 'same' for all else that was looked at; `note`: what is
 *   written into the table instead of "same numbers"
 */
export async function everyConsumer() {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.js')).sort();
  const found = {};
  for (const file of files.filter((name) => !shared.includes(name))) {
    Object.assign(found, (await import(join(folder, file))).default);
  }
  return found;
}
