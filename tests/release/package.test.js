// The package as its users get it: packed, installed into an empty folder, and used from there.

import assert from 'node:assert/strict';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { packAndInstall, root, run } from '../support/js/package.js';

/** Names of the packages of which the source maps list a file. */
async function bundledPackages() {
  const maps = join(root, '.build/maps');
  const names = new Set();
  for (const name of await readdir(maps)) {
    const { sources } = JSON.parse(await readFile(join(maps, name), 'utf8'));
    for (const source of sources) {
      const [, found] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? [];
      if (found) names.add(found);
    }
  }
  return [...names];
}

describe('the package', () => {
  let installed;
  let runModule;

  before(async () => {
    installed = await packAndInstall();
    let count = 0;
    runModule = async (source, extension = 'mjs') => {
      const file = join(installed.folder, `module-${++count}.${extension}`);
      await writeFile(file, source);
      return run(process.execPath, [file], installed.folder);
    };
  });

  after(() => installed?.remove());

  // Two queries that look at themselves: softmax of (1/√2, 0) is (0.66976, 0.33024).
  const compute = `
    const eye = { data: new Float32Array([1, 0, 0, 1]), dims: [2, 2] };
    const { output, weights } = attention(eye, eye, eye, { weights: true });
    console.log(JSON.stringify([[...output.data], [...weights.data], output.dims, weights.dims]));
  `;
  const assertComputed = (printed) => {
    const [output, weights, ...dims] = JSON.parse(printed);
    const expected = [0.66976, 0.33024, 0.33024, 0.66976];
    assert.deepEqual(dims, [
      [2, 2],
      [2, 2],
    ]);
    for (const numbers of [output, weights]) {
      assert.equal(numbers.length, 4);
      numbers.forEach((number, index) => assert.ok(Math.abs(number - expected[index]) < 1e-5));
    }
  };

  const built = (names) => names.map((name) => `web/built/${name}`);
  const scripts = built([
    'byte_pairs.js',
    'command.js',
    'core.js',
    'fused.js',
    'fused.wasm',
    'heatmap.js',
    'index.js',
    'models.js',
    'models.node.js',
    'models_beams.js',
    'models_edits.js',
    'models_families.js',
    'models_folders.js',
    'models_folders.node.js',
    'models_load.js',
    'models_load_static.js',
    'models_measures.js',
    'models_image.js',
    'models_runtime.js',
    'models_static.js',
    'models_static.node.js',
    'models_sweep.js',
    'models_vocabulary_files.js',
    'pool.edge.js',
    'pool.js',
    'pool.node.js',
    'pool_models.js',
    'pool_worker.js',
    'pool_worker.node.js',
    'pool_worker_code.js',
    'safetensors.js',
    'text.js',
    'training.js',
    'training.wasm',
    'translator.js',
    'translator.node.js',
  ]);

  it('holds exactly what is built from the library, its types, guides, README and LICENSE', async () => {
    const types = (await readdir(join(root, 'web/lib/types'), { recursive: true }))
      .map((name) => `web/lib/types/${name}`)
      .filter((path) => path.endsWith('.d.ts'));
    const guides = (await readdir(join(root, 'web/reference/guides'), { recursive: true }))
      .map((name) => `web/reference/guides/${name}`)
      .filter((path) => /\.\w+$/.test(path));
    assert.ok(guides.length > 25, `${guides}`);
    const model = ['README.md', 'config.json', 'english_french.safetensors', 'tokenizer.json'].map(
      (name) => `web/model/${name}`,
    );
    const others = ['LICENSE', 'README.md', 'package.json', 'web/lib/models/README.md'];
    others.push(
      '.github/heat_map.svg',
      '.github/page.png',
      ...built(['THIRD_PARTY_LICENSES.txt', 'attention.wasm']),
    );
    const files = [...others, ...scripts, ...types, ...guides, ...model];
    assert.deepEqual(installed.files, files.sort());
  });

  it('has no unreachable script, and none that cannot run', async () => {
    const held = installed.files.filter((path) => /^web\/built\/.*\.js$/.test(path));
    const at = (path) => join(installed.folder, 'node_modules', 'attention-wasm', path);
    const { exports, bin } = JSON.parse(await readFile(at('package.json'), 'utf8'));
    const pathsIn = (target) =>
      typeof target === 'string' ? [target] : Object.values(target).flatMap(pathsIn);
    const reached = new Set(pathsIn({ exports, bin }).map((path) => path.replace(/^\.\//, '')));
    for (const path of reached) {
      if (!path.endsWith('.js')) continue;
      // Each script is imported by another, starts a worker, or is an export of the package.
      const source = await readFile(at(path), 'utf8');
      const named = /\b(?:from|import\(|new URL\() ?["'](\.{1,2}\/[^"']+\.js)["']/g;
      for (const [, to] of source.matchAll(named)) reached.add(join(path, '..', to));
    }
    assert.deepEqual(
      held.filter((path) => !reached.has(path)),
      [],
    );
    for (const path of held) {
      const code = await readFile(at(path), 'utf8');
      if (path.endsWith('command.js')) assert.match(code, /^#!\/usr\/bin\/env node\n/);
      const imports = `import(${JSON.stringify(pathToFileURL(at(path)))})`;
      const inWorker = `
        import { Worker } from 'node:worker_threads';
        const worker = new Worker(${JSON.stringify(imports)}, { eval: true });
        worker.on('message', ({ here, id, result }) => {
          console.log(here, id, Array.isArray(result));
          if (id) worker.terminate();
        });
        worker.postMessage({ id: 7, task: 'release', object: 0 });
      `;
      // The browser worker and the command have effects when imported: the worker listens, the command
      // prints its help.
      if (path.endsWith('pool_worker.node.js')) {
        assert.equal(await runModule(inWorker), 'true undefined false\nundefined 7 false\n', path);
      } else if (path.endsWith('pool_worker.js')) {
        const listening = `
          globalThis.addEventListener = (name) => console.log(name);
          globalThis.postMessage = (message) => console.log(JSON.stringify(message));
          await ${imports};
        `;
        assert.equal(await runModule(listening), 'message\n{"here":true}\n', path);
      } else if (!path.endsWith('command.js')) {
        assert.equal(await runModule(`await ${imports};`), '', path);
      }
    }
  });

  it('has no dependencies', async () => {
    const names = await readdir(join(installed.folder, 'node_modules'));
    assert.deepEqual(
      names.filter((name) => !name.startsWith('.')),
      ['attention-wasm'],
    );
  });

  it('computes with the wasm inside', async () => {
    assertComputed(
      await runModule(`
        import { loadAttention } from 'attention-wasm';
        const { attention } = await loadAttention();
        ${compute}
      `),
    );
  });

  it('computes without it, given the raw file', async () => {
    assertComputed(
      await runModule(`
        import { readFile } from 'node:fs/promises';
        import { loadAttention } from 'attention-wasm/core';
        const wasm = await readFile(new URL(import.meta.resolve('attention-wasm/attention.wasm')));
        const { attention } = await loadAttention({ wasm });
        ${compute}
      `),
    );
  });

  it('computes when loaded by require(), where the runtime can require ES modules', async (t) => {
    if (!process.features.require_module) {
      t.skip(`Node ${process.version} cannot, as it is set up here`);
      return;
    }
    assertComputed(
      await runModule(
        `const { loadAttention } = require('attention-wasm');
         loadAttention().then(({ attention }) => { ${compute} });`,
        'cjs',
      ),
    );
  });

  it('splits text without loading the module', async () => {
    const printed = await runModule(`
      import { words } from 'attention-wasm/text';
      console.log(words('Zuko made his uncle tea.').join('|'));
    `);
    assert.equal(printed, 'Zuko|made|his|uncle|tea|.\n');
  });

  it('does nothing when imported', async () => {
    const printed = await runModule(`
      for (const name of ['compile', 'compileStreaming', 'instantiate', 'instantiateStreaming', 'Module', 'Instance']) {
        WebAssembly[name] = () => console.log('WebAssembly.' + name);
      }
      for (const name of ['atob', 'fetch', 'setTimeout', 'queueMicrotask']) {
        globalThis[name] = () => console.log(name);
      }
      const names = Object.keys(globalThis).length;
      await import('attention-wasm');
      await import('attention-wasm/core');
      await import('attention-wasm/text');
      console.log(Object.keys(globalThis).length - names);
    `);
    assert.equal(printed, '0\n');
  });

  it('has a command', async () => {
    const command = join(installed.folder, 'node_modules', '.bin', 'attention-wasm');
    const printed = await run(command, ['Zuko made his uncle tea'], installed.folder);
    for (const word of ['Zuko', 'made', 'his', 'uncle', 'tea']) assert.match(printed, RegExp(word));
    assert.match(await run(command, ['--help'], installed.folder), /attention-wasm/);
  });

  it('exports its manifest, and a main script for older tools', async () => {
    const printed = await runModule(
      `const { main, types, version } = require('attention-wasm/package.json');
       const { dirname, join } = require('node:path');
       const folder = dirname(require.resolve('attention-wasm/package.json'));
       const { existsSync } = require('node:fs');
       console.log(version, [main, types].map((path) => existsSync(join(folder, path))).join());`,
      'cjs',
    );
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    assert.equal(printed, `${version} true,true\n`);
  });

  it('has the licenses of bundled packages', async () => {
    const path = 'node_modules/attention-wasm/web/built/THIRD_PARTY_LICENSES.txt';
    const licenses = await readFile(join(installed.folder, path), 'utf8');
    const names = await bundledPackages();
    assert.ok(names.length > 0);
    for (const bundled of names) {
      const folder = join(root, 'node_modules', bundled);
      const { name, version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
      assert.ok(licenses.includes(`${name} ${version} (`), name);
      const file = (await readdir(folder)).find((entry) => entry.startsWith('LICENSE'));
      assert.ok(licenses.includes(await readFile(join(folder, file), 'utf8')), file);
    }
  });

  it('has every file that its documents link to', async () => {
    const pages = installed.files.filter((path) => path.endsWith('.md'));
    assert.ok(pages.length >= 3, pages.join());
    const dead = [];
    for (const page of pages) {
      const at = join(installed.folder, 'node_modules/attention-wasm', page);
      const prose = (await readFile(at, 'utf8')).replaceAll(/^```[^]*?^```$/gm, '');
      const links = prose.matchAll(
        /(?:\]\(<?|\b(?:href|src)="|^\[[^\]]+\]: )(?![a-z]+:|#)([^)#>"\s]+)/gm,
      );
      for (const [, link] of links) {
        const to = join(dirname(page), link);
        if (!installed.files.includes(to)) dead.push(`${page}: ${to}`);
      }
    }
    assert.deepEqual(dead, []);
  });

  it('has every npm script that the README names, and the README every tier of the tests', async () => {
    const readme = await readFile(join(root, 'README.md'), 'utf8');
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    const names = Array.from(readme.matchAll(/\bnpm (?:run )?([\w:]+)/g), ([, name]) => name);
    assert.ok(
      names.includes('start') && names.includes('test'),
      'the README names npm start and test',
    );
    for (const name of names) assert.ok(name === 'install' || Object.hasOwn(scripts, name), name);
    const tiers = Array.from(readme.matchAll(/^npm test -- (\w+)/gm), ([, name]) => name);
    assert.deepEqual(tiers, ['full', 'nightly']);
  });
});
