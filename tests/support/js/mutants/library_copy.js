// The repository with all mutants of web/lib's files in it (.build/mutants/js), built there as the library is.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { keyOf } from './all_mutants.js';
import { copyChanged } from './copy_changed.js';
import { switchableJs } from './js_mutants.js';
import { endsWell } from './run_limited.js';

export class LibraryCopy {
  #root;
  #folder;
  #mutants;
  #tests;
  #seconds;

  /** seconds: how long the tests of one mutant may take by themselves; the quickest that meet it go first. */
  constructor(root, mutants, { seconds }) {
    this.#root = root;
    this.#folder = join(root, '.build/mutants/js');
    this.#mutants = mutants;
    this.#seconds = seconds;
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
    const address = join(this.#root, 'tests/support/js/mutants/js_switch.js');
    copyChanged(this.#root, files, this.#folder, (name, text) => {
      const mutants = this.#mutants.filter(({ file }) => file === name);
      return mutants.length > 0 ? switchableJs(text, mutants, address) : text;
    });
    const modules = join(this.#folder, 'node_modules');
    if (!existsSync(modules)) symlinkSync(join(this.#root, 'node_modules'), modules);
    const { status, stdout, stderr } = spawnSync(
      'nice',
      ['-n', '15', process.execPath, 'web/build.js'],
      { cwd: this.#folder, encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(stdout + stderr);
    this.#tests = await this.#meetAll();
    return this.#mutants;
  }

  /** The test files, quickest first, each with the mutants that it meets; those that cannot run here do not count. */
  async #meetAll() {
    const list = join(this.#folder, 'met.json');
    const known = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : {};
    const files = readdirSync(join(this.#folder, 'tests/js'));
    const tests = [];
    for (const name of files.filter((file) => file.endsWith('.test.js'))) {
      const hash = this.#hash(name);
      if (known[name]?.hash !== hash) known[name] = { hash, ...(await this.#meet(name)) };
      writeFileSync(list, JSON.stringify(known));
      const { passes, seconds, met } = known[name];
      if (passes && met.length > 0) tests.push({ name, seconds, met: new Set(met) });
    }
    return tests.sort((a, b) => a.seconds - b.seconds);
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
    const began = performance.now();
    const passes = await this.#run(name, { MUTANTS_MET: file }, 300);
    const seconds = (performance.now() - began) / 1000;
    const met = new Set(readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number));
    return { passes, seconds, met: Array.from(met) };
  }

  #run(name, env, seconds) {
    const options = { cwd: this.#folder, env: { ...process.env, ...env }, seconds };
    return endsWell(process.execPath, ['--test', `tests/js/${name}`], options);
  }

  /** Whether some test fails under a mutant. */
  async kills({ n }) {
    let spent = 0;
    for (const { name, seconds, met } of this.#tests) {
      if (!met.has(n)) continue;
      spent += seconds;
      if (spent > this.#seconds) return false;
      if (!(await this.#run(name, { MUTANT: String(n) }, 10 + 5 * seconds))) return true;
    }
    return false;
  }
}
