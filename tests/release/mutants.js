// What the tests notice of small changes to the sources:
//   node tests/release/mutants.js [cpp] [wasm] [js] [--count N] [--seed WORD] [--files PART] [--seconds N]
//                         [--survivors | --not-killed]
//     cpp   src and include, by the native tests under both sanitizers, the SIMD kernels through SIMDe
//     wasm  those of them that live then, by the tests in Node: what callers may say is tested there
//     js    web/lib's readers, by the tests in Node
// All mutants are built into one program (below .build/mutants), and a variable of the environment says which one is on.
// First each test tells which ones it meets, then every mutant is met by those tests, the quickest first, until one fails.
// --count takes so many of them, spread over all files, others for another --seed; --files those whose path has a
// part; --survivors those that lived when they were run last; --not-killed these and those that were never run. --seconds
// is how long the tests of one mutant may compute when nothing is wrong (default: 60): the processor's time, so that what
// else the machine does decides nothing. Those that nothing can notice are in support/js/mutants/equivalent_mutants.json,
// with the reason; they are not run. Survivors are printed, then how many of each file and group were killed, now or
// before. Not a part of npm test: all of them take hours.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { allMutants, keyOf } from '../support/js/mutants/all_mutants.js';
import { chosenMutants } from '../support/js/mutants/chosen_mutants.js';
import { equivalentMutants } from '../support/js/mutants/equivalent_mutants.js';
import { kindsOfMutants } from '../support/js/mutants/kinds_of_mutants.js';

const root = resolve(fileURLToPath(import.meta.url), '../../..');
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string' },
    seed: { type: 'string', default: 'mutants' },
    files: { type: 'string', default: '' },
    survivors: { type: 'boolean', default: false },
    'not-killed': { type: 'boolean', default: false },
    seconds: { type: 'string', default: '60' },
  },
});

const kinds = kindsOfMutants(root, Number(values.seconds));
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

  isKnown = (mutant) => Object.hasOwn(this.#killed, keyOf(mutant));

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
  const { make, files, group, run, results: of = kind } = kinds[kind];
  const all = allMutants(
    root,
    paths.filter((path) => files.test(path)),
    make,
  );
  const equivalent = equivalentMutants(list, all);
  const results = new Results(of);
  const program = run(all);
  const there = new Set(await program.prepare());
  const asked = all.filter((mutant) => there.has(mutant) && mutant.file.includes(values.files));
  const chosen = chosenMutants(asked, Number(values.count ?? asked.length), values.seed);
  const judged = chosen.filter((mutant) => !equivalent.has(keyOf(mutant)));
  const onlySurvivors = values.survivors || of !== kind;
  const isWanted = (mutant) => {
    if (onlySurvivors) return results.lives(mutant);
    return !values['not-killed'] || results.lives(mutant) || !results.isKnown(mutant);
  };
  const wanted = judged.filter(isWanted);
  console.log(`${kind}: ${there.size} mutants, ${wanted.length} are run, two at a time`);

  const waiting = wanted.values();
  const worker = async () => {
    for (const mutant of waiting) results.add(mutant, await program.kills(mutant));
  };
  await Promise.all([worker(), worker()]);

  const counts = new Map();
  for (const mutant of judged.filter(results.isKnown)) {
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
  if (!Object.hasOwn(kinds, kind))
    throw new Error('usage: node tests/release/mutants.js [cpp] [wasm] [js]');
  await report(kind);
}
