// Builds the wasm modules (.build/module, .build/fused), the library's files (web/built; their maps: .build/maps) and the page (.build/page).
// Steps whose inputs did not change are skipped; a file whose content would not change keeps its time.
//   node web/build.js [--page FOLDER]      the page somewhere else; other files in that folder are removed
//   node web/build.js --module             the wasm modules alone
//   node web/build.js --package            fails without Clang 19, where the others leave fused.wasm out

import { messageOf } from './lib/arguments/message_of.js';
/** @import { BuildOptions, BuildResult } from 'esbuild' */
/** @import { Rolldown } from 'vite' */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runStep } from './build_step.js';
import { findEmscripten } from './emscripten.js';
import { findWasmClang } from './wasm_clang.js';
import { thirdPartyLicenses } from './third_party_licenses.js';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const at = (...parts) => join(root, ...parts);

function run(command, args, env) {
  const { error, status, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (error) throw new Error(`${command} cannot be started: ${messageOf(error)}`);
  if (status !== 0) {
    process.stderr.write(stdout + stderr);
    throw new Error(`${[command, ...args].join(' ')} failed (exit code ${status})`);
  }
}

/** Builds targets in a folder of .build, configured by a command that is given CMake's arguments; ninja knows what is stale. */
function buildTargets(name, identity, configure, targets, env) {
  const folder = at('.build', name);
  // CMake cannot use a folder that was configured for another compiler or copied from another path.
  const stamp = join(folder, 'configured-for.txt');
  const wanted = `${identity} ${root}\n`;
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    console.log(`configuring the WebAssembly ${name}`);
    rmSync(folder, { recursive: true, force: true });
    const options = ['-S', '.', '-B', folder, '-G', 'Ninja', '-DCMAKE_BUILD_TYPE=Release'];
    configure(options);
    writeFileSync(stamp, wanted);
  }
  run('cmake', ['--build', folder, ...targets], env);
}

const noClang = 'Clang 19 or newer with its wasm-ld was not found';

/** C++ → .build/module: attention and training, .wasm and .js; .build/fused: fused.wasm, if there is a compiler for it. */
function buildModules(needsFused) {
  const emscripten = findEmscripten(at('.build/emscripten-cache'));
  const { emcmake, identity, env } = emscripten;
  buildTargets('module', identity, (options) => run(emcmake, ['cmake', ...options], env), [], env);
  const clang = findWasmClang(emscripten);
  if (!clang) {
    rmSync(wasmFiles.fused, { force: true }); // of an earlier build
    if (needsFused) {
      throw new Error(
        `the package needs fused.wasm, but ${noClang}: put clang++ on PATH, or run: bash .ci/setup.sh pack`,
      );
    }
    console.log(`${noClang}: fused.wasm is left out, and kernels 'fused' will run as 'simd'`);
    return;
  }
  const forWasm = [
    '-DATTENTION_FUSED_MODULE=ON',
    '-DCMAKE_SYSTEM_NAME=Generic',
    '-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY', // there is no program to link
    `-DCMAKE_CXX_COMPILER=${clang.compiler}`,
    `-DCMAKE_CXX_COMPILER_TARGET=${clang.target}`,
    `-DCMAKE_SYSROOT=${clang.sysroot}`,
  ];
  buildTargets(
    'fused',
    `${identity} ${clang.compiler}`,
    (options) => run('cmake', [...options, ...forWasm], env),
    ['--target', 'fused_module'],
    env,
  );
}

