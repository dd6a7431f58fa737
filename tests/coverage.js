// What the tests run of the sources:   node tests/coverage.js [cpp] [js]
//   cpp  the native tests built by GCC with --coverage, counted by gcov: src and include
//   js   the tests in Node, counted by c8: web/lib
// A line for each file that is not run whole, with the lines that are not, or whose branches are not (b); then the
// shares of all. Branches that only an exception takes are left out: the library throws none.

import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = resolve(fileURLToPath(import.meta.url), '../..');
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

/** The same of JavaScript, by the tests in Node; those that hold the package itself to something may fail with its maps in it. */
function countedByC8() {
  const folder = join(root, '.build/coverage-js');
  const tests = filesBelow(join(root, 'tests/js'), '.test.js');
  const c8 = ['--include', 'web/lib/**', '--exclude-after-remap', '--reporter', 'json'];
  run(process.execPath, ['web/build.js', '--maps']);
  spawnSync(
    join(root, 'node_modules/.bin/c8'),
    [...c8, '--reports-dir', folder, process.execPath, '--test', ...tests],
    { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  run(process.execPath, ['web/build.js']);
  const files = new Map();
  const counted = JSON.parse(readFileSync(join(folder, 'coverage-final.json'), 'utf8'));
  for (const [path, { statementMap, s, branchMap, b }] of Object.entries(counted)) {
    const lines = new Map();
    for (const [id, { start }] of Object.entries(statementMap))
      lines.set(start.line, { count: s[id], branches: new Map() });
    for (const [id, { loc }] of Object.entries(branchMap))
      b[id].forEach((count, n) => lines.get(loc.start.line)?.branches.set(`${id} ${n}`, count));
    files.set(relative(root, path), lines);
  }
  return files;
}

function report(files) {
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
  const share = (part, all) => `${((100 * part) / all).toFixed(1)} % of ${all}`;
  console.log(
    `lines ${share(whole.run, whole.lines)}, branches ${share(whole.taken, whole.branches)}`,
  );
}

const counts = { cpp: countedByGcov, js: countedByC8 };
for (const name of wanted) {
  if (!Object.hasOwn(counts, name)) throw new Error('usage: node tests/coverage.js [cpp] [js]');
  report(counts[name]());
}
