// The step `lint`: formats, linters and types. Results for unchanged files are cached in .build.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changedFiles, check, read, root, run, runAll, sources } from './processes.js';

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

/** clang-tidy over the library's sources; a stamp in .build/tidy records a clean file with its headers. */
async function clangTidy({ onlyChanged }) {
  const options = { cwd: join(root, 'tests') };
  const configured = await runAll([['cmake', ['--preset', 'native'], options]]);
  if (configured.code !== 0) return { passed: 0, failed: 1, output: configured.output };

  const changed = await changedFiles();
  const files = (await sources('src', '.cpp')).filter(
    (path) => !path.startsWith('src/bindings/') && (!onlyChanged || changed.has(path)),
  );
  const hash = createHash('sha256');
  const shared = ['.clang-tidy', '.build/native/compile_commands.json'];
  for (const path of [...shared, ...(await sources('.', '.h'))]) hash.update(read(path));
  const stampOf = (path) =>
    join(root, '.build/tidy', hash.copy().update(path).update(read(path)).digest('hex'));

  mkdirSync(join(root, '.build/tidy'), { recursive: true });
  let output = '';
  for (const path of files.filter((file) => !existsSync(stampOf(file)))) {
    const result = await run('clang-tidy', ['--quiet', '-p', '.build/native', path]);
    if (result.code === 0) writeFileSync(stampOf(path), '');
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
    'clang-format': clangFormat,
    'clang-tidy': () => clangTidy({ onlyChanged: tier === 'quick' }),
  };
  // Two configurations of one build folder must not run at once.
  const needs = { 'clang-tidy': ['native build'] };
  return Object.entries(checks).map(([name, job]) => ({
    name: `lint ${name}`,
    needs: needs[name],
    run: job,
  }));
}
