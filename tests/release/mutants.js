// Mutation tests: small changes to the sources that at least one test must detect.
//   node tests/release/mutants.js [cpp] [js] [--count N] [--seed WORD] [--seconds S] [--keys FILE]
//     cpp   src and include, by the C++ tests under both sanitizers, the SIMD kernels through SIMDe
//     js    what reads arguments and files in web/lib, by the tests in Node.js
// A sample of N mutants (default: 100; another one for another seed) is built into one program (.build/mutants), and an
// environment variable switches one of them on. Each test first reports which mutants it executes; each mutant is then run
// with those tests, quickest first, until one fails. S limits the processor time of the tests of one mutant (default: 60).
// Results are saved by key in .build/mutants/{cpp,js}.json. --keys runs the mutants of such a file that still exist in the
// sources, and prints those that were killed then and survive now. Survivors are printed, then the share killed per folder.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { allMutants, sampleMutants } from '../support/js/mutants/all_mutants.js';
import { cppMutants } from '../support/js/mutants/cpp_mutants.js';
import { jsMutants } from '../support/js/mutants/js_mutants.js';
import { LibraryCopy } from '../support/js/mutants/library_copy.js';
import { NativeProgram } from '../support/js/mutants/native_program.js';

const root = resolve(fileURLToPath(import.meta.url), '../../..');
const kinds = {
  cpp: {
    make: cppMutants,
    files: /^(?:src\/(?!bindings\/)|include\/).*\.(?:h|cpp)$/,
    Program: NativeProgram,
  },
  js: {
    make: jsMutants,
    files:
      /^web\/(?:lib\/(?:arguments\/|safetensors\/|models\/|text\.js)|demo\/worker\/sources\/files\/npy_file).*(?<=\.js)$/,
    Program: LibraryCopy,
  },
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: 'mutants' },
    seconds: { type: 'string', default: '60' },
    keys: { type: 'string' },
  },
});
const wanted = positionals.length > 0 ? positionals : Object.keys(kinds);
for (const kind of wanted) {
  if (!Object.hasOwn(kinds, kind)) throw new Error(`unknown kind ${kind}: expected cpp or js`);
}

const readResults = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {});
const label = ({ file, line, change, text }) => `${file}:${line}: ${change}: ${text}`;
const share = (killed, all) => `${killed} of ${all} killed, ${((100 * killed) / all).toFixed(1)} %`;

/** The mutants to run, numbered; and the results of an earlier run to compare with, by key. */
function chooseMutants({ make, files }) {
  const paths = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root })
    .toString()
    .split('\n')
    .filter((path) => files.test(path) && existsSync(join(root, path)));
  const all = allMutants(root, paths, make);
  const earlier = values.keys ? JSON.parse(readFileSync(values.keys, 'utf8')) : {};
  const chosen = values.keys
    ? all.filter(({ key }) => Object.hasOwn(earlier, key))
    : sampleMutants(all, Number(values.count), values.seed);
  if (chosen.length === 0) throw new Error('no mutant to run');
  if (values.keys) {
    const gone = Object.keys(earlier).length - chosen.length;
    console.log(`${chosen.length} of the file's mutants are in the sources, ${gone} are gone`);
  }
  return { mutants: chosen.map((mutant, n) => ({ ...mutant, n })), earlier };
}

async function runKind(kind) {
  const { mutants, earlier } = chooseMutants(kinds[kind]);
  const path = join(root, `.build/mutants/${kind}.json`);
  const results = readResults(path);
  mkdirSync(dirname(path), { recursive: true });
  const program = new kinds[kind].Program(root, mutants, { seconds: Number(values.seconds) });
  const built = await program.prepare();
  console.log(`${kind}: ${built.length} mutants, ${mutants.length - built.length} do not compile`);

  const waiting = built.values();
  const runWaiting = async () => {
    for (const mutant of waiting) {
      results[mutant.key] = await program.kills(mutant);
      writeFileSync(path, JSON.stringify(results));
    }
  };
  await Promise.all([runWaiting(), runWaiting()]);

  const counts = new Map();
  for (const { file, key } of built) {
    const count = counts.get(dirname(file)) ?? { killed: 0, all: 0 };
    counts.set(dirname(file), count);
    count.all += 1;
    count.killed += results[key];
  }
  for (const mutant of built.filter(({ key }) => !results[key])) {
    console.log(`${earlier[mutant.key] ? 'lost kill' : 'survivor'}: ${label(mutant)}`);
  }
  for (const [folder, { killed, all }] of Array.from(counts).sort()) {
    console.log(`${folder}: ${share(killed, all)}`);
  }
  const killed = built.filter(({ key }) => results[key]).length;
  console.log(`${kind}: ${share(killed, built.length)}`);
  if (values.keys) {
    const before = built.filter(({ key }) => earlier[key]);
    const lost = before.filter(({ key }) => !results[key]).length;
    console.log(`${kind}: ${lost} of the ${before.length} kills of ${values.keys} are lost`);
  }
}

for (const kind of wanted) await runKind(kind);