/** The entry points and shared files of web/lib, by their names in web/built. */
const doors = new Map(
  Object.entries({
    'index.js': 'index',
    'fused.js': 'fused',
    'core.js': 'core',
    'pool.js': 'pool',
    'pool/node.js': 'pool.node',
    'pool/edge.js': 'pool.edge',
    'pool/model_layers.js': 'pool_models',
    'pool/worker.js': 'pool_worker',
    'pool/node_worker.js': 'pool_worker.node',
    'heatmap.js': 'heatmap',
    'text.js': 'text',
    'training.js': 'training',
    'safetensors.js': 'safetensors',
    'translator.js': 'translator',
    'translator/node.js': 'translator.node',
    'models.js': 'models',
    'models/node.js': 'models.node',
    'models/load_model.js': 'models_load',
    'models/sources/folders.js': 'models_folders',
    'models/sources/node_folders.js': 'models_folders.node',
    'models/inside/edit_makers.js': 'models_edits',
    'models/inside/measures.js': 'models_measures',
    'models/inside/sweep.js': 'models_sweep',
    'models/run/runtime.js': 'models_runtime',
    'models/run/beams.js': 'models_beams',
    'models/config/families.js': 'models_families',
    'models/run/image_embedding.js': 'models_image',
    'models/tokenizer/byte_pairs.js': 'byte_pairs',
    'models/tokenizer/vocabulary_files/read_vocabulary.js': 'models_vocabulary_files',
    'command.js': 'command',
  }).map(([path, name]) => [at('web/lib', path), name]),
);

/** Files of attention-wasm/models-static: those of attention-wasm/models, with what they import() inside. */
const staticDoors = new Map(
  ['models.js', 'models/node.js', 'models/load_model.js'].map((path) => {
    const file = at('web/lib', path);
    return [file, String(doors.get(file)).replace(/^\w+/, '$&_static')];
  }),
);

/**
 * Imports of entry points stay imports, so that a program with two entry points has shared code once. `names` of their files;
 * with isStatic the files of an import() become part of the file that has it.
 */
const doorImports = (names, isStatic) => ({
  name: 'doors',
  setup(build) {
    build.onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir, kind }) => {
      if (isStatic && kind === 'dynamic-import') return undefined;
      const name = names.get(resolve(resolveDir, path));
      return name && { path: `./${name}.js`, external: true };
    });
  },
});

const wasmFiles = {
  attention: at('.build/module/attention.wasm'),
  training: at('.build/module/training.wasm'),
  fused: at('.build/fused/fused.wasm'),
};

/** A function that returns the bytes of a module; undefined for fused.wasm if it was left out. */
async function wasmSource(name) {
  if (!existsSync(wasmFiles[name])) return 'export default undefined;\n';
  const { pack } = await import('./pack.js');
  const { unpack } = await import('./lib/module/unpack.js');
  const wasm = readFileSync(wasmFiles[name]);
  const text = await pack(wasm);
  if (!wasm.equals(await unpack(text, wasm.length))) throw new Error('pack.js lost bytes');
  return `import { unpack } from './unpack.js';\nexport default () => unpack('${text}', ${wasm.length});\n`;
}

/** Emscripten's function that creates instances. */
async function glueSource(name) {
  const { transform } = await import('esbuild');
  const glue = readFileSync(at(`.build/module/${name}.js`), 'utf8');
  const define = { 'import.meta.url': 'undefined' }; // it is given the bytes, so its address does not matter
  const { code } = await transform(glue, { define });
  return code;
}

/**
 * Resolves what web/lib imports from .build/module: NAME-module:wasm is a function that returns the bytes of a module,
 * NAME-module:create Emscripten's function that creates an instance of it.
 */
const moduleImports = {
  name: 'wasm-modules',
  setup(build) {
    build.onResolve({ filter: /^\w+-module:(wasm|create)$/ }, ({ path }) => {
      const [name, namespace] = path.split('-module:');
      return { path: name, namespace, sideEffects: false };
    });
    const resolveDir = at('web/lib/module');
    build.onLoad({ filter: /^/, namespace: 'wasm' }, async ({ path }) => {
      return { contents: await wasmSource(path), resolveDir };
    });
    build.onLoad({ filter: /^/, namespace: 'create' }, async ({ path }) => {
      return { contents: await glueSource(path), resolveDir };
    });
  },
};

/** @type {BuildOptions & { write: false }} */
const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'neutral',
  target: 'es2022',
  charset: 'utf8',
  write: false,
  logLevel: 'warning',
};

/** The pool's worker as one classic script in a string, used where its file cannot be started. */
async function workerCode(esbuild) {
  const { outputFiles } = await esbuild.build({
    ...common,
    entryPoints: [at('web/lib/pool/worker.js')],
    format: 'iife',
    minify: true,
    plugins: [moduleImports],
  });
  return `export default ${JSON.stringify(outputFiles[0].text)};\n`;
}

