// What the tests run of the sources:   node tests/coverage.js [cpp] [js]
//   cpp  the native tests built by GCC with --coverage, counted by gcov: src and include
//   js   the tests in Node, counted by V8: web/lib
// Of C++ a line for each file that is not run whole, with the lines that are not, or whose branches are not (b); branches
// that only an exception takes are left out: the library throws none. Of JavaScript the lines of which a part was not
// run, what only browsers run among them. Then the shares of all.

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

/**
 * The same of JavaScript, as V8 counts it: of each line whether all of it was run by some test in Node. The built library
 * is what most tests run, and each part of it says which file of web/lib it is; lines are told as that file has them.
 */
function countedByV8() {
  const folder = join(root, '.build/coverage-js');
  rmSync(folder, { recursive: true, force: true });
  run(process.execPath, ['web/build.js']);
  spawnSync(process.execPath, ['--test', ...filesBelow(join(root, 'tests/js'), '.test.js')], {
    cwd: root,
    env: { ...process.env, NODE_V8_COVERAGE: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const scripts = new Map(); // path → what was run, a byte for each character
  for (const file of filesBelow(folder, '.json')) {
    for (const { url, functions } of JSON.parse(readFileSync(file, 'utf8')).result) {
      const path = url.startsWith('file:') ? relative(root, fileURLToPath(url)) : '';
      if (/^web\/(built|lib)\/.*\.js$/.test(path)) addProcess(scripts, path, functions);
    }
  }
  const files = new Map();
  for (const [path, wasRun] of scripts) addScript(files, path, wasRun);
  return files;
}

// Ranges stand within those before them, and say more exactly how often they were run.
function addProcess(scripts, path, functions) {
  const { length } = readFileSync(join(root, path), 'utf8');
  const now = new Uint8Array(length).fill(1);
  for (const { startOffset, endOffset, count } of functions.flatMap(({ ranges }) => ranges))
    now.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  const known = scripts.get(path) ?? new Uint8Array(length);
  scripts.set(
    path,
    known.map((was, at) => was | now[at]),
  );
}

const isCode = (line) => /[^\s(){}[\];,]/.test(line) && !/^\s*(\/\/|\/?\*)/.test(line);

/** The lines of a script, each in the file of web/lib that it is of: nth of those with its text → whether all of it was run. */
function addScript(files, path, wasRun) {
  const isBuilt = path.startsWith('web/built/');
  let name = isBuilt ? null : path;
  let begin = 0;
  const seen = new Map();
  for (const line of readFileSync(join(root, path), 'utf8').split('\n')) {
    const end = begin + line.length;
    const title = isBuilt && line.match(/^\/\/ (\S+\.m?js)$/)?.[1];
    if (title) name = title.startsWith('web/lib/') ? title : null;
    if (name && isCode(line)) {
      const text = `${name} ${line}`;
      seen.set(text, (seen.get(text) ?? 0) + 1);
      const start = end - line.trimStart().length;
      const isRun = wasRun.subarray(start, end).every(Boolean);
      const key = `${name}${isBuilt ? '' : ' by itself'}`;
      if (!files.has(key)) files.set(key, new Map());
      const known = files.get(key).get(`${seen.get(text)} ${line}`);
      files.get(key).set(`${seen.get(text)} ${line}`, known || isRun);
    }
    begin = end + 1;
  }
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
  const whole = { lines: 0, run: 0 };
  for (const [name, lines] of Array.from(files).sort()) {
    // A file that some tests import by itself is the one of the two of which more was run.
    const other = files.get(name.endsWith(' by itself') ? name.slice(0, -10) : `${name} by itself`);
    const missing = missingIn(lines);
    if (other && missingIn(other).length < missing.length + name.endsWith(' by itself')) continue;
    whole.lines += lines.size;
    whole.run += lines.size - missing.length;
    if (missing.length === 0) continue;
    console.log(`${name}: ${missing.length} of ${lines.size} lines`);
    for (const line of missing) console.log(`    ${line.slice(line.indexOf(' ') + 1).trim()}`);
  }
  console.log(`lines ${share(whole.run, whole.lines)}`);
}

const missingIn = (lines) =>
  Array.from(lines)
    .filter(([, isRun]) => !isRun)
    .map(([line]) => line);

const counts = {
  cpp: () => reportCpp(countedByGcov()),
  js: () => reportJs(countedByV8()),
};
for (const name of wanted) {
  if (!Object.hasOwn(counts, name)) throw new Error('usage: node tests/coverage.js [cpp] [js]');
  counts[name]();
}
