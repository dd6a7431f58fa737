// tests/release/dependencies.md lists what development depends on, with its license, and all of it is pinned.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { root } from '../support/js/package.js';

const json = (...path) => JSON.parse(readFileSync(join(root, ...path), 'utf8'));
const listed = readFileSync(join(root, 'tests/release/dependencies.md'), 'utf8')
  .split('\nBeside them')
  .map((part) =>
    [...part.matchAll(/^\| `([^`]+)` +\| (\S+) +\| \S.*\|$/gm)].map(([, name, license]) => ({
      name,
      license,
    })),
  );

describe('development dependencies', () => {
  for (const [at, folder] of ['.', 'tests/bench'].entries()) {
    it(`of ${folder} are listed with their licenses and pinned`, () => {
      const { dependencies, devDependencies } = json(folder, 'package.json');
      assert.equal(dependencies, undefined);
      const { packages } = json(folder, 'package-lock.json');
      const wanted = Object.keys(devDependencies).map((name) => {
        const { license, integrity } = packages[`node_modules/${name}`];
        assert.match(integrity, /^sha512-/, name);
        return { name, license };
      });
      assert.deepEqual(listed[at], wanted);
    });
  }
});
