// A PATH on which some programs are missing.

import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

/**
 * @param {RegExp} hidden matches the names of the missing programs
 * @returns {{ path: string, remove(): void }} path: a folder with links to all other programs of the PATH
 */
export function pathWithout(hidden) {
  const path = mkdtempSync(join(tmpdir(), 'attention-path-'));
  const folders = (process.env.PATH ?? '').split(delimiter).filter(existsSync);
  for (const folder of folders) {
    for (const name of readdirSync(folder)) {
      const link = join(path, name);
      if (!hidden.test(name) && !existsSync(link)) symlinkSync(resolve(folder, name), link);
    }
  }
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Clang for WebAssembly: as a command, and inside Emscripten, whose em-config names its folder. */
export const wasmClang = /^(?:clang|wasm-ld|lld|em-config)/;
