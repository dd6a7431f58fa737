// Runs a program and returns its output, for build and release scripts.

import { spawnSync } from 'node:child_process';

/** Runs a program in `cwd`; throws an error with its output if it fails. */
export function printedBy(cwd, command, ...args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status === 0) return stdout.trim();
  throw new Error(`${[command, ...args].join(' ')} failed: ${error?.message ?? stdout + stderr}`);
}
