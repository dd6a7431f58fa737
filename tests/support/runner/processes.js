// Child processes of the test steps, and their output.
import { AsyncLocalStorage } from 'node:async_hooks';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

const running = new Set();

/** Ends a program and its children; SIGTERM lets tests close their browsers, which have their own process groups. */
function end(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has already ended.
  }
}

process.on('exit', () => running.forEach((child) => end(child, 'SIGTERM')));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));

/** In a job: { cpu }, the processor seconds of the programs that it ran. */
export const usage = new AsyncLocalStorage();

let counted = 0;

/** Processor time in seconds of the children that have ended since the last call; 0 where there is no /proc. */
function cpuSeconds() {
  if (!existsSync('/proc/self/stat')) return 0;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // Fields 16 and 17 of proc(5), in hundredths of a second; the name before them may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const before = counted;
  counted = (Number(fields[13]) + Number(fields[14])) / 100;
  return counted - before;
}

/** Starts a program; resolves to its exit code and output. After `minutes` it is ended and counts as failed. */
export function run(command, args, { cwd = root, env = process.env, minutes = 15 } = {}) {
  return new Promise((done) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    running.add(child);
    const used = usage.getStore();
    if (used) child.on('exit', () => (used.cpu += cpuSeconds()));
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    }
    const timers = [
      setTimeout(() => {
        output += `${command} was ended: it took longer than ${minutes} minutes\n`;
        end(child, 'SIGTERM');
        timers.push(setTimeout(() => end(child, 'SIGKILL'), 10_000));
      }, 60_000 * minutes),
    ];
    const finish = (code) => {
      timers.forEach(clearTimeout);
      running.delete(child);
      done({ code, output });
    };
    child.on('error', (error) => {
      output += `${command}: ${error.message}\n`;
      finish(1);
    });
    child.on('close', (code, signal) => {
      if (signal) output += `${command} was ended by ${signal}\n`;
      finish(code ?? 1);
    });
  });
}

/** Runs programs one after another, up to the first that fails. */
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
