// The C++ example of the guide, by the guide's own commands, and the longer one beside this file, against the installed library
// alone: configured, compiled and run as projects of their own, they print what their comments say.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root, run } from '../support/js/package.js';

const isThere = (program) => {
  return process.env.PATH.split(delimiter).some((folder) => existsSync(join(folder, program)));
};
// Choices of a user, by variables that CMake reads.
const choices = {
  ...(isThere('ninja') && { CMAKE_GENERATOR: 'Ninja' }),
  ...(isThere('clang++') && { CXX: 'clang++' }),
};

describe('the C++ example', { timeout: 600_000 }, () => {
  let folder;
  let blocks;

  /** Runs a block of the guide's commands in a folder; resolves to what they print. */
  const shell = (commands, at, env) => {
    const variables = { ...choices, PREFIX: join(folder, 'installed'), ...env };
    const assigned = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
    return run('env', [...assigned, 'sh', '-e', '-c', commands], at);
  };

  before(async () => {
    const guide = await readFile(join(root, 'web/reference/guides/cpp.md'), 'utf8');
    blocks = Array.from(guide.matchAll(/^```(\w+).*\n([^]*?)^```$/gm), ([, language, code]) => ({
      language,
      code,
    }));
    assert.deepEqual(
      blocks.map(({ language }) => language),
      ['sh', 'cpp', 'cmake', 'sh'],
    );
    folder = await mkdtemp(join(tmpdir(), 'attention-cpp-'));
    await shell(blocks[0].code, root);
  });

  after(() => rm(folder, { recursive: true, force: true }));

  const programs = {
    'of the guide': () => blocks[1].code,
    'in cpp_example': () => readFile(new URL('cpp_example/main.cpp', import.meta.url), 'utf8'),
  };
  for (const [name, read] of Object.entries(programs)) {
    it(`${name} is compiled without a warning and prints what its comments say`, async () => {
      const source = join(folder, name.replaceAll(' ', '_'));
      const code = await read();
      await mkdir(source);
      await writeFile(join(source, 'main.cpp'), code);
      await writeFile(join(source, 'CMakeLists.txt'), blocks[2].code);
      const promised = [...code.matchAll(/\/\/ prints (.*)$/gm)].map(([, text]) => text);
      assert.ok(promised.length >= 1, 'its comments say what it prints');
      const printed = await shell(blocks[3].code, source, {
        CXXFLAGS: '-Wall -Wextra -Wpedantic -Werror',
      });
      const lines = printed.trimEnd().split('\n');
      assert.deepEqual(lines.slice(-promised.length), promised);
    });
  }

  it('links a library without the calls of JavaScript', async () => {
    const symbols = await run('nm', ['-C', join(folder, 'installed/lib/libattention.a')]);
    assert.match(symbols, /\battention::attend\(/);
    assert.doesNotMatch(symbols, /\battention::calls::/);
  });

  it('has the public headers and no internal ones', async () => {
    const installed = join(folder, 'installed', 'include');
    assert.ok(existsSync(join(installed, 'attention', 'attention.h')));
    for (const floor of ['kernels', 'core', 'layers', 'calls']) {
      assert.ok(!existsSync(join(installed, floor)), floor);
    }
  });
});
