// Packages of npm that few tests need: each in a folder of tests/support, installed on its first use by its lock file.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmdirSync, statSync, utimesSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { root } from './package.js';

/** Installs the packages of a folder, if they are not there; a second process waits until the first has done so. */
async function install(folder, lock) {
  const installed = join(folder, 'node_modules/.package-lock.json');
  const isInstalled = () =>
    existsSync(installed) &&
    statSync(installed).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs;
  mkdirSync(join(root, '.build'), { recursive: true });
  for (let waited = 0; !isInstalled(); waited += 0.5) {
    try {
      mkdirSync(lock);
    } catch (error) {
      if (Object(error).code !== 'EEXIST' || waited > 300) throw error;
      await setTimeout(500);
      continue;
    }
    try {
      const options = ['--ignore-scripts', '--no-update-notifier', '--loglevel=error'];
      execFileSync('npm', ['ci', '--prefix', folder, ...options], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      utimesSync(installed, new Date(), new Date());
    } finally {
      rmdirSync(lock);
    }
  }
}

/** require() for the packages of tests/support/NAME. */
export async function requireOf(name) {
  const folder = join(root, 'tests/support', name);
  await install(folder, join(root, `.build/${name}.lock`));
  return createRequire(join(folder, 'package.json'));
}
