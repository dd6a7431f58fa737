// Builds what is built: the wasm module (.build/module), the library's files (web/built; their maps: .build/maps) and the
// page (.build/page). Does only what is stale; a file whose content would not change keeps its time.
//   node web/build.js [--page FOLDER]      the page somewhere else; what that folder held is removed

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';
import { build as vite } from 'vite';
import { findEmscripten } from './emscripten.js';
import { unpack } from './lib/module/unpack.js';
import { pack } from './pack.js';
import { buildReference } from './reference/build_reference.js';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const at = (...parts) => join(root, ...parts);

function run(command, args, env) {
  const { error, status, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (error) throw new Error(`${command} cannot be started: ${error.message}`);
  if (status !== 0) {
    process.stderr.write(stdout + stderr);
    throw new Error(`${[command, ...args].join(' ')} failed (exit code ${status})`);
  }
}

function writeIfChanged(path, content) {
  const bytes = Buffer.from(content);
  if (existsSync(path) && readFileSync(path).equals(bytes)) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  console.log(`${relative(root, path)}: ${bytes.length.toLocaleString('en')} bytes`);
}

/** Removes the files of `folder` that are not in `kept`, so that nothing outlives its source. */
function removeOthers(folder, kept) {
  for (const name of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(name.parentPath ?? name.path, name.name);
    if (name.isFile() && !kept.has(path)) rmSync(path);
  }
}

/** C++ → .build/module/attention.js and attention.wasm; ninja knows what is stale. */
function buildModule() {
  const folder = at('.build/module');
  const { emcmake, identity, env } = findEmscripten(at('.build/emscripten-cache'));
  // A folder configured with another Emscripten, or copied from another place, is of no use to CMake.
  const stamp = join(folder, 'configured-for.txt');
  const wanted = `${identity} ${root}\n`;
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    console.log('configuring the WebAssembly module');
    rmSync(folder, { recursive: true, force: true });
    const options = ['-S', '.', '-B', '.build/module', '-G', 'Ninja', '-DCMAKE_BUILD_TYPE=Release'];
    run(emcmake, ['cmake', ...options], env);
    writeFileSync(stamp, wanted);
  }
  run('cmake', ['--build', '.build/module'], env);
}

/** The files of web/lib that a package's user imports or starts or that others share, and their names in web/built. */
const doors = new Map(
  Object.entries({
    'index.js': 'index',
    'core.js': 'core',
    'pool.js': 'pool',
    'pool/node.js': 'pool.node',
    'pool/worker.js': 'pool_worker',
    'pool/node_worker.js': 'pool_worker.node',
    'heatmap.js': 'heatmap',
    'text.js': 'text',
    'safetensors.js': 'safetensors',
    'translator.js': 'translator',
    'translator/node.js': 'translator.node',
    'models.js': 'models',
    'models/node.js': 'models.node',
    'models/beams.js': 'models_beams',
    'models/patches.js': 'models_patches',
    'models/tokenizer/hugging_face.js': 'tokenizers',
    'models/tokenizer/bert_vocabulary.js': 'models_bert_vocabulary',
    'command.js': 'command',
  }).map(([path, name]) => [at('web/lib', path), name]),
);

/** A door that is imported stays a file of its own: a program that uses two of them has each part once. */
const doorImports = {
  name: 'doors',
  setup(build) {
    build.onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => {
      const name = doors.get(resolve(resolveDir, path));
      return name && { path: `./${name}.js`, external: true };
    });
  },
};

