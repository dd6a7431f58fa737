// A copy of the repository with mutants in it (below .build/mutants), built there as the library is, and its tests in Node.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { keyOf } from './all_mutants.js';
import { copyChanged } from './copy_changed.js';
import { runLimited } from './run_limited.js';

// Tests that read what was built find there what is not of the library: they become lists of a name and a function.
const ofText = /\bit\((?='(?:needs neither Node nor a browser|computes with nothing but))/g;

export class LibraryCopy {
  #root;
  #folder;
  #mutants;
  #tests;
  #found;
  #seconds;
  #change;
  #env;

  /**
   * tests: the names of those that may notice; seconds: how long those of one mutant may take by themselves; change: gives
   * a file's text with its mutants in it; env: what the build's environment has besides.
   */
  constructor(root, mutants, { name, tests, seconds, change, env = {} }) {
    this.#root = root;
    this.#folder = join(root, '.build/mutants', name);
    this.#mutants = mutants;
    this.#tests = tests;
    this.#seconds = seconds;
    this.#change = change;
    this.#env = { ...process.env, ...env };
  }

  /** Builds the copy and runs all tests once. Returns the mutants that are in it. */
  async prepare() {
    const names = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
      cwd: this.#root,
    });
    const files = names
      .toString()
      .trim()
      .split('\n')
      .filter((name) => existsSync(join(this.#root, name)));
    copyChanged(this.#root, files, this.#folder, (name, text) => {
      const mutants = this.#mutants.filter(({ file }) => file === name);
      return this.#change(text, mutants, name).replaceAll(ofText, 'void (');
    });
    const modules = join(this.#folder, 'node_modules');
    if (!existsSync(modules)) symlinkSync(join(this.#root, 'node_modules'), modules);
    const { status, stdout, stderr } = spawnSync(
      'nice',
      ['-n', '15', process.execPath, 'web/build.js'],
      { cwd: this.#folder, env: this.#env, encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(stdout + stderr);
    this.#found = await this.#meetAll();
    return this.#mutants;
  }

  /** The test files, each with the mutants that it meets; those that cannot run here do not count. */
  async #meetAll() {
    const list = join(this.#folder, 'met.json');
    const known = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : {};
    const files = readdirSync(join(this.#folder, 'tests/js'));
    const found = [];
    const isAsked = (file) => file.endsWith('.test.js') && this.#tests.test(file);
    for (const name of files.filter(isAsked)) {
      const hash = this.#hash(name);
      if (known[name]?.hash !== hash || !known[name].passes) {
        known[name] = { hash, ...(await this.#meet(name)) };
      }
      writeFileSync(list, JSON.stringify(known));
      const { passes, seconds, met } = known[name];
      if (!passes) console.log(`tests/js/${name} fails without a mutant, and is left out`);
      else if (met.length > 0) found.push({ name, seconds, met: new Set(met) });
    }
    return found;
  }

  /** Of a test file and of what is tested: with it, what is met is the same. */
  #hash(name) {
    const hash = createHash('sha256').update(readFileSync(join(this.#folder, 'tests/js', name)));
    for (const mutant of this.#mutants) hash.update(keyOf(mutant));
    return hash.digest('hex');
  }

  async #meet(name) {
    const file = join(this.#folder, 'met.txt');
    writeFileSync(file, '');
    const { passes, seconds } = await this.#run(name, { MUTANTS_MET: file }, this.#seconds);
    const met = new Set(readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number));
    return { passes, seconds, met: Array.from(met) };
  }

  #run(name, env, seconds) {
    const options = { cwd: this.#folder, env: { ...process.env, ...env }, seconds };
    return runLimited(process.execPath, ['--test', `tests/js/${name}`], options);
  }

  /** Whether some test fails under a mutant: first those that are quick, and of which much is of its file. */
  async kills({ n, file, line, change }) {
    const own = new Set(this.#mutants.filter((other) => other.file === file).map((one) => one.n));
    const tests = this.#found
      .filter(({ met }) => met.has(n))
      .map((test) => ({ ...test, share: count(test.met, own) / test.met.size }))
      .sort((a, b) => a.seconds / a.share - b.seconds / b.share);
    let spent = 0;
    for (const [at, { name, seconds }] of tests.entries()) {
      spent += seconds;
      if (spent > this.#seconds) {
        console.log(`${file}:${line}: ${change}: no time for ${tests.length - at} of its tests`);
        return false;
      }
      const { passes } = await this.#run(name, { MUTANT: String(n) }, 10 + 5 * seconds);
      if (!passes) return true;
    }
    return false;
  }
}

const count = (met, own) => Array.from(met).filter((n) => own.has(n)).length;
