// What the tests run of the sources:   node tests/release/coverage.js [cpp] [js]
//   cpp  the native tests built by GCC with --coverage, counted by gcov: src and include
//   js   the tests in Node, and those in Chromium of what only browsers run, counted by V8: web/lib
// Of C++ a line for each file that is not run whole, with the lines that are not, or whose branches are not (b); branches
// that only an exception takes are left out: the library throws none. Of JavaScript a line for each file with the lines of
// branches that are not taken. Then the shares of all. Why the rest is not run is told in tests/release/not_run.md.

import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = resolve(fileURLToPath(import.meta.url), '../../..');
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

/** Files as [name, lines]: of each line whether it was run, and of each of its branches; a file of many units is their sum. */
function countedByGcov() {
  const built = join(root, '.build/coverage');
  run('cmake', ['--preset', 'coverage'], join(root, 'tests'));
  run('cmake', ['--build', '--preset', 'coverage'], join(root, 'tests'));
  for (const file of filesBelow(built, '.gcda')) rmSync(file); // of an earlier run
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
    // An inlined copy has branches of its own, which are told from others by how many there are.
    branches.forEach((branch, n) => {
      const key = `${branches.length} ${n}`;
      if (!branch.throw) line.branches.set(key, (line.branches.get(key) ?? 0) + branch.count);
    });
  }
}

const browserTests = ['heatmap', 'heatmap_element', 'pool', 'models', 'translator', 'readme'];

/** The tests in Node and those in Chromium of what only browsers run; { path → { all, missing } }. */
async function countedByV8() {
  const folder = join(root, '.build/coverage-js');
  rmSync(folder, { recursive: true, force: true });
  run(process.execPath, ['web/build.js']);
  const env = { ...process.env, NODE_V8_COVERAGE: folder };
  const node = filesBelow(join(root, 'tests/js'), '.test.js');
  const browser = browserTests.map((name) => join(root, `tests/browser/${name}.test.js`));
  for (const args of [node, ['--test-name-pattern=chromium', ...browser]]) {
    const stdio = ['ignore', 'ignore', 'inherit'];
    spawnSync(process.execPath, ['--test', ...args], { cwd: root, env, stdio });
  }
  const { countJavaScript } = await import('../support/js/javascript_coverage.js');
  return countJavaScript(folder);
}

const share = (part, all) => `${((100 * part) / all).toFixed(1)} % of ${all}`;

function reportCpp(files) {
  const whole = { lines: 0, run: 0, branches: 0, taken: 0 };
  for (const [name, lines] of Array.from(files).sort()) {
    const missing = [];
    for (const [at, { count, branches }] of lines) {
      // The branches of a line that was never run say nothing more.
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
}

function reportJs(files) {
  const whole = { all: 0, missing: 0 };
  for (const [name, { all, missing }] of Array.from(files).sort()) {
    whole.all += all;
    whole.missing += missing.length;
    if (missing.length > 0) console.log(`${name}: ${missing.join(' ')}`);
  }
  console.log(`branches ${share(whole.all - whole.missing, whole.all)}`);
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
