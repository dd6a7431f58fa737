// Every example of the API reference, run in Node.js, prints what its comments say.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root, run } from '../support/js/package.js';
import { brokenPromises, watchPrints } from '../support/js/printed_comments.js';
import { readGuides } from '../../web/reference/guides.js';
import { examplesIn, examplesOf, readTypes } from '../../web/reference/read_types.js';

const examples = [
  ...examplesOf(await readTypes()),
  ...readGuides().flatMap(({ title, text }) => examplesIn(title, text)),
];

/** Runs code as a module in a project that has the package. */
const runModule = (source) =>
  run(process.execPath, ['--input-type=module', '--no-warnings', '--eval', source], root);

describe('the beginning in Node.js', () => {
  for (const name of ['program.js', 'program.cjs']) {
    it(`${name} prints what it says`, async () => {
      const path = join(root, 'web/reference/guides/examples', name);
      const [, promise] = /^ *console\.log\(.*\/\/ (.*)$/m.exec(await readFile(path, 'utf8'));
      assert.equal(await run(process.execPath, ['--no-warnings', path]), `${promise}\n`);
    });
  }
});

describe('an example of', { concurrency: 2 }, () => {
  for (const { place, language, code } of examples) {
    if (language !== 'js') continue; // tests/release/reference.browser.test.js
    it(place, async () => {
      const { source, promises } = watchPrints(code);
      assert.ok(promises.size > 0, 'it says nowhere what is printed');
      assert.deepEqual(brokenPromises(promises, await runModule(source)), []);
    });
  }
});
