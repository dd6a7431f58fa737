// The packed package against publint, Are The Types Wrong and TypeScript's oldest resolution; and its README, executed.

import assert from 'node:assert/strict';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import ts from 'typescript';
import { packAndInstall, root, run } from '../support/js/package.js';
import { brokenPromises, watchPrints } from '../support/js/printed_comments.js';

describe('the package', () => {
  let installed;
  before(async () => (installed = await packAndInstall()));
  after(() => installed?.remove());

  it('has nothing that publint or Are The Types Wrong would change', async () => {
    const bin = (name) => join(root, 'node_modules', '.bin', name);
    const { tarball } = installed;
    await run(bin('publint'), ['run', '--strict', tarball]);
    // Files that are not scripts have no types.
    const assets = [
      'attention.wasm',
      'fused.wasm',
      'training.wasm',
      'english_french.safetensors',
      'tokenizer.json',
    ];
    const attw = ['--profile', 'esm-only', '--exclude-entrypoints', ...assets];
    await run(bin('attw'), [tarball, ...attw]);
  });

  it('compiles also under the oldest resolution of TypeScript, which does not know exports', async () => {
    const program = join(installed.folder, 'every_entry.ts');
    await cp(join(root, 'tests/release/types/without_dom/every_entry.ts'), program);
    const options = {
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Node10,
      ignoreDeprecations: '6.0',
      target: ts.ScriptTarget.ES2022,
      lib: ['lib.es2022.d.ts'],
      types: [],
      strict: true,
      noEmit: true,
    };
    const found = ts.getPreEmitDiagnostics(ts.createProgram([program], options));
    assert.deepEqual(
      found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ')),
      [],
    );
  });

  it('runs every JavaScript block of its README, which prints what its comments say', async () => {
    const readme = await readFile(join(root, 'README.md'), 'utf8');
    const blocks = [...readme.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
    assert.ok(blocks.length > 0);
    let promised = 0;
    for (const [index, block] of blocks.entries()) {
      const { source, promises } = watchPrints(block);
      promised += promises.size;
      const file = join(installed.folder, `block-${index}.mjs`);
      await writeFile(file, source);
      const printed = await run(process.execPath, [file], installed.folder);
      assert.deepEqual(brokenPromises(promises, printed), []);
    }
    assert.ok(promised >= 2, `${promised} comments say what is printed`);
  });
});
