// The type declarations as a user's compiler reads them.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import ts from 'typescript';

import { root } from './package.js';

const { ModuleKind, ModuleResolutionKind, ScriptTarget } = ts;

export const resolutions = {
  node16: { module: ModuleKind.Node16, moduleResolution: ModuleResolutionKind.Node16 },
  nodenext: { module: ModuleKind.NodeNext, moduleResolution: ModuleResolutionKind.NodeNext },
  bundler: { module: ModuleKind.ESNext, moduleResolution: ModuleResolutionKind.Bundler },
};

/** Diagnostics of the files, as text. */
export function diagnosticsOf(rootNames, options) {
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
  assert.ok(sources.includes(join(root, 'web/lib/types/index.d.ts')));
  return ts.formatDiagnostics(ts.getPreEmitDiagnostics(program), {
    getCanonicalFileName: (path) => path,
    getCurrentDirectory: () => root,
    getNewLine: () => '\n',
  });
}
