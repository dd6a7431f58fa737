// The package as npm would publish it, packed from the built tree and installed into an empty folder.

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

const execute = promisify(execFile);

/**
 * Runs a program and resolves to what it printed; rejects, with all it printed, if it fails.
 * @returns {Promise<string>}
 */
export async function run(command, args, cwd = root) {
  try {
    const { stdout } = await execute(command, args, { cwd, maxBuffer: 1 << 26 });
    return stdout;
  } catch (error) {
    const { code, stdout, stderr } = Object(error);
    throw new Error(`${[command, ...args].join(' ')} ended with ${code}:\n${stdout}${stderr}`, {
      cause: error,
    });
  }
}

/**
 * @returns {Promise<{ tarball: string, files: string[], folder: string, remove(): Promise<void> }>}
 *   `files` is what the tarball holds, `folder` the empty folder it was installed into
 */
export async function packAndInstall() {
  const folder = await mkdtemp(join(tmpdir(), 'attention-package-'));
  const packed = await run('npm', [
    'pack',
    '--json',
    '--ignore-scripts',
    '--pack-destination',
    folder,
  ]);
  const [{ filename, files }] = JSON.parse(packed);
  const tarball = join(folder, filename);
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  await run('npm', ['install', tarball, '--offline', '--no-audit', '--no-fund'], folder);
  return {
    tarball,
    files: files.map(({ path }) => path).sort(),
    folder,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