/** Resolves what web/lib imports from .build/module: its glue, and a function that returns its bytes. */
const moduleImports = {
  name: 'attention-module',
  setup(build) {
    build.onResolve({ filter: /^attention-module:glue$/ }, () => ({
      path: 'attention.js',
      namespace: 'glue',
      sideEffects: false,
    }));
    build.onLoad({ filter: /^/, namespace: 'glue' }, () => {
      // Its last lines hand it to whichever module system there seems to be: here to none of them.
      const glue = readFileSync(at('.build/module/attention.js'), 'utf8');
      const contents = `export default /* @__PURE__ */ (function (exports, module, define) {\n${glue}\nreturn Module;\n})();\n`;
      return { contents };
    });
    build.onResolve({ filter: /^attention-module:wasm$/ }, () => ({
      path: 'attention.wasm',
      namespace: 'packed',
      sideEffects: false,
    }));
    build.onLoad({ filter: /^/, namespace: 'packed' }, async () => {
      const wasm = readFileSync(at('.build/module/attention.wasm'));
      const text = await pack(wasm);
      if (!wasm.equals(await unpack(text, wasm.length))) throw new Error('pack.js lost bytes');
      return {
        contents: `import { unpack } from './unpack.js';\nexport default () => unpack('${text}', ${wasm.length});\n`,
        resolveDir: at('web/lib/module'),
      };
    });
  },
};

const tokenizerFolder = at('node_modules/@huggingface/tokenizers');

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'neutral',
  target: 'es2022',
  charset: 'utf8',
  inject: [at('web/lib/module/utf8.js')],
  write: false,
  logLevel: 'warning',
};

/** The pool's worker as text, all of it in one classic script: for where its file cannot be started. */
async function workerCode() {
  const { outputFiles } = await esbuild.build({
    ...common,
    entryPoints: [at('web/lib/pool/worker.js')],
    format: 'iife',
    minify: true,
    plugins: [moduleImports],
  });
  return `export default ${JSON.stringify(outputFiles[0].text)};\n`;
}

/** The licences of what is bundled. */
function thirdPartyLicenses() {
  const read = (name) => readFileSync(join(tokenizerFolder, name), 'utf8');
  const { name, version, homepage } = JSON.parse(read('package.json'));
  return (
    'tokenizers.js is made of a package of others:\n\n' +
    `${name} ${version} (${homepage})\n\n${read('LICENSE')}`
  );
}

/** web/lib → web/built: one file for every door, and what travels with them. */
async function buildLibrary() {
  const folder = at('web/built');
  const { outputFiles } = await esbuild.build({
    ...common,
    entryPoints: Array.from(doors, ([path, name]) => ({ in: path, out: name })),
    outdir: folder,
    format: 'esm',
    external: ['node:*', 'attention-wasm', './pool_worker_code.js'],
    plugins: [doorImports, moduleImports],
    sourcemap: 'external',
  });
  const files = new Map();
  for (const { path, contents } of outputFiles) {
    // Maps lie apart: they are for those who count what is run, and no part of the package.
    const isMap = path.endsWith('.map');
    files.set(isMap ? at('.build/maps', basename(path)) : path, contents);
  }
  files.set(join(folder, 'attention.wasm'), readFileSync(at('.build/module/attention.wasm')));
  files.set(join(folder, 'pool_worker_code.js'), await workerCode());
  files.set(join(folder, 'THIRD_PARTY_LICENSES.txt'), thirdPartyLicenses());
  for (const [path, contents] of files) writeIfChanged(path, contents);
  removeOthers(folder, files);
}

/** web/demo and, in api/, the reference → `folder`: what any static host can serve, from any path. */
async function buildPage(folder) {
  const configFile = at('web/vite.config.js');
  const output = [];
  for (const mode of ['production', 'embed']) {
    output.push(...(await vite({ configFile, mode, build: { write: false } })).output);
  }
  const files = new Map(
    output.map((file) => [join(folder, file.fileName), file.code ?? file.source]),
  );
  const reference = await buildReference(output.map(({ fileName }) => fileName));
  for (const [name, contents] of reference) files.set(join(folder, 'api', name), contents);
  for (const [path, contents] of files) writeIfChanged(path, contents);
  removeOthers(folder, files);
}

const { page } = parseArgs({ options: { page: { type: 'string' } } }).values;
try {
  buildModule();
  await buildLibrary();
  await buildPage(page === undefined ? at('.build/page') : resolve(page));
} catch (error) {
  // esbuild has printed its own errors already.
  console.error(`The build failed: ${error.message.split('\n')[0]}`);
  process.exitCode = 1;
}
