// The step `lint`: formats, linters and types. Results for unchanged files are cached in .build.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { changedFiles, check, read, root, run, sources } from './processes.js';

/**
 * @typedef {object} Job
 * @property {string} name
 * @property {() => Promise<{ passed: number, failed: number, output: string }>} run
 * @property {string[]} [needs] names of the jobs that come before
 * @property {number} [seconds] usual duration
 */

const bin = (name) => join(root, 'node_modules', '.bin', name);
const cached = (name) => [
  '--cache',
  '--cache-strategy',
  'content',
  '--cache-location',
  `.build/lint/${name}`,
];

async function clangFormat() {
  const files = await sources('.', '.h', '.cpp');
  return check(['clang-format', ['--dry-run', '-Werror', ...files]]);
}

async function tsc() {
  const declarations = await sources('web/lib', '.ts');
  const options = '--noEmit --strict --target es2022 --module nodenext --lib es2022,dom';
  return check([bin('tsc'), [...options.split(' '), ...declarations]]);
}

/** The programs of JavaScript whose types are checked; `known`: least percentage of names whose type is not any. */
const programs = [
  { project: 'web/tsconfig.json' },
  { project: 'web/lib/tsconfig.json' },
  { project: 'web/lib/tsconfig.strict.json', known: 95 },
  { project: 'web/demo/tsconfig.json' },
  { project: 'web/demo/state/tsconfig.json', known: 95 },
  { project: 'web/demo/worker/tsconfig.json', known: 95 },
  { project: 'tests/support/tsconfig.json' },
];

async function types({ project, known = 0 }) {
  const cache = `.build/lint/${project.replaceAll('/', '_')}.tsbuildinfo`;
  const checked = await check([
    bin('tsc'),
    ['--project', project, '--incremental', '--tsBuildInfoFile', cache],
  ]);
  if (checked.failed || !known) return checked;
  return check([
    bin('type-coverage'),
    ['--project', project, '--strict', '--at-least', String(known)],
  ]);
}

/** The files that the native build compiles for the library, each with the sources in it: a folder's may be one file. */
function compiledSources() {
  const commands = JSON.parse(String(read('.build/native/compile_commands.json')));
  const included = (path) =>
    Array.from(
      read(path)
        .toString()
        .matchAll(/^#include "(.*\.cpp)"$/gm),
      ([, file]) => relative(root, resolve(file)),
    );
  return commands.flatMap(({ file, command }) => {
    const path = relative(root, file);
    if (path.includes('/Unity/')) return [{ path, command, files: included(path) }];
    return path.startsWith('src/') ? [{ path, command, files: [path] }] : [];
  });
}

async function configureNative() {
  const options = { cwd: join(root, 'tests') };
  const { code, output } = await run('cmake', ['--preset', 'native'], options);
  return { passed: 0, failed: code === 0 ? 0 : 1, output };
}

const tidyParts = 4;
// In a file that includes a folder's sources; the analyzer skips what is included unless told otherwise.
const unityOptions = [
  '--checks=-bugprone-suspicious-include',
  ...['--extra-arg=-Xclang', '--extra-arg=-analyzer-opt-analyze-headers'],
];

/** clang-tidy over a part of the library's sources; a stamp in .build/tidy records a clean file with its headers. */
async function clangTidy(part, { onlyChanged }) {
  const changed = await changedFiles();
  const compiled = compiledSources().filter(
    ({ files }, index) =>
      index % tidyParts === part - 1 && (!onlyChanged || files.some((file) => changed.has(file))),
  );
  const hash = createHash('sha256').update(read('.clang-tidy'));
  for (const path of await sources('.', '.h')) hash.update(read(path));
  const stampOf = ({ command, files }) => {
    const own = hash.copy().update(command);
    for (const path of files) own.update(path).update(read(path));
    return join(root, '.build/tidy', own.digest('hex'));
  };

  mkdirSync(join(root, '.build/tidy'), { recursive: true });
  let output = '';
  for (const source of compiled.filter((each) => !existsSync(stampOf(each)))) {
    const options = source.path.includes('/Unity/') ? unityOptions : [];
    const command = ['--quiet', '-p', '.build/native', ...options, source.path];
    const result = await run('clang-tidy', command);
    if (result.code === 0) writeFileSync(stampOf(source), '');
    else output += result.output.replaceAll(/^\d+ warnings? generated\.\n/gm, '');
  }
  return { passed: output ? 0 : 1, failed: output ? 1 : 0, output };
}

/** Jobs of the step; in the quick tier clang-tidy looks at changed files only. */
export function lint({ tier }) {
  const checks = {
    prettier: () =>
      check([bin('prettier'), ['--check', '--log-level', 'warn', ...cached('prettier'), '.']]),
    eslint: () =>
      check([
        bin('eslint'),
        ['--config', '.eslint.config.js', '--max-warnings', '0', ...cached('eslint'), '.'],
      ]),
    tsc,
    ...Object.fromEntries(
      programs.map((program) => [`types ${program.project}`, () => types(program)]),
    ),
    'clang-format': clangFormat,
  };
  /** @type {Job[]} */
  const jobs = Object.entries(checks).map(([name, job]) => ({ name: `lint ${name}`, run: job }));
  // Two configurations of one build folder must not run at once.
  const configure = { name: 'lint configure', needs: ['native build'], run: configureNative };
  jobs.push(configure);
  for (let part = 1; part <= tidyParts; part += 1) {
    jobs.push({
      name: `lint clang-tidy ${part}/${tidyParts}`,
      needs: [configure.name],
      seconds: 40,
      run: () => clangTidy(part, { onlyChanged: tier === 'quick' }),
    });
  }
  return jobs;
}
