// The type declarations, as a user's compiler reads them: tests/js/types/*.ts use them rightly, and
// wrongly under @ts-expect-error.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import ts from 'typescript';
import { root } from '../support/js/package.js';

const folder = join(root, 'tests/js/types');
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join(folder, name));

const { ModuleKind, ModuleResolutionKind, ScriptTarget } = ts;
const resolutions = {
  node16: { module: ModuleKind.Node16, moduleResolution: ModuleResolutionKind.Node16 },
  nodenext: { module: ModuleKind.NodeNext, moduleResolution: ModuleResolutionKind.NodeNext },
  bundler: { module: ModuleKind.ESNext, moduleResolution: ModuleResolutionKind.Bundler },
};

describe('types', () => {
  for (const [name, resolution] of Object.entries(resolutions)) {
    it(`are right under ${name} resolution`, () => {
      assert.ok(files.length > 0);
      const program = ts.createProgram(files, {
        ...resolution,
        target: ScriptTarget.ES2022,
        lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
        types: [],
        noEmit: true,
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: false,
      });
      const diagnostics = ts.getPreEmitDiagnostics(program);
      assert.equal(
        diagnostics.length,
        0,
        ts.formatDiagnostics(diagnostics, {
          getCanonicalFileName: (path) => path,
          getCurrentDirectory: () => root,
          getNewLine: () => '\n',
        }),
      );
      const sources = program.getSourceFiles().map(({ fileName }) => fileName);
      assert.ok(sources.includes(join(root, 'web/lib/index.d.ts')));
    });
  }
});
