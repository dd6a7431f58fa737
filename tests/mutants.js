// What the tests notice of small changes to the sources:   node tests/mutants.js [cpp] [js] [--count N] [--seed WORD]
//   [--files PATTERN] [--survivors] [--seconds N]
//   cpp  src and include, by the native tests under both sanitizers, the SIMD kernels through SIMDe
//   js   web/lib's readers, by the tests in Node
// All mutants are built into one program (.build/mutants), and a variable of the environment says which one is on. First
// each test tells which ones it meets, then every mutant is met by those tests, the quickest first, until one fails.
// --count takes so many of them, another part for another --seed; --files those whose path has the pattern;
// --survivors those that lived when they were run last. --seconds is how long the tests of one mutant may take when
// nothing is wrong (default: 60). Those that nothing can notice are in support/js/mutants/equivalent_mutants.json, with
// the reason; they are not run. Survivors are printed, then how many of each file and group were killed.
// Not a part of npm test: all of them take hours.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { allMutants, keyOf } from './support/js/mutants/all_mutants.js';
import { chosenMutants } from './support/js/mutants/chosen_mutants.js';
import { cppMutants } from './support/js/mutants/cpp_mutants.js';
import { equivalentMutants } from './support/js/mutants/equivalent_mutants.js';
import { jsMutants } from './support/js/mutants/js_mutants.js';
import { LibraryCopy } from './support/js/mutants/library_copy.js';
import { NativeProgram } from './support/js/mutants/native_program.js';

const root = resolve(fileURLToPath(import.meta.url), '../..');
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string' },
    seed: { type: 'string', default: 'mutants' },
    files: { type: 'string', default: '' },
    survivors: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '60' },
  },
});

const limit = { seconds: Number(values.seconds) };

const kinds = {
  cpp: {
    make: cppMutants,
    files: /^(?:src\/(?!bindings\/)|include\/).*\.(?:h|cpp)$/,
    group: (file) => file.match(/^src\/(\w+)/)?.[1] ?? 'include',
    run: (mutants) => new NativeProgram(root, mutants, limit),
  },
  js: {
    make: jsMutants,
    files:
      /^web\/(?:lib\/(?:arguments\/|safetensors\/|models\/|text(?=\.js))|demo\/worker\/sources\/files\/npy_file).*\.js$/,
    group: (file) => (file.startsWith('web/lib/') ? file.split('/')[2].replace('.js', '') : 'npy'),
    run: (mutants) => new LibraryCopy(root, mutants, limit),
  },
};

const list = JSON.parse(
  readFileSync(join(root, 'tests/support/js/mutants/equivalent_mutants.json'), 'utf8'),
);
const paths = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root })
  .toString()
  .split('\n')
  .filter((path) => path && existsSync(join(root, path)));

/** What became of each mutant when it was run last: whether it was killed, by what it is known by. */
class Results {
  #path;
  #killed;

  constructor(kind) {
    this.#path = join(root, `.build/mutants/${kind}.json`);
    this.#killed = existsSync(this.#path) ? JSON.parse(readFileSync(this.#path, 'utf8')) : {};
  }

  lives = (mutant) => this.#killed[keyOf(mutant)] === false;

  add(mutant, isKilled) {
    this.#killed[keyOf(mutant)] = isKilled;
    mkdirSync(dirname(this.#path), { recursive: true });
    writeFileSync(this.#path, JSON.stringify(this.#killed));
  }
}

const share = ({ killed, all }) => `${killed} of ${all}, ${((100 * killed) / all).toFixed(1)} %`;

function count(counts, name, isKilled) {
  if (!counts.has(name)) counts.set(name, { killed: 0, all: 0 });
  counts.get(name).killed += isKilled;
  counts.get(name).all += 1;
}

async function report(kind) {
  const { make, files, group, run } = kinds[kind];
  const all = allMutants(
    root,
    paths.filter((path) => files.test(path)),
    make,
  );
  const equivalent = equivalentMutants(list, all);
  const results = new Results(kind);
  const program = run(all);
  const there = await program.prepare();
  const asked = there.filter(({ file }) => file.includes(values.files));
  const chosen = chosenMutants(asked, Number(values.count ?? asked.length), values.seed);
  const judged = chosen.filter((mutant) => !equivalent.has(keyOf(mutant)));
  const wanted = judged.filter((mutant) => !values.survivors || results.lives(mutant));
  console.log(`${kind}: ${there.length} mutants, ${wanted.length} are run, two at a time`);

  const waiting = wanted.values();
  const worker = async () => {
    for (const mutant of waiting) results.add(mutant, await program.kills(mutant));
  };
  await Promise.all([worker(), worker()]);

  const counts = new Map();
  for (const mutant of judged) {
    const { file, line, text, change, nth } = mutant;
    const lives = results.lives(mutant);
    if (lives) console.log(`${file}:${line}: ${change}${nth > 1 ? ` (${nth})` : ''}: ${text}`);
    for (const name of [file, `all of ${group(file)}`]) count(counts, name, !lives);
  }
  for (const [name, counted] of Array.from(counts).sort()) {
    console.log(`${name}: ${share(counted)}`);
  }
  console.log(`${kind}: ${chosen.length - judged.length} equivalent ones are left out`);
}

for (const kind of positionals.length > 0 ? positionals : Object.keys(kinds)) {
  if (!Object.hasOwn(kinds, kind)) throw new Error('usage: node tests/mutants.js [cpp] [js]');
  await report(kind);
}
