// The type declarations under the newest resolution: tests/release/types/*.ts use them correctly, and incorrectly under
// @ts-expect-error.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { diagnosticsOf, resolutions } from '../support/js/compile_types.js';
import { root } from '../support/js/package.js';

const folder = join(root, 'tests/release/types');
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join(folder, name));

describe('types', () => {
  it('are right under nodenext resolution', () => {
    assert.ok(files.length > 0);
    const lib = ['lib.es2022.d.ts', 'lib.dom.d.ts'];
    assert.equal(diagnosticsOf(files, { ...resolutions.nodenext, lib }), '');
  });
});