/** web/lib → web/built: one file for each entry point, and the files beside them. */
async function libraryFiles() {
  const esbuild = await import('esbuild');
  const folder = at('web/built');
  /** @type {(entries: Map<string, string>, names: Map<string, string>, isStatic: boolean) => Promise<BuildResult<{ write: false }>>} */
  const build = (entries, names, isStatic) =>
    esbuild.build({
      ...common,
      entryPoints: Array.from(entries, ([path, name]) => ({ in: path, out: name })),
      outdir: folder,
      format: 'esm',
      external: ['node:*', 'attention-wasm', './pool_worker_code.js'],
      plugins: [doorImports(names, isStatic), moduleImports],
      sourcemap: 'external',
    });
  const builds = await Promise.all([
    build(doors, doors, false),
    build(staticDoors, new Map([...doors, ...staticDoors]), true),
  ]);
  const files = new Map();
  for (const { path, contents } of builds.flatMap(({ outputFiles }) => outputFiles)) {
    // Source maps are in another folder: coverage needs them, the package does not contain them.
    const isMap = path.endsWith('.map');
    files.set(isMap ? at('.build/maps', basename(path)) : path, contents);
  }
  for (const path of Object.values(wasmFiles).filter(existsSync)) {
    files.set(join(folder, basename(path)), readFileSync(path));
  }
  files.set(join(folder, 'pool_worker_code.js'), await workerCode(esbuild));
  files.set(join(folder, 'THIRD_PARTY_LICENSES.txt'), thirdPartyLicenses());
  return files;
}

const buildScripts = ['build.js', 'build_step.js', 'pack.js', 'third_party_licenses.js'].map(
  (name) => at('web', name),
);
const packages = [at('package.json'), at('package-lock.json')];

const library = {
  root,
  stamp: at('.build/stamps/library.json'),
  inputs: [
    ...Object.values(wasmFiles),
    ...['attention.js', 'training.js'].map((name) => at('.build/module', name)),
    at('web/lib'),
    ...buildScripts,
    ...packages,
  ],
  folders: [at('web/built'), at('.build/maps')],
  make: libraryFiles,
};

/** web/demo and, in api/, the reference → `folder`: files for any static host, at any path. */
async function pageFiles(folder) {
  const { build: vite } = await import('vite');
  const { buildReference } = await import('./reference/build_reference.js');
  // Node.js loads it, so that it can load the page's components: jsx_in_node.js.
  const config = {
    configFile: at('web/vite.config.js'),
    configLoader: /** @type {const} */ ('native'),
  };
  const output = [];
  for (const mode of ['production', 'embed']) {
    const built = await vite({ ...config, mode, build: { write: false } });
    output.push(.../** @type {Rolldown.RolldownOutput} */ (built).output);
  }
  const files = new Map(
    output.map((file) => [
      join(folder, file.fileName),
      file.type === 'chunk' ? file.code : file.source,
    ]),
  );
  const reference = await buildReference(output.map(({ fileName }) => fileName));
  for (const [name, contents] of reference) files.set(join(folder, 'api', name), contents);
  return files;
}

const pageIn = (folder) => ({
  root,
  stamp: at('.build/stamps/page.json'),
  inputs: [
    ...['built', 'demo', 'lib', 'model', 'reference', 'tasks'].map((name) => at('web', name)),
    ...['vite.config', 'prerender', 'preview_picture', 'prerendered_body', 'jsx_in_node'].map(
      (name) => at('web', `${name}.js`),
    ),
    at('README.md'),
    ...buildScripts,
    ...packages,
  ],
  folders: [folder],
  make: () => pageFiles(folder),
});

const {
  page,
  module: isModuleOnly,
  package: isForPackage,
} = parseArgs({
  options: { page: { type: 'string' }, module: { type: 'boolean' }, package: { type: 'boolean' } },
}).values;
try {
  buildModules(isForPackage);
  if (!isModuleOnly) {
    await runStep(library);
    await runStep(pageIn(page === undefined ? at('.build/page') : resolve(page)));
  }
} catch (error) {
  console.error(`The build failed: ${messageOf(error)}`);
  process.exitCode = 1;
}
