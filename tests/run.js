// Runs every check of this checkout, step by step, and counts:   node tests/run.js [STEP...] [--fuzz-seconds N]
//   build     the module, the library and the page
//   lint      formats, linters, types
//   native    the C++ tests, optimised
//   sanitize  the C++ tests under AddressSanitizer and UndefinedBehaviorSanitizer
//   fuzz      libFuzzer's targets: what was found before, then 3,000 inputs of each, or new ones for N seconds
//   wasm      the C++ tests compiled to WebAssembly, in Node
//   node      the JavaScript tests, in Node
//   browsers  the JavaScript tests, in Chromium and Firefox
// A step that fails does not stop the others. What a green step printed is not shown, what a red one
// printed is shown in full. The last line counts the tests.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findEmscripten } from '../web/emscripten.js';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const node = process.execPath;
const read = (path) => readFileSync(join(root, path));

/** Starts a program; resolves to its exit code and all it printed. */
function run(command, args, { cwd = root, env = process.env } = {}) {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    }
    child.on('error', (error) => done({ code: 1, output: `${command}: ${error.message}\n` }));
    child.on('close', (code, signal) => {
      if (signal) output += `${command} was ended by ${signal}\n`;
      done({ code: code ?? 1, output });
    });
  });
}

/** Runs programs one after the other up to the first that fails. */
async function runAll(commands) {
  let output = '';
  for (const [command, args, options] of commands) {
    const result = await run(command, args, options);
    output += `$ ${[command, ...args].join(' ')}\n${result.output}`;
    if (result.code !== 0) return { code: result.code, output };
  }
  return { code: 0, output };
}

/** The project's files with one of the extensions, as far as git would keep them. */
async function sources(folder, ...extensions) {
  const { output } = await run('git', ['ls-files', '-co', '--exclude-standard', '--', folder]);
  return output
    .split('\n')
    .filter((path) => extensions.includes(extname(path)) && existsSync(join(root, path)));
}

// A step takes nothing and returns { passed, failed, output, notes? }.

async function build() {
  const { code, output } = await run(node, ['web/build.js']);
  return { passed: 0, failed: code === 0 ? 0 : 1, output };
}

async function lint() {
  const bin = (name) => join(root, 'node_modules', '.bin', name);
  const cpp = await sources('.', '.h', '.cpp');
  const declarations = await sources('web/lib', '.ts');
  const typescript = '--noEmit --strict --target es2022 --module nodenext --lib es2022,dom';

  const checks = {
    prettier: [[bin('prettier'), ['--check', '--log-level', 'warn', '.']]],
    eslint: [[bin('eslint'), ['--config', '.eslint.config.js', '--max-warnings', '0', '.']]],
    tsc: [[bin('tsc'), [...typescript.split(' '), ...declarations]]],
    'clang-format': [['clang-format', ['--dry-run', '-Werror', ...cpp]]],
  };
  const results = [];
  for (const [name, commands] of Object.entries(checks)) {
    results.push({ name, ...(await runAll(commands)) });
  }
  results.push({ name: 'clang-tidy', ...(await clangTidy()) });
  const failing = results.filter(({ code }) => code !== 0);
  return {
    passed: results.length - failing.length,
    failed: failing.length,
    output: failing.map(({ name, output }) => `-- ${name}\n${output}`).join('\n'),
  };
}

