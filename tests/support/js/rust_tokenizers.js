// The Rust library of tokenizer.json, from npm's package `tokenizers`: installed on its first use, by its lock file.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmdirSync, statSync, utimesSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { root } from './package.js';

const folder = join(root, 'tests/support/rust_tokenizers');
const installed = join(folder, 'node_modules/.package-lock.json');

const isInstalled = () =>
  existsSync(installed) &&
  statSync(installed).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs;

/** Installs the package; a second process waits until the first has done so. */
async function install() {
  const lock = join(root, '.build/rust_tokenizers.lock');
  mkdirSync(join(root, '.build'), { recursive: true });
  for (let waited = 0; !isInstalled(); waited += 0.5) {
    try {
      mkdirSync(lock);
    } catch (error) {
      if (error.code !== 'EEXIST' || waited > 300) throw error;
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

await install();
export const { Tokenizer } = createRequire(join(folder, 'package.json'))('tokenizers');
