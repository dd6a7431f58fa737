// Builds this checkout with Emscriptens that are newer than most machines', each in a Debian of its own, and tests what
// they make; toolchains.md says what came of it:   node tests/release/toolchains.js [trixie] [sid] [--steps node,browsers]
// trixie has 3.1.69, sid what is current. Needs root, debootstrap and Debian's mirror: minutes the first time, and three
// gigabytes each in .build/toolchains, which may be deleted. In there run the build and the C++ tests in WebAssembly; on
// what was built there, the JavaScript tests with this Node.js, or the steps of tests/run.js that are named.

import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { parseArgs } from 'node:util';
import { printedBy } from '../../web/printed_by.js';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const packages = 'emscripten node-acorn cmake ninja-build nodejs googletest nlohmann-json3-dev';

/** Runs a line of the shell in a Debian that lies in `folder`; what it mounts is gone with it. */
const inside = (folder, line) =>
  printedBy(
    root,
    ...['unshare', '--mount', 'sh', '-c'],
    ...['mount -t proc proc "$0/proc" && exec chroot "$0" sh -c "$1"', folder, line],
  );

/** A Debian of this suite with an Emscripten. */
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

/** The commit that is checked out here, in there, with the packages that are installed here. */
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

function tryToolchain(suite, steps) {
  const folder = makeDebian(suite);
  const checkout = copyCheckout(folder);
  const version = inside(folder, 'emcc --version | head -n 1');
  console.log(`${suite}: ${version}`);
  console.log(inside(folder, 'cd /checkout && node tests/run.js build wasm'));
  const wasm = readFileSync(join(checkout, 'web/built/attention.wasm'));
  const gzipped = gzipSync(wasm, { level: 9 }).length;
  console.log(`attention.wasm: ${wasm.length} bytes, ${gzipped} gzipped`);
  console.log(printedBy(checkout, process.execPath, 'tests/run.js', ...steps));
}

const { values, positionals } = parseArgs({
  options: { steps: { type: 'string', default: 'node' } },
  allowPositionals: true,
});
for (const suite of positionals.length > 0 ? positionals : ['trixie', 'sid']) {
  try {
    tryToolchain(suite, values.steps.split(','));
  } catch (error) {
    console.error(`${suite}: ${error.message}`);
    process.exitCode = 1;
  }
}
