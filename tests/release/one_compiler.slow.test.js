// A build without Clang for WebAssembly: everything but fused.wasm, and no package.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { root } from '../support/js/package.js';
import { pathWithout, wasmClang } from '../support/js/path_without.js';

const noClang = 'Clang 19 or newer with its wasm-ld was not found';
const switchLabel = 'Fused multiply-add';

describe('a build with one compiler', { timeout: 300_000 }, () => {
  const checkout = mkdtempSync(join(tmpdir(), 'attention-checkout-'));
  let programs;
  let built;

  function build(...args) {
    const env = { ...process.env, PATH: programs.path };
    const options = { cwd: checkout, env, encoding: 'utf8' };
    return spawnSync(process.execPath, ['web/build.js', ...args], options);
  }

  before(() => {
    programs = pathWithout(wasmClang);
    const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
      ...{ cwd: root, encoding: 'utf8' },
    });
    for (const path of listed.split('\0').filter(Boolean)) {
      const isUsed = !/^(?:tests\/|node_modules$)/.test(path) && existsSync(join(root, path));
      if (isUsed) cpSync(join(root, path), join(checkout, path));
    }
    symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
    // The compiled C++, with an earlier fused.wasm.
    for (const name of ['module', 'fused']) {
      const to = join(checkout, '.build', name);
      cpSync(join(root, '.build', name), to, { recursive: true, preserveTimestamps: true });
    }
    const stamp = join(checkout, '.build/module/configured-for.txt');
    writeFileSync(stamp, readFileSync(stamp, 'utf8').replace(root, checkout));
    built = build();
  });
  after(() => {
    programs.remove();
    rmSync(checkout, { recursive: true, force: true });
  });

  it('says in one line what is left out', () => {
    assert.equal(built.status, 0, built.stderr);
    const lines = built.stdout.split('\n').filter((line) => line.includes('Clang'));
    assert.deepEqual(lines, [
      `${noClang}: fused.wasm is left out, and kernels 'fused' will run as 'simd'`,
    ]);
    assert.ok(!existsSync(join(checkout, 'web/built/fused.wasm')));
  });

  it("runs fused kernels as 'simd'", () => {
    const [library, fused] = ['index.js', 'fused.js'].map((name) =>
      pathToFileURL(join(checkout, 'web/built', name)),
    );
    const program = `
      import { loadAttention } from '${library}';
      import { fused } from '${fused}';
      console.log((await loadAttention({ kernels: fused })).kernels);`;
    const args = ['--input-type=module', '-e', program];
    assert.equal(execFileSync(process.execPath, args, { encoding: 'utf8' }), 'simd\n');
  });

  it('has no switch for them in the page', () => {
    const shows = (folder) => {
      const assets = join(folder, '.build/page/assets');
      const scripts = readdirSync(assets).map((name) => readFileSync(join(assets, name), 'utf8'));
      const [script] = scripts.filter((text) => text.includes(switchLabel));
      return /shown:\(?\(\w*\)=>(![01])/.exec(script.slice(script.indexOf(switchLabel)))[1];
    };
    assert.equal(shows(checkout), '!1');
    assert.equal(shows(root), '!0');
  });

  it('does not make a package', () => {
    const { status, stderr } = build('--package');
    assert.equal(status, 1);
    assert.equal(
      stderr,
      `The build failed: the package needs fused.wasm, but ${noClang}: put clang++ on PATH, or run: bash .ci/setup.sh pack\n`,
    );
  });
});
