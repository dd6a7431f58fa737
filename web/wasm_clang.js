// Finds a Clang for the fused kernels: 19 or newer, with its wasm-ld, for the final opcodes of relaxed SIMD. Emscripten
// 3.1.6 has Clang 14; with a newer Emscripten it is its own.

import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';

const oldest = 19;
const newest = 30;
const target = 'wasm32-unknown-emscripten';

/** What a command prints, or '' if it cannot be run. */
function printed(command, args, env) {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8', env });
  return status === 0 ? stdout.trim() : '';
}

function isNewEnough(version) {
  return Number(/(?:clang version|LLD) (\d+)/.exec(version)?.[1]) >= oldest;
}

function canLink(compiler) {
  const linker = printed(compiler, [`--target=${target}`, '-print-prog-name=wasm-ld']);
  return isNewEnough(printed(linker, ['--version']));
}

/**
 * @param {{ emcmake: string, env: NodeJS.ProcessEnv }} emscripten see emscripten.js
 * @returns {{ compiler: string, target: string, sysroot: string } | undefined} the C++ compiler, what it compiles for, and
 *   the headers of Emscripten
 */
export function findWasmClang({ emcmake, env }) {
  const configured = (name) => printed(join(dirname(emcmake), 'em-config'), [name], env);
  const versions = Array.from({ length: newest - oldest + 1 }, (_, at) => `clang++-${oldest + at}`);
  const compiler = [join(configured('LLVM_ROOT'), 'clang++'), 'clang++', ...versions].find(
    (command) => isNewEnough(printed(command, ['--version'])) && canLink(command),
  );
  return compiler ? { compiler, target, sysroot: join(configured('CACHE'), 'sysroot') } : undefined;
}
