// The README's C++ example, and the longer one beside this file, against the installed library alone: configured, compiled
// and run as projects of their own, they print what their comments say.

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
const choices = [
  ...(isThere('ninja') ? ['-G', 'Ninja'] : []),
  ...(isThere('clang++') ? ['-D', 'CMAKE_CXX_COMPILER=clang++'] : []),
];

/** Configures and builds a project; a configured folder keeps its cache variables. */
async function build(source, folder, target, definitions = []) {
  const first = existsSync(join(folder, 'CMakeCache.txt')) ? [] : choices;
  await run('cmake', ['-S', source, '-B', folder, ...first, ...definitions]);
  await run('cmake', ['--build', folder, '--target', target, '--config', 'Release']);
}

describe('the C++ example', { timeout: 600_000 }, () => {
  const library = join(root, '.build', 'library');
  let readme;
  let folder;

  const block = (language) => {
    const blocks = [...readme.matchAll(RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))];
    assert.equal(blocks.length, 1, `blocks of ${language}`);
    return blocks[0][1];
  };

  before(async () => {
    readme = await readFile(join(root, 'README.md'), 'utf8');
    folder = await mkdtemp(join(tmpdir(), 'attention-cpp-'));
    await build(root, library, 'attention');
    await run('cmake', ['--install', library, '--prefix', join(folder, 'installed')]);
  });

  after(() => rm(folder, { recursive: true, force: true }));

  const programs = {
    'of the README': () => block('cpp'),
    'in cpp_example': () => readFile(new URL('cpp_example/main.cpp', import.meta.url), 'utf8'),
  };
  for (const [name, read] of Object.entries(programs)) {
    it(`${name} is compiled without a warning and prints what its comments say`, async () => {
      const source = join(folder, name.replaceAll(' ', '_'));
      const code = await read();
      const [[, find], [, link]] = readme.matchAll(
        /`((?:find_package|target_link_libraries)\([^`]*)`/g,
      );
      await mkdir(source);
      await writeFile(join(source, 'main.cpp'), code);
      const start = ['cmake_minimum_required(VERSION 3.25)', 'project(app LANGUAGES CXX)'];
      const lists = [...start, find, 'add_executable(app main.cpp)', link];
      await writeFile(join(source, 'CMakeLists.txt'), lists.join('\n'));
      const built = join(source, 'built');
      await build(source, built, 'app', [
        '-D',
        `CMAKE_PREFIX_PATH=${join(folder, 'installed')}`,
        '-D',
        'CMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Werror',
      ]);
      const promised = [...code.matchAll(/\/\/ prints (.*)$/gm)].map(([, text]) => text);
      assert.ok(promised.length >= 1, 'its comments say what it prints');
      const lines = await run(join(built, 'app'), []);
      assert.deepEqual(lines.trimEnd().split('\n'), promised);
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
