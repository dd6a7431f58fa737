// Node.js loads .jsx files after this file: the build renders the page's components, and tests do. esbuild turns JSX into
// calls of Preact, as Vite does for the page.
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { transform } from 'esbuild';

/**
 * The hook `load` of Node.js' module loader, which runs in a thread of its own.
 * @type {import('node:module').LoadHook}
 */
export async function load(url, context, nextLoad) {
  const { pathname } = new URL(url);
  if (!pathname.endsWith('.jsx')) return nextLoad(url, context);
  const path = fileURLToPath(new URL(pathname, url));
  const { code } = await transform(await readFile(path, 'utf8'), {
    ...{ loader: 'jsx', jsx: 'automatic', jsxImportSource: 'preact' },
    ...{ sourcefile: path, sourcemap: 'inline' },
  });
  return { format: 'module', shortCircuit: true, source: code };
}

/**
 * The hook `resolve`: what a component asks of the build is only known in the page.
 * @type {import('node:module').ResolveHook}
 */
export async function resolve(specifier, context, nextResolve) {
  if (specifier !== 'virtual:fused-kernels') return nextResolve(specifier, context);
  return { url: 'data:text/javascript,export const hasFused = false', shortCircuit: true };
}

if (isMainThread) register(import.meta.url);
