// The C++ tests with mutants of the library in them (.build/mutants/cpp), under both sanitizers. A copy of the sources is
// changed and built; mutants that do not compile are left out, line by line.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { copyChanged } from './copy_changed.js';
import { switchableCpp } from './cpp_mutants.js';
import { endsWell } from './run_limited.js';

const copied = ['CMakeLists.txt', 'package.json', 'src', 'include'];
const copiedTests = ['CMakeLists.txt', 'CMakePresets.json', 'cpp', 'support/cpp'];

// A mutant may allocate any amount of memory; sanitizer reports are not read.
const environment = {
  ...process.env,
  ASAN_OPTIONS: 'detect_leaks=0:max_allocation_size_mb=1024:hard_rss_limit_mb=1500:symbolize=0',
  UBSAN_OPTIONS: 'symbolize=0',
};

// Tests up to this many milliseconds together run first.
const quick = 300;

const isNewer = (file, other) =>
  existsSync(file) && statSync(file).mtimeMs > statSync(other).mtimeMs;

export class NativeProgram {
  #root;
  #folder;
  #program;
  #mutants;
  #leftOut = new Set();
  #tests;
  #seconds;

  /** seconds: time limit of the tests of one mutant, by their times in a run of the unchanged program. */
  constructor(root, mutants, { seconds }) {
    this.#seconds = seconds;
    this.#root = root;
    this.#folder = join(root, '.build/mutants/cpp');
    this.#program = join(this.#folder, '.build/mutants/attention_tests');
    this.#mutants = mutants;
  }

  /** Builds the program and runs all tests once. Returns the compiled mutants. */
  async prepare() {
    const tests = join(this.#folder, 'tests');
    mkdirSync(tests, { recursive: true });
    const vectors = join(tests, 'vectors');
    if (!existsSync(vectors)) symlinkSync(join(this.#root, 'tests/vectors'), vectors);
    // Mutants that did not compile last time are skipped, which saves a build.
    const list = join(this.#root, '.build/mutants/left_out.json');
    const known = new Set(existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []);
    for (const { key } of this.#mutants) if (known.has(key)) this.#leftOut.add(key);
    this.#copy();
    const count = Math.max(...this.#mutants.map(({ n }) => n)) + 1;
    const configured = this.#cmake('--preset', 'mutants', `-DATTENTION_MUTANTS=${count}`);
    if (configured.status !== 0) throw new Error(configured.output);
    for (;;) {
      const built = this.#cmake('--build', '--preset', 'mutants', '-j', '2', '--', '-k', '0');
      if (built.status === 0) break;
      if (!this.#leaveOut(built.output)) throw new Error(built.output);
      this.#copy();
    }
    writeFileSync(list, JSON.stringify(Array.from(new Set([...known, ...this.#leftOut]))));
    this.#tests = await this.#meetAll();
    return this.#mutants.filter(({ key }) => !this.#leftOut.has(key));
  }

  #cmake(...args) {
    const { status, stdout, stderr } = spawnSync('nice', ['-n', '15', 'cmake', ...args], {
      cwd: join(this.#folder, 'tests'),
      encoding: 'utf8',
      maxBuffer: 1 << 30,
    });
    return { status, output: stdout + stderr };
  }

  #copy() {
    const names = [...copied, ...copiedTests.map((name) => `tests/${name}`)];
    const included = this.#mutants.filter(({ key }) => !this.#leftOut.has(key));
    copyChanged(this.#root, names, this.#folder, (name, text) => {
      const mutants = included.filter(({ file }) => file === name);
      return mutants.length > 0 ? switchableCpp(text, mutants) : text;
    });
  }

  /** Leaves out the mutants of lines that have an error, or whose instantiation led to one. Returns whether there were any. */
  #leaveOut(output) {
    const before = this.#leftOut.size;
    let isOpen = false;
    for (const [, path, at, kind] of output.matchAll(
      /^(\S+):(\d+):\d+: (?:fatal )?(error|note):/gm,
    )) {
      if (kind === 'error') isOpen = true;
      if (!isOpen) continue;
      for (const { key, file, line } of this.#mutants) {
        if (line !== Number(at) || !path.endsWith(`/${file}`)) continue;
        this.#leftOut.add(key);
        isOpen = false;
      }
    }
    return this.#leftOut.size > before;
  }

  /** The tests, fastest first, each with its executed mutants; tests of the SIMD kernels run in a second process. */
  async #meetAll() {
    const halves = [0, 1].map((half) => join(this.#folder, `met-${half}.txt`));
    const filters = ['*/simd', '-*/simd'];
    const meet = (file, half) => {
      const env = { ...environment, MUTANTS_MET: file };
      const options = { env, seconds: 3600 };
      return (
        isNewer(file, this.#program) ||
        endsWell(this.#program, [`--gtest_filter=${filters[half]}`], options)
      );
    };
    const passed = await Promise.all(halves.map(meet));
    if (!passed.every(Boolean)) {
      for (const file of halves) rmSync(file, { force: true });
      throw new Error('the C++ tests fail without a mutant');
    }
    return halves
      .flatMap((file) => readFileSync(file, 'utf8').trimEnd().split('\n'))
      .map((line) => {
        const [name, milliseconds, ...met] = line.split(' ');
        return { name, milliseconds: Number(milliseconds), met: new Set(met.map(Number)) };
      })
      .sort((a, b) => a.milliseconds - b.milliseconds);
  }

  /** True if some test fails under a mutant; quick ones run first, then the others within the limit. */
  async kills({ n }) {
    let spent = 0;
    /** @type {object[][]} */
    const parts = [[], []];
    for (const test of this.#tests.filter(({ met }) => met.has(n))) {
      spent += test.milliseconds;
      if (spent > 1000 * this.#seconds) break;
      parts[spent > quick ? 1 : 0].push(test);
    }
    for (const part of parts) {
      if (part.length > 0 && !(await this.#passes(part, n))) return true;
    }
    return false;
  }

  #passes(tests, n) {
    const milliseconds = tests.reduce((sum, test) => sum + test.milliseconds, 0);
    const filter = `--gtest_filter=${tests.map(({ name }) => name).join(':')}`;
    return endsWell(this.#program, [filter, '--gtest_fail_fast', '--gtest_brief=1'], {
      env: { ...environment, MUTANT: String(n) },
      seconds: 10 + milliseconds / 100,
    });
  }
}
