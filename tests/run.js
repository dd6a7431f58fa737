// Runs the checks of this checkout, side by side on all cores, and counts:
//   node tests/run.js [TIER] [STEP...] [PATH...] [--fuzz-seconds N]
// Tiers:
//   quick     what an ordinary change can break, in about three minutes (default)
//   full      everything that holds the product's promises
//   nightly   what takes hours: soak, fuzzing, mutants, every consumer, other toolchains, coverage
// Steps, each also alone:
//   build        the module, the library and the page
//   lint         formats, linters, types
//   native       the C++ tests, optimized
//   sanitize     the C++ tests under AddressSanitizer and UndefinedBehaviorSanitizer
//   fuzz         libFuzzer's targets: known inputs, then 3,000 new ones of each; new ones for N seconds, 600 in nightly
//   wasm         the C++ tests compiled to WebAssembly, in Node.js
//   node         the JavaScript tests, in Node.js
//   browsers     the tests of the page and of the library in Chromium, Firefox and WebKit
//   consumers    projects that install the packed package
//   determinism, soak, mutants, toolchains, coverage   tests/release/STEP.js
// PATH limits node and browsers to files or folders (tests/js/pool, or node tests/js/pool), native, sanitize and wasm to
// tests whose names contain a word or match a filter of GoogleTest (native Cache, native 'Cache.*'), consumers and the last
// five to their own arguments. A step alone runs all of its tests, a step after a tier those of the tier.
// A job that fails does not stop the others; one that takes too long is ended. Output is shown for failed jobs only.
// The last line counts the tests; .build/failures.jsonl has a line for each failed test of any run.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { recordFailures } from './support/runner/failure_ledger.js';
import { fuzz } from './support/runner/fuzz.js';
import { googleTest } from './support/runner/google_test.js';
import { runJobs } from './support/runner/job_queue.js';
import { lint } from './support/runner/lint.js';
import { nodeTest } from './support/runner/node_test.js';
import { root, run } from './support/runner/processes.js';
import { consumers, one } from './support/runner/programs.js';

async function buildAll() {
  const { code, output } = await run(process.execPath, ['web/build.js'], { minutes: 60 });
  return { passed: 0, failed: code === 0 ? 0 : 1, output };
}

// A step takes { tier, paths, seconds } and returns its jobs.
const steps = {
  build: () => [{ name: 'build', seconds: 60, run: buildAll }],
  lint,
  native: googleTest('native'),
  sanitize: googleTest('sanitize'),
  fuzz,
  wasm: googleTest('wasm'),
  node: nodeTest('node'),
  browsers: nodeTest('browsers'),
  consumers,
  determinism: one('determinism', '--nodes', '22,24', '--arm64'),
  soak: one('soak'),
  mutants: one('mutants', 'cpp', 'js', '--count', '300'),
  toolchains: one('toolchains'),
  coverage: one('coverage'),
};
const quick = ['build', 'lint', 'native', 'node', 'browsers'];
const tiers = {
  quick,
  full: [...quick, 'sanitize', 'fuzz', 'wasm', 'consumers'],
  nightly: [
    'build',
    'native',
    'node',
    'fuzz',
    'consumers',
    'determinism',
    'soak',
    'mutants',
    'toolchains',
    'coverage',
  ],
};
// Steps that first build the package.
const needBuild = ['node', 'browsers', 'consumers', 'determinism', 'soak'];

/** The command line: a tier, or steps with their filters. */
function readArguments() {
  const { values, positionals } = parseArgs({
    options: { 'fuzz-seconds': { type: 'string' } },
    allowPositionals: true,
  });
  const tier = positionals.find((word) => Object.hasOwn(tiers, word));
  const named = positionals.filter((word) => Object.hasOwn(steps, word));
  const paths = positionals.filter((word) => word !== tier && !named.includes(word));
  if (named.length === 0 && paths.length > 0) {
    const unknown = paths.filter((path) => !existsSync(path));
    if (unknown.length > 0) {
      console.error(
        `unknown tier, step or path ${unknown.join(', ')}; tiers: ${Object.keys(tiers).join(', ')}; ` +
          `steps: ${Object.keys(steps).join(', ')}`,
      );
      process.exit(2);
    }
    named.push('node', 'browsers');
  }
  const wanted = new Set(named.length > 0 ? named : tiers[tier ?? 'quick']);
  if (needBuild.some((name) => wanted.has(name))) wanted.add('build');
  return {
    tier: tier ?? (named.length > 0 ? 'full' : 'quick'),
    wanted: Object.keys(steps).filter((name) => wanted.has(name)),
    paths,
    seconds: values['fuzz-seconds'],
    isTier: named.length === 0,
  };
}

const minutes = (seconds) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/** Durations of the jobs of earlier runs, so that the long ones start first, and their processor time. */
class Durations {
  #path = join(root, '.build/durations.json');
  #jobs = existsSync(this.#path) ? JSON.parse(readFileSync(this.#path, 'utf8')) : {};

