// Installs the packed package into one project for each kind of consumer, computes a known weight matrix there, and
// prints a table:   node tests/release/consumers.js [NAME…]
// Downloads the other packages from the npm registry. A quick subset runs with the tests.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { everyConsumer } from './consumers/every_consumer.js';
import { known } from './consumers/known.js';
import { Project } from './consumers/project.js';
import { packAndInstall } from '../support/js/package.js';

/** One row of the table: name, versions, result. */
async function row(tarball, expected, [name, consumer]) {
  let project;
  try {
    project = await Project.make(tarball, consumer);
    const [digest, ...others] = [await consumer.run(project)].flat();
    const wrong = [digest === expected ? 'same' : digest, ...others].filter((it) => it !== 'same');
    const result = wrong.length > 0 ? wrong.join('; ') : (consumer.note ?? 'same numbers');
    return { name, versions: project.versions, result, failed: wrong.length > 0 };
  } catch (error) {
    return { name, versions: project?.versions ?? '', result: error.message, failed: true };
  } finally {
    await project?.remove();
  }
}

const consumers = await everyConsumer();
const names = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(consumers, name));
if (unknown.length > 0) {
  console.error(
    `There is no ${unknown.join(', ')}; there are ${Object.keys(consumers).join(', ')}`,
  );
  process.exit(2);
}
const chosen = Object.entries(consumers).filter(
  ([name]) => names.length === 0 || names.includes(name),
);
const { tarball, remove, folder: packed } = await packAndInstall();
await rm(join(packed, 'node_modules'), { recursive: true });
try {
  const expected = await known();
  console.log('| consumer | versions | result |\n| --- | --- | --- |');
  for (const one of chosen) {
    const { name, versions, result, failed } = await row(tarball, expected, one);
    if (failed) process.exitCode = 1;
    console.log(`| ${name} | ${versions} | ${failed ? 'FAILED: ' : ''}${result} |`);
  }
} finally {
  await remove();
}
