// The type declarations under the other module resolutions, and with other libraries than lib.dom.

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
  for (const name of ['node16', 'bundler']) {
    it(`are right under ${name} resolution`, () => {
      const lib = ['lib.es2022.d.ts', 'lib.dom.d.ts'];
      assert.equal(diagnosticsOf(files, { ...resolutions[name], lib }), '');
    });
  }

  // lib.dom, lib.webworker, and neither, as in Node.js without types, in workerd, in a worklet.
  for (const lib of ['dom', 'webworker', undefined]) {
    it(`compile with ${lib ? `the library ${lib}` : 'the language alone'}`, () => {
      const entries = [join(folder, 'without_dom/every_entry.ts')];
      const libraries = ['lib.es2022.d.ts', ...(lib ? [`lib.${lib}.d.ts`] : [])];
      assert.equal(diagnosticsOf(entries, { ...resolutions.bundler, lib: libraries }), '');
    });
  }
});
