// What tests/release/mutants.js can change, and who looks: of each kind its files, their groups, and what runs it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { keyOf } from './all_mutants.js';
import { cppMutants, switchableCpp } from './cpp_mutants.js';
import { jsMutants, switchableJs } from './js_mutants.js';
import { LibraryCopy } from './library_copy.js';
import { NativeProgram, leftOutOf } from './native_program.js';

const cpp = {
  make: cppMutants,
  files: /^(?:src\/(?!bindings\/)|include\/).*\.(?:h|cpp)$/,
  group: (file) => file.match(/^src\/(\w+)/)?.[1] ?? 'include',
};

const readers = ['lib/arguments/', 'lib/safetensors/', 'lib/models/', 'lib/text.js'];
const js = {
  make: jsMutants,
  files: new RegExp(
    `^web/(?:${readers.join('|')}|demo/worker/sources/files/npy_file).*(?<=\\.js)$`,
  ),
  group: (file) => (file.startsWith('web/lib/') ? file.split('/')[2] : 'npy'),
};

// Of packages, pages, pools and pictures: what is changed makes others fail sooner.
const others =
  'callers|command|composed|consumers|cpp|dependencies|determinism|digest|heatmap|house|mutants|package|page_own|pool|' +
  'publishing|readme|release|size|soak|start|translator|types|wipe|without';
const testsBut = (names) => new RegExp(`^(?!${names})`);

/** The library of the package with mutants of web/lib in it. */
function libraryOfJs(root, mutants, seconds) {
  const address = join(root, 'tests/support/js/mutants/js_switch.js');
  const tests = testsBut(`${others}|far_angles|heads_in|long_rows|norm|oracle|steps`);
  const change = (text, own) => (own.length > 0 ? switchableJs(text, own, address) : text);
  return new LibraryCopy(root, mutants, { name: 'js', tests, seconds, change });
}

/** The same with the native program's mutants in its module; kernels of SIMD are changed by names that only SIMDe has. */
function libraryOfCpp(root, mutants, seconds) {
  const support = join(root, 'tests/support/cpp');
  const leftOut = leftOutOf(root);
  const taken = mutants.filter(
    (mutant) => !mutant.file.startsWith('src/kernels/simd/') && !leftOut.has(keyOf(mutant)),
  );
  const tests = testsBut(`${others}|models|page|readers|safetensors|text`);
  const change = (text, own, name) =>
    name === 'src/bindings/bindings.cpp'
      ? text + readFileSync(join(support, 'mutants_in_wasm.cpp'), 'utf8')
      : switchableCpp(text, own);
  const CXXFLAGS = `-std=c++20 -w -Wno-c++11-narrowing -include ${join(support, 'mutants.h')}`;
  return new LibraryCopy(root, taken, { name: 'wasm', tests, seconds, change, env: { CXXFLAGS } });
}

export const kindsOfMutants = (root, seconds) => ({
  cpp: { ...cpp, run: (mutants) => new NativeProgram(root, mutants, { seconds }) },
  wasm: { ...cpp, results: 'cpp', run: (mutants) => libraryOfCpp(root, mutants, seconds) },
  js: { ...js, run: (mutants) => libraryOfJs(root, mutants, seconds) },
});
