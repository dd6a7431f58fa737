// Builds the reference: its pages from the types, its scripts and styles, and the package's files that examples run
// against. The pages are rewritten when one of their inputs has changed.

/** @import { TransformOptions } from 'esbuild' */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const at = (...parts) => join(root, ...parts);
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath ?? one.path, one.name))
    .sort();

/** Digest of all inputs of the pages: types, README, the scripts that write them, and the versions of TypeDoc and others. */
function stampOfPages() {
  const declarations = filesIn(at('web/lib/types'));
  const writers = filesIn(at('web/reference'));
  const others = ['package.json', 'package-lock.json', 'README.md'].map((name) => at(name));
  const hash = createHash('sha256');
  for (const path of [...declarations, ...writers, ...others]) {
    hash.update(`${relative(root, path)}\n`).update(readFileSync(path));
  }
  return hash.digest('hex');
}

/** File name → content. */
async function pages() {
  const kept = at('.build/reference/pages.json');
  const stamp = stampOfPages();
  if (existsSync(kept)) {
    const { stamp: known, pages: list } = JSON.parse(readFileSync(kept, 'utf8'));
    if (known === stamp) return new Map(list);
  }
  console.log('writing the reference');
  const { readTypes } = await import('./read_types.js');
  const { writePages } = await import('./write_pages.js');
  const written = writePages(await readTypes());
  mkdirSync(dirname(kept), { recursive: true });
  writeFileSync(kept, JSON.stringify({ stamp, pages: [...written] }));
  return written;
}

/** @type {Pick<TransformOptions, 'minify' | 'target' | 'charset' | 'logLevel'>} */
const common = { minify: true, target: 'es2022', charset: 'utf8', logLevel: 'warning' };

/** Scripts and styles, by their paths in the reference. */
async function scriptsAndStyles() {
  const sources = {
    reference: 'page/reference',
    'run/run': 'run/run',
  };
  const { outputFiles } = await esbuild.build({
    ...common,
    absWorkingDir: root,
    entryPoints: Object.entries(sources).flatMap(([out, source]) =>
      ['js', 'css'].map((ending) => ({ in: at('web/reference', `${source}.${ending}`), out })),
    ),
    outdir: root,
    bundle: true,
    format: 'esm',
    write: false,
  });
  return outputFiles.map(
    ({ path, text }) => /** @type {[string, string]} */ ([relative(root, path), text]),
  );
}

/**
 * The package's files for pages. The model's files are among the page's: `assets` are their names.
 */
async function modules(assets) {
  const folder = at('web/built');
  const names = readdirSync(folder).filter((name) => /(?<!node|command)\.js$/.test(name));
  /** @type {(name: string) => Promise<[path: string, content: string | Uint8Array]>} */
  const script = async (name) => {
    const source = readFileSync(join(folder, name), 'utf8').replaceAll(
      /new URL\("\.\.\/model\/(\w+)(\.\w+)", import\.meta\.url\)/g,
      (_, stem, ending) => {
        const asset = assets.find((one) => one.includes(`/${stem}-`) && one.endsWith(ending));
        if (!asset) throw new Error(`the page has no ${stem}${ending}`);
        return `new URL("../../${asset}", import.meta.url)`;
      },
    );
    const { code } = await esbuild.transform(source, { ...common, format: 'esm' });
    return [`modules/${name}`, code];
  };
  const files = await Promise.all(names.map(script));
  files.push(['modules/attention.wasm', readFileSync(join(folder, 'attention.wasm'))]);
  return files;
}

/**
 * @param {string[]} assets names of the page's files
 * @returns {Promise<Map<string, string | Uint8Array>>} all files of the reference by path
 */
export async function buildReference(assets) {
  const copied = { 'icon.svg': 'web/demo/icon.svg', 'run/run.html': 'web/reference/run/run.html' };
  /** @type {Map<string, string | Uint8Array>} */
  const files = new Map([
    ...(await pages()),
    ...(await scriptsAndStyles()),
    ...(await modules(assets)),
  ]);
  for (const [name, path] of Object.entries(copied)) files.set(name, readFileSync(at(path)));
  // The page's service worker with the list of these files.
  const worker = readFileSync(at('web/demo/page/offline/service_worker.js'), 'utf8');
  const names = JSON.stringify(['./', ...[...files.keys()].map((name) => `./${name}`)]);
  return files.set('service_worker.js', `const files = ${names};\n${worker}`);
}