/** clang-tidy over what is compiled natively; files that were clean stay so until something they read changes. */
async function clangTidy() {
  const options = { cwd: join(root, 'tests') };
  const configured = await runAll([['cmake', ['--preset', 'native'], options]]);
  if (configured.code !== 0) return configured;

  const files = (await sources('src', '.cpp')).filter((path) => !path.startsWith('src/bindings/'));
  const shared = ['.clang-tidy', '.build/native/compile_commands.json'];
  const hash = createHash('sha256');
  for (const path of [...shared, ...(await sources('.', '.h'))]) hash.update(read(path));
  const stampOf = (path) => {
    return join(root, '.build/tidy', hash.copy().update(path).update(read(path)).digest('hex'));
  };

  const waiting = files.filter((path) => !existsSync(stampOf(path)));
  const failures = [];
  const worker = async () => {
    for (let path = waiting.pop(); path; path = waiting.pop()) {
      const result = await run('clang-tidy', ['--quiet', '-p', '.build/native', path]);
      if (result.code === 0) writeFileSync(stampOf(path), '');
      else failures.push(result.output.replaceAll(/^\d+ warnings? generated\.\n/gm, ''));
    }
  };
  mkdirSync(join(root, '.build/tidy'), { recursive: true });
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return { code: failures.length, output: failures.join('') };
}

/** Builds a preset of tests/CMakePresets.json and runs its GoogleTest program. */
function googleTest(preset) {
  return async () => {
    const cwd = join(root, 'tests');
    const inWasm = preset === 'wasm';
    const emscripten = inWasm && findEmscripten(join(root, '.build/emscripten-cache'));
    const options = { cwd, env: inWasm ? emscripten.env : process.env };
    const configure = ['cmake', '--preset', preset];
    if (inWasm) configure.unshift(emscripten.emcmake);
    const built = await runAll([
      [configure[0], configure.slice(1), options],
      ['cmake', ['--build', '--preset', preset], options],
    ]);
    if (built.code !== 0) return { passed: 0, failed: 1, output: built.output };

    const program = join(root, '.build', preset, 'attention_tests');
    const { code, output } = await (inWasm
      ? run(node, [`${program}.js`, '--gtest_brief=1'])
      : run(program, ['--gtest_brief=1']));
    const count = (pattern) => Number(output.match(pattern)?.[1] ?? 0);
    const ran = count(/^\[=+\] (\d+) tests? from .* ran\./m);
    const passed = count(/^\[ {2}PASSED {2}\] (\d+) tests?\./m);
    const failed = output.match(/^\[ {2}FAILED {2}\] .+ \(\d+ ms\)$/gm)?.length ?? 0;
    const skipped = Math.max(0, ran - passed - failed);
    // A crash or a sanitizer's report leaves no count behind, but an exit code.
    return { passed, failed: failed || (code === 0 ? 0 : 1), skipped, output };
  };
}

