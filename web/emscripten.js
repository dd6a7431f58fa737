// Finds Emscripten on PATH or below $EMSDK, and the environment that it needs.

import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const debian = '/usr/share/emscripten';

function firstExisting(paths, mode = constants.F_OK) {
  return paths.find((path) => {
    try {
      accessSync(path, mode);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * @param {string} cacheDirectory a writable folder for Emscripten's cache if its own is read-only
 * @returns {{ emcmake: string, identity: string, env: NodeJS.ProcessEnv }}
 *   `identity` differs between versions and installations of Emscripten; `env` is the environment of emcmake and the build
 */
export function findEmscripten(cacheDirectory) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  if (process.env.EMSDK) folders.push(join(process.env.EMSDK, 'upstream', 'emscripten'));
  const emcmake = firstExisting(
    folders.map((folder) => join(folder, 'emcmake')),
    constants.X_OK,
  );
  if (!emcmake) {
    throw new Error(
      'Emscripten was not found: put emcmake on PATH, or run: bash .ci/setup.sh build',
    );
  }

  const env = { ...process.env };
  const real = realpathSync(emcmake);
  const root = join(real, '..');
  if (root === debian) {
    // Debian's emcc finds acorn only where Debian's own Node looks for modules. Its cache is complete and frozen.
    env.NODE_PATH = [process.env.NODE_PATH, '/usr/share/nodejs'].filter(Boolean).join(delimiter);
  } else if (!env.EM_CACHE) {
    const cache = firstExisting([join(root, 'cache'), root]);
    if (!firstExisting([cache], constants.W_OK)) env.EM_CACHE = cacheDirectory;
  }
  return { emcmake, identity: `${real} ${statSync(real).mtimeMs}`, env };
}
