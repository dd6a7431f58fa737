// Branch coverage of the sources by the tests:   node tests/release/coverage.js [cpp] [js]
//   cpp  the C++ tests built by GCC with --coverage, counted by gcov: src and include
//   js   the tests in Node.js, and the library's browser tests in Chromium, counted by V8: web/lib
// Prints a line for each C++ file with uncovered lines, or lines with uncovered branches (b), and for each JavaScript file
// with the lines of uncovered branches; then the totals. Branches that only an exception takes are left out in C++: the
// library throws none. Fails below 97 % of the branches. tests/README.md has the reasons for the rest.

import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
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

/** Map of file to lines, each with its count and the counts of its branches, summed over translation units. */
function countedByGcov() {
  const built = join(root, '.build/coverage');
  run('cmake', ['--preset', 'coverage'], join(root, 'tests'));
  run('cmake', ['--build', '--preset', 'coverage'], join(root, 'tests'));
  for (const file of filesBelow(built, '.gcda')) rmSync(file); // from an earlier run
  run(join(built, 'attention_tests'), ['--gtest_brief=1']);
  const files = new Map();
  const options = ['--json-format', '--stdout', '--branch-probabilities'];
  for (const unit of filesBelow(join(built, 'attention'), '.gcda')) {
    const printed = execFileSync('gcov', [...options, unit], { cwd: built, maxBuffer: 1 << 28 });
    for (const { file, lines } of JSON.parse(printed).files) {
      const name = relative(root, resolve(built, file));
      if (/^(src|include)\//.test(name)) addUnit(files, name, lines);
    }
  }
  return files;
}

function addUnit(files, name, lines) {
  if (!files.has(name)) files.set(name, new Map());
  const known = files.get(name);
  for (const { line_number: at, count, branches } of lines) {
    const line = known.get(at) ?? { count: 0, branches: new Map() };
    known.set(at, line);
    line.count += count;
    // Each inlined copy has its own branches; counts of copies with equally many branches are added.
    branches.forEach((branch, n) => {
      const key = `${branches.length} ${n}`;
      if (!branch.throw) line.branches.set(key, (line.branches.get(key) ?? 0) + branch.count);
    });
  }
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

function checkMinimum(taken, all) {
  if (100 * taken < minimum * all) fail(`Fewer than ${minimum} % of the branches are covered.`);
}

const share = (part, all) => `${((100 * part) / all).toFixed(1)} % of ${all}`;

function reportCpp(files) {
  const whole = { lines: 0, run: 0, branches: 0, taken: 0 };
  for (const [name, lines] of Array.from(files).sort()) {
    const missing = [];
    for (const [at, { count, branches }] of lines) {
      // An uncovered line counts once, without its branches.
      const counts = count > 0 ? Array.from(branches.values()) : [];
      const taken = counts.filter((times) => times > 0).length;
      whole.lines += 1;
      whole.run += count > 0;
      whole.branches += counts.length;
      whole.taken += taken;
      if (count === 0) missing.push(at);
      else if (taken < counts.length) missing.push(`${at}b`);
    }
    if (missing.length > 0) console.log(`${name}: ${missing.join(' ')}`);
  }
  console.log(
    `lines ${share(whole.run, whole.lines)}, branches ${share(whole.taken, whole.branches)}`,
  );
  checkMinimum(whole.taken, whole.branches);
}

function reportJs(files) {
  const whole = { all: 0, missing: 0 };
  for (const [name, { all, missing }] of Array.from(files).sort()) {
    whole.all += all;
    whole.missing += missing.length;
    if (missing.length > 0) console.log(`${name}: ${missing.join(' ')}`);
  }
  console.log(`branches ${share(whole.all - whole.missing, whole.all)}`);
  checkMinimum(whole.all - whole.missing, whole.all);
}

const counts = {
  cpp: () => reportCpp(countedByGcov()),
  js: async () => reportJs(await countedByV8()),
};
for (const name of wanted) {
  if (!Object.hasOwn(counts, name))
    throw new Error('usage: node tests/release/coverage.js [cpp] [js]');
  await counts[name]();
}