/** Runs the *.test.js files of a folder with Node's test runner. */
function nodeTest(folder) {
  return async () => {
    const files = readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.test.js'))
      .map((name) => `${folder}/${name}`);
    const tap = join(root, '.build', `${folder.replace('/', '-')}.tap`);
    mkdirSync(dirname(tap), { recursive: true });
    rmSync(tap, { force: true });
    const reporters = [
      ['spec', 'stdout'],
      ['tap', tap],
    ].flatMap(([kind, to]) => [`--test-reporter=${kind}`, `--test-reporter-destination=${to}`]);
    const concurrency = `--test-concurrency=${availableParallelism()}`;
    const { code, output } = await run(node, ['--test', concurrency, ...reporters, ...files]);
    const report = existsSync(tap) ? readFileSync(tap, 'utf8') : '';
    const count = (word) => Number(report.match(new RegExp(`^# ${word} (\\d+)$`, 'm'))?.[1] ?? 0);
    const failed = count('fail') + count('cancelled');
    return {
      passed: count('pass'),
      failed: failed || (code === 0 ? 0 : 1),
      skipped: count('skipped') + count('todo'),
      output,
      notes: [...report.matchAll(/^\s*# note: (.*)$/gm)].map(([, note]) => note),
    };
  };
}

/** Replays the corpus of each target of libFuzzer, then looks for new inputs; those stay in .build. */
async function fuzz() {
  const options = { cwd: join(root, 'tests') };
  const built = await runAll([
    ['cmake', ['--preset', 'fuzz'], options],
    ['cmake', ['--build', '--preset', 'fuzz'], options],
  ]);
  if (built.code !== 0) return { passed: 0, failed: 1, output: built.output };
  const seconds = given.values['fuzz-seconds'];
  // Without a time the same inputs each time: what fails here fails again.
  const effort = seconds ? [`-max_total_time=${seconds}`] : ['-runs=3000', '-seed=1'];
  const results = [];
  for (const target of ['attention', 'records']) {
    const corpus = join(root, 'tests/fuzz/corpus', target);
    const found = join(root, '.build/fuzz/found', target);
    mkdirSync(found, { recursive: true });
    const program = join(root, '.build/fuzz', `${target}_fuzz`);
    const replayed = await run(program, ['-runs=0', corpus]);
    const sought =
      replayed.code === 0
        ? await run(program, [
            ...effort,
            '-max_len=300',
            '-timeout=20',
            '-len_control=0',
            '-print_final_stats=1',
            `-artifact_prefix=${found}/`,
            found,
            corpus,
          ])
        : replayed;
    results.push({ target, ...sought });
  }
  // The tests of the node step fuzz readers for a moment.
  if (seconds) {
    const readers = await run(node, ['tests/fuzz/readers.js', '--seconds', seconds]);
    results.push({ target: 'readers', ...readers });
  }
  const failing = results.filter(({ code }) => code !== 0);
  return {
    passed: results.length - failing.length,
    failed: failing.length,
    output: failing.map(({ target, output }) => `-- ${target}\n${output}`).join('\n'),
    notes: results.map(({ target, output }) => {
      if (target === 'readers') return output.trimEnd();
      const executed = output.match(/^stat::number_of_executed_units: (\d+)/m)?.[1] ?? 'no';
      return `${target}: ${executed} inputs`;
    }),
  };
}

const steps = {
  build,
  lint,
  native: googleTest('native'),
  sanitize: googleTest('sanitize'),
  fuzz,
  wasm: googleTest('wasm'),
  node: nodeTest('tests/js'),
  browsers: nodeTest('tests/browser'),
};
const needBuild = ['node', 'browsers'];

const given = parseArgs({
  options: { 'fuzz-seconds': { type: 'string' } },
  allowPositionals: true,
});
const wanted = given.positionals;
const unknown = wanted.filter((name) => !Object.hasOwn(steps, name));
if (unknown.length > 0) {
  console.error(
    `There is no step ${unknown.join(', ')}; there are ${Object.keys(steps).join(', ')}.`,
  );
  process.exit(2);
}

const total = { passed: 0, failed: 0 };
let built = true;
for (const [name, step] of Object.entries(steps)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const start = performance.now();
  let result;
  if (!built && needBuild.includes(name)) {
    result = { passed: 0, failed: 1, output: 'Not run: the build failed.\n' };
  } else {
    try {
      result = await step();
    } catch (error) {
      result = { passed: 0, failed: 1, output: `${error.message}\n` };
    }
  }
  if (name === 'build') {
    built = result.failed === 0;
  } else if (result.passed + result.failed === 0) {
    result = { ...result, failed: 1, output: `${result.output}\nThis step ran no test.\n` };
  }
  total.passed += result.passed;
  total.failed += result.failed;

  const seconds = `${((performance.now() - start) / 1000).toFixed(1)} s`;
  const counts = ['passed', 'failed', 'skipped']
    .filter((kind) => result[kind] > 0)
    .map((kind) => `${result[kind]} ${kind}`);
  if (result.failed > 0) {
    // A stack trace may quote a whole minified file.
    console.log(result.output.trimEnd().replaceAll(/^(.{1000}).+$/gm, '$1 ...'));
  }
  console.log(`${name.padEnd(9)} ${seconds.padStart(8)}  ${counts.join(', ') || 'done'}`);
  for (const note of result.notes ?? []) console.log(`${' '.repeat(20)} ${note}`);
}

process.exitCode = total.failed > 0 ? 1 : 0;
console.log(`${total.passed} passed, ${total.failed} failed`);
