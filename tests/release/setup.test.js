// .ci/setup.sh, which installs compilers: what each level needs, on a machine without Clang for fused.wasm.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../support/js/package.js';
import { pathWithout, wasmClang } from '../support/js/path_without.js';

describe('the set-up without Clang for WebAssembly', () => {
  const checkout = mkdtempSync(join(tmpdir(), 'attention-setup-'));
  let programs;

  before(() => {
    for (const name of ['.ci/setup.sh', 'web/emscripten.js', 'web/wasm_clang.js']) {
      cpSync(join(root, name), join(checkout, name));
    }
    writeFileSync(join(checkout, 'package-lock.json'), '');
    // Newer than package-lock.json: all packages are installed.
    mkdirSync(join(checkout, 'node_modules'));
    writeFileSync(join(checkout, 'node_modules/.package-lock.json'), '');
    // Without apt-get it lists what is missing, instead of installing it.
    programs = pathWithout(RegExp(`${wasmClang.source}|^apt-get$`));
  });
  after(() => {
    programs.remove();
    rmSync(checkout, { recursive: true, force: true });
  });

  function setUp(level) {
    const env = { ...process.env, PATH: programs.path };
    const { status, stdout, stderr } = spawnSync('bash', ['.ci/setup.sh', level], {
      ...{ cwd: checkout, env, encoding: 'utf8' },
    });
    return { status, stdout, stderr };
  }

  it('is complete for a build', () => {
    assert.deepEqual(setUp('build'), { status: 0, stdout: '', stderr: '' });
  });

  it('lacks it for a package', () => {
    const stderr = 'Please install:\n  - Clang 19 or newer with its wasm-ld (clang++ on PATH)\n';
    assert.deepEqual(setUp('pack'), { status: 1, stdout: '', stderr });
  });

  it('lacks it for the tests', () => {
    const { status, stderr } = setUp('test');
    assert.equal(status, 1);
    assert.match(stderr, /^ {2}- Clang 19 or newer with its wasm-ld/m);
  });
});