  of = ({ name, seconds = 10 }) => this.#jobs[name]?.seconds ?? seconds;

  add({ name }, { seconds, cpu, failed }) {
    if (failed === 0) this.#jobs[name] = { seconds, cpu };
  }

  save() {
    mkdirSync(dirname(this.#path), { recursive: true });
    writeFileSync(this.#path, JSON.stringify(this.#jobs, null, 1));
  }
}

const counted = ['passed', 'failed', 'skipped', 'notRun'];

/** Prints a line for each step that has ended, and every half minute what runs. */
class Progress {
  #begin = performance.now();
  #steps = new Map();
  #running = new Set();
  #ended = 0;
  #jobs;
  #timer;

  constructor(jobs) {
    this.#jobs = jobs.length;
    for (const { step } of jobs) {
      const state = this.#steps.get(step) ?? {
        left: 0,
        passed: 0,
        failed: 0,
        skipped: 0,
        notRun: 0,
        seconds: 0,
        cpu: 0,
        notes: [],
      };
      state.left += 1;
      this.#steps.set(step, state);
    }
    this.#timer = setInterval(() => this.#printRunning(), 30_000);
  }

  #print(text) {
    console.log(`${minutes((performance.now() - this.#begin) / 1000).padStart(5)}  ${text}`);
  }

  #printRunning() {
    const names = Array.from(this.#running, ({ name }) => name.replace(/^tests\//, ''));
    this.#print(`${this.#ended} of ${this.#jobs} jobs done; running ${names.join(', ')}`);
  }

  start(job) {
    this.#running.add(job);
  }

  end(job, result) {
    this.#running.delete(job);
    this.#ended += 1;
    const state = this.#steps.get(job.step);
    state.left -= 1;
    state.seconds += result.seconds;
    state.cpu += result.cpu;
    for (const kind of counted) state[kind] += result[kind] ?? 0;
    state.notes.push(...(result.notes ?? []));
    if (result.failed > 0) {
      // A stack trace may quote a whole minified file.
      console.log(
        `-- ${job.name}\n${result.output.trimEnd().replaceAll(/^(.{1000}).+$/gm, '$1 ...')}`,
      );
    }
    if (state.left === 0) this.#endStep(job.step, state);
  }

  #endStep(step, state) {
    if (step !== 'build' && state.passed + state.failed + state.notRun === 0) {
      state.failed = 1;
      console.log(`-- ${step}: this step ran no test`);
    }
    const counts = counted
      .filter((kind) => state[kind] > 0)
      .map((kind) =>
        kind === 'notRun' ? `${state[kind]} jobs not run` : `${state[kind]} ${kind}`,
      );
    const seconds = `${state.seconds.toFixed(0)} s`.padStart(6);
    const cpu = `${state.cpu.toFixed(0)} s`.padStart(6);
    this.#print(`${step.padEnd(11)} ${seconds}, processor ${cpu}  ${counts.join(', ') || 'done'}`);
    for (const note of state.notes) console.log(`${' '.repeat(27)}${note}`);
  }

  /** The sums over all steps. */
  close() {
    clearInterval(this.#timer);
    const sum = (kind) =>
      Array.from(this.#steps.values()).reduce((all, step) => all + step[kind], 0);
    return { passed: sum('passed'), failed: sum('failed') };
  }
}

const given = readArguments();
const lists = await Promise.all(
  given.wanted.map(async (step) => (await steps[step](given)).map((job) => ({ ...job, step }))),
);
// Steps may share a build.
const jobs = [...new Map(lists.flat().map((job) => [job.name, job])).values()];
if (jobs.every(({ step }) => step === 'build')) {
  console.error(`no test: ${[...given.wanted, ...given.paths].join(', ')}`);
  process.exit(2);
}
const others = Object.keys(tiers).filter((name) => name !== given.tier);
if (given.isTier) {
  console.log(`Tier ${given.tier}: ${given.wanted.join(', ')}.`);
  console.log(`Others: ${others.map((name) => `npm test -- ${name}`).join(', ')}.`);
} else {
  console.log(
    `Steps ${given.wanted.join(', ')}. Tiers: npm test -- ${Object.keys(tiers).join(' | ')}.`,
  );
}
for (const [index, list] of lists.entries()) {
  if (list.length === 0) console.log(`No test of ${given.wanted[index]} here.`);
}

const durations = new Durations();
const progress = new Progress(jobs);
await runJobs(jobs, {
  slots: availableParallelism(),
  secondsOf: durations.of,
  onStart: (job) => progress.start(job),
  onEnd: (job, result) => {
    durations.add(job, result);
    recordFailures(join(root, '.build/failures.jsonl'), root, job, result);
    progress.end(job, result);
  },
});
durations.save();
const { passed, failed } = progress.close();
process.exitCode = failed > 0 ? 1 : 0;
console.log(`${passed} passed, ${failed} failed`);
