// A copy of the repository with mutants of web/lib in it (.build/mutants/js), built as the library is, and its tests in
// Node.js.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { copyChanged } from './copy_changed.js';
import { switchableJs } from './js_mutants.js';
import { runLimited } from './run_limited.js';

// Tests of the files with mutants; tests of the pool, the heat map and the command execute them only indirectly.
const tests =
  /^tests\/(?:js\/(?!command|heatmap|pool|translator)|page\/sources\/|properties\/|vectors\/).*\.test\.js$/;
const notInNode = /\.(?:browser|nightly)\.test\.js$/;

// The built files of a copy read the environment, so assertions that they use no engine API are removed.
const ofText = /\bit\((?='(?:needs neither Node\.js nor a browser|uses only exactly specified))/g;

export class LibraryCopy {
  #root;
  #folder;
  #mutants;
  #files;
  #found;
  #seconds;

  /** seconds: time limit of the test files of one mutant, by their times in a run of the unchanged library. */
  constructor(root, mutants, { seconds }) {
    this.#root = root;
    this.#folder = join(root, '.build/mutants/js');
    this.#mutants = mutants;
    this.#seconds = seconds;
  }

  /** Builds the copy and runs all tests once. Returns the compiled mutants. */
  async prepare() {
    const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
      cwd: this.#root,
    });
    const files = listed
      .toString()
      .trim()
      .split('\n')
      .filter((name) => existsSync(join(this.#root, name)));
    const address = join(this.#root, 'tests/support/js/mutants/js_switch.js');
    copyChanged(this.#root, files, this.#folder, (name, text) => {
      const mutants = this.#mutants.filter(({ file }) => file === name);
      const changed = mutants.length > 0 ? switchableJs(text, mutants, address) : text;
      return changed.replaceAll(ofText, 'void (');
    });
    this.#files = files.filter((name) => tests.test(name) && !notInNode.test(name));
    const modules = join(this.#folder, 'node_modules');
    if (!existsSync(modules)) symlinkSync(join(this.#root, 'node_modules'), modules);
    this.#build(this.#root);
    this.#copyModule();
    this.#build(this.#folder);
    this.#found = await this.#meetAll();
    return this.#mutants;
  }

  #build(cwd) {
    const args = ['-n', '15', process.execPath, 'web/build.js'];
    const { status, stdout, stderr } = spawnSync('nice', args, { cwd, encoding: 'utf8' });
    if (status !== 0) throw new Error(stdout + stderr);
  }

  /** Gives the copy the compiled module, which has no mutants: web/build.js then finds nothing stale in it. */
  #copyModule() {
    const [from, to] = [this.#root, this.#folder].map((at) => join(at, '.build/module'));
    rmSync(to, { recursive: true, force: true });
    cpSync(from, to, { recursive: true, preserveTimestamps: true });
    const stamp = join(to, 'configured-for.txt');
    writeFileSync(stamp, readFileSync(stamp, 'utf8').replace(this.#root, this.#folder));
  }

  /** The test files that execute mutants, each with its mutants. */
  async #meetAll() {
    const list = join(this.#folder, 'met.json');
    const known = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : {};
    const found = [];
    for (const name of this.#files) {
      const hash = this.#hash(name);
      if (known[name]?.hash !== hash || !known[name].passes) {
        known[name] = { hash, ...(await this.#meet(name)) };
        writeFileSync(list, JSON.stringify(known));
      }
      const { passes, seconds, met } = known[name];
      if (!passes) console.log(`${name} fails without a mutant, and is left out`);
      else if (met.length > 0) found.push({ name, seconds, met: new Set(met) });
    }
    return found;
  }

  /** Digest of a test file and of the numbered mutants: an equal digest means the same executed mutants. */
  #hash(name) {
    const hash = createHash('sha256').update(readFileSync(join(this.#folder, name)));
    for (const { n, key } of this.#mutants) hash.update(`${n} ${key}`);
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
    return runLimited(process.execPath, ['--test', name], options);
  }

  /** True if some test fails under a mutant; tests of the same folder run first, then the fastest. */
  async kills({ n, file, line, change }) {
    const mirror = dirname(file).replace(/^web\/lib/, 'tests/js');
    const tests = this.#found
      .filter(({ met }) => met.has(n))
      .map((test) => ({ ...test, isMirror: dirname(test.name) === mirror }))
      .sort((a, b) => b.isMirror - a.isMirror || a.seconds - b.seconds);
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
