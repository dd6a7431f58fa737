// Builds this checkout with newer versions of Emscripten, each in its own Debian (debootstrap), and tests the
// results (listed in tests/README.md):   node tests/release/toolchains.js [trixie] [sid] [--tests tests/js,tests/vectors]
// trixie has Emscripten 3.1.69, sid the current one. Needs root, debootstrap and Debian's mirror; some minutes the first time, three
// gigabytes each in .build/toolchains, which may be deleted. The build and the C++ tests in WebAssembly run inside; the
// JavaScript tests run on the result with this machine's Node.js, by themselves: a step of tests/run.js would build again.

import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { parseArgs } from 'node:util';
import { printedBy } from '../../web/printed_by.js';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const packages = 'emscripten node-acorn cmake ninja-build nodejs googletest nlohmann-json3-dev';

/** Runs a shell command inside the Debian in `folder`; its mounts end with it. */
const inside = (folder, line) =>
  printedBy(
    root,
    ...['unshare', '--mount', 'sh', '-c'],
    ...['mount -t proc proc "$0/proc" && exec chroot "$0" sh -c "$1"', folder, line],
  );

/** Folder of a Debian of this suite with Emscripten installed. */
function makeDebian(suite) {
  const folder = join(root, '.build/toolchains', suite);
  if (existsSync(join(folder, 'usr/share/emscripten/emcc'))) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  printedBy(root, 'debootstrap', '--variant=minbase', suite, folder);
  // A mirror may be older than its unstable suite's release file allows.
  inside(folder, 'apt-get -q -o Acquire::Check-Valid-Until=false update');
  const install = 'apt-get -q -y install --no-install-recommends';
  inside(folder, `DEBIAN_FRONTEND=noninteractive ${install} ${packages}`);
  return folder;
}

/** Clones the current commit into that Debian, with this checkout's node_modules. */
function copyCheckout(folder) {
  const checkout = join(folder, 'checkout');
  rmSync(checkout, { recursive: true, force: true });
  printedBy(root, 'git', 'clone', '--quiet', '--no-hardlinks', root, checkout);
  cpSync(join(root, 'node_modules'), join(checkout, 'node_modules'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  return checkout;
}

function tryToolchain(suite, tests) {
  const folder = makeDebian(suite);
  const checkout = copyCheckout(folder);
  const version = inside(folder, 'emcc --version | head -n 1');
  console.log(`${suite}: ${version}`);
  console.log(inside(folder, 'cd /checkout && node tests/run.js build wasm'));
  const wasm = readFileSync(join(checkout, 'web/built/attention.wasm'));
  const gzipped = gzipSync(wasm, { level: 9 }).length;
  console.log(`attention.wasm: ${wasm.length} bytes, ${gzipped} gzipped`);
  const elsewhere = /\.(?:browser|nightly)\.test\.js$/;
  const files = printedBy(checkout, 'git', 'ls-files', ...tests)
    .split('\n')
    .filter((path) => path.endsWith('.test.js') && !elsewhere.test(path));
  const results = printedBy(checkout, process.execPath, '--test', '--test-reporter=tap', ...files);
  console.log(results.match(/^ *# (?:pass|fail|note: library).*/gm).join('\n'));
}

const { values, positionals } = parseArgs({
  options: {
    tests: {
      type: 'string',
      default: 'tests/js,tests/properties,tests/vectors,tests/release/size.test.js',
    },
  },
  allowPositionals: true,
});
for (const suite of positionals.length > 0 ? positionals : ['trixie', 'sid']) {
  try {
    tryToolchain(suite, values.tests.split(','));
  } catch (error) {
    console.error(`${suite}: ${error.message}`);
    process.exitCode = 1;
  }
}
