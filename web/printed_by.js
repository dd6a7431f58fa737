// What a program prints, for scripts that go from one to the next.

import { spawnSync } from 'node:child_process';

/** Runs a program where `cwd` says; throws with all that it printed if it fails. */
export function printedBy(cwd, command, ...args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status === 0) return stdout.trim();
  throw new Error(`${[command, ...args].join(' ')} failed: ${error?.message ?? stdout + stderr}`);
}
