// Branch coverage of the sources by the tests:   node tests/release/coverage.js [cpp] [js]
//   cpp  the C++ tests built by GCC with --coverage, counted by gcovr: src and include
//   js   the tests in Node.js, and the library's browser tests in Chromium, counted by V8: web/lib
// Prints the lines of uncovered branches of each file, for C++ also uncovered lines; then the totals. Branches that only an
// exception takes are left out in C++: the library throws none. Fails below 97 % of the branches. tests/README.md has the reasons for the rest.

import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = resolve(fileURLToPath(import.meta.url), '../../..');
const minimum = 97; // percent of branches
const { positionals } = parseArgs({ allowPositionals: true });
const wanted = positionals.length > 0 ? positionals : ['cpp', 'js'];

function run(command, args, cwd = root) {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

const filesBelow = (folder, extension) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(extension))
    .map((name) => join(folder, name));

/** Runs the tests of the build that counts, and prints what gcovr says: lines, then branches. */
function reportCpp() {
  const built = join(root, '.build/coverage');
  run('bash', ['.ci/setup.sh', 'nightly']);
  run('cmake', ['--preset', 'coverage'], join(root, 'tests'));
  run('cmake', ['--build', '--preset', 'coverage'], join(root, 'tests'));
  for (const file of filesBelow(built, '.gcda')) rmSync(file); // from an earlier run
  run(join(built, 'attention_tests'), ['--gtest_brief=1']);
  const sources = ['--filter', 'src/', '--filter', 'include/', '--exclude-throw-branches'];
  const counts = [
    '--root',
    root,
    '--object-directory',
    built,
    ...sources,
    join(built, 'attention'),
  ];
  run('gcovr', counts);
  run('gcovr', ['--branches', '--fail-under-branch', String(minimum), ...counts]);
}

const nodeFolders = ['js', 'properties', 'vectors', 'page/sources'];

/** Counts of the tests in Node.js and of the library's in Chromium: { path → { all, missing } }. */
async function countedByV8() {
  const folder = join(root, '.build/coverage-js');
  rmSync(folder, { recursive: true, force: true });
  run(process.execPath, ['web/build.js']);
  const env = { ...process.env, NODE_V8_COVERAGE: folder };
  const files = nodeFolders.flatMap((name) => filesBelow(join(root, 'tests', name), '.test.js'));
  const node = files.filter((path) => !/\.(browser|nightly)\.test\.js$/.test(path));
  // These two decode the module by each of its fallbacks.
  for (const name of ['size', 'package_surroundings'])
    node.push(join(root, `tests/release/${name}.test.js`));
  const browser = filesBelow(join(root, 'tests/js'), '.browser.test.js');
  for (const args of [node, ['--test-name-pattern=chromium', ...browser]]) {
    const reporter = ['--test', '--test-reporter=dot'];
    const stdio = ['ignore', 'ignore', 'inherit'];
    const { status } = spawnSync(process.execPath, [...reporter, ...args], {
      cwd: root,
      env,
      stdio,
    });
    if (status !== 0) fail('Some tests failed: branches that only they take are missing here.');
  }
  const { countJavaScript } = await import('../support/js/javascript_coverage.js');
  return countJavaScript(folder);
}

function fail(message) {
  console.log(message);
  process.exitCode = 1;
}

const share = (part, all) => `${((100 * part) / all).toFixed(1)} % of ${all}`;

function reportJs(files) {
  const whole = { all: 0, missing: 0 };
  for (const [name, { all, missing }] of Array.from(files).sort()) {
    whole.all += all;
    whole.missing += missing.length;
    if (missing.length > 0) console.log(`${name}: ${missing.join(' ')}`);
  }
  console.log(`branches ${share(whole.all - whole.missing, whole.all)}`);
  if (100 * (whole.all - whole.missing) < minimum * whole.all) {
    fail(`Fewer than ${minimum} % of the branches are covered.`);
  }
}

const counts = {
  cpp: reportCpp,
  js: async () => reportJs(await countedByV8()),
};
for (const name of wanted) {
  if (!Object.hasOwn(counts, name))
    throw new Error('usage: node tests/release/coverage.js [cpp] [js]');
  await counts[name]();
}
