// The type declarations, as a user's compiler reads them: tests/release/types/*.ts use them rightly, and
// wrongly under @ts-expect-error.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import ts from 'typescript';
import { root } from '../support/js/package.js';

const folder = join(root, 'tests/release/types');
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join(folder, name));

const { ModuleKind, ModuleResolutionKind, ScriptTarget } = ts;
const resolutions = {
  node16: { module: ModuleKind.Node16, moduleResolution: ModuleResolutionKind.Node16 },
  nodenext: { module: ModuleKind.NodeNext, moduleResolution: ModuleResolutionKind.NodeNext },
  bundler: { module: ModuleKind.ESNext, moduleResolution: ModuleResolutionKind.Bundler },
};

/** What the compiler has to say of the files, as text. */
function complaints(rootNames, options) {
  const program = ts.createProgram(rootNames, {
    target: ScriptTarget.ES2022,
    types: [],
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    ...options,
  });
  const sources = program.getSourceFiles().map(({ fileName }) => fileName);
  assert.ok(sources.includes(join(root, 'web/lib/index.d.ts')));
  return ts.formatDiagnostics(ts.getPreEmitDiagnostics(program), {
    getCanonicalFileName: (path) => path,
    getCurrentDirectory: () => root,
    getNewLine: () => '\n',
  });
}

describe('types', () => {
  for (const [name, resolution] of Object.entries(resolutions)) {
    it(`are right under ${name} resolution`, () => {
      assert.ok(files.length > 0);
      const lib = ['lib.es2022.d.ts', 'lib.dom.d.ts'];
      assert.equal(complaints(files, { ...resolution, lib }), '');
    });
  }

  // Of a page, of a worker, and of none: in Node without its types, in workerd, in a plain worklet.
  for (const lib of ['dom', 'webworker', undefined]) {
    it(`compile with ${lib ? `the library ${lib}` : 'the language alone'}`, () => {
      const entries = [join(folder, 'without_dom/every_entry.ts')];
      const libraries = ['lib.es2022.d.ts', ...(lib ? [`lib.${lib}.d.ts`] : [])];
      assert.equal(complaints(entries, { ...resolutions.bundler, lib: libraries }), '');
    });
  }
});
