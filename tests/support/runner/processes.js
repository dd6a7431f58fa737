// Programs that the test steps start, and what they print.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

/** Starts a program; resolves to its exit code and everything it printed. */
export function run(command, args, { cwd = root, env = process.env } = {}) {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    }
    child.on('error', (error) => done({ code: 1, output: `${command}: ${error.message}\n` }));
    child.on('close', (code, signal) => {
      if (signal) output += `${command} was ended by ${signal}\n`;
      done({ code: code ?? 1, output });
    });
  });
}

/** Runs programs one after the other up to the first that fails. */
export async function runAll(commands) {
  let output = '';
  for (const [command, args, options] of commands) {
    const result = await run(command, args, options);
    output += `$ ${[command, ...args].join(' ')}\n${result.output}`;
    if (result.code !== 0) return { code: result.code, output };
  }
  return { code: 0, output };
}

/** A result of one check: whether the programs all exit with 0. */
export async function check(...commands) {
  const { code, output } = await runAll(commands);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, output };
}

/** Files that git tracks or would track, below a folder, with one of the extensions. */
export async function sources(folder, ...extensions) {
  const { output } = await run('git', ['ls-files', '-co', '--exclude-standard', '--', folder]);
  return output
    .split('\n')
    .filter((path) => extensions.includes(extname(path)) && existsSync(join(root, path)));
}

/** Files that differ from the last commit, untracked ones too. */
export async function changedFiles() {
  const lists = await Promise.all([
    run('git', ['diff', '--name-only', 'HEAD']),
    run('git', ['ls-files', '-o', '--exclude-standard']),
  ]);
  return new Set(lists.flatMap(({ output }) => output.split('\n')).filter(Boolean));
}

export const read = (path) => readFileSync(join(root, path));
