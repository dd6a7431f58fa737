// Deno, Bun, and workerd with the entry without wasm, whose compiled module it is handed.

const program = `
  import { known } from './known.js';
  import { pooled } from './pooled.js';
  console.log([await known(), await pooled()].join());
  globalThis.process?.exit?.(0);
`;

const worker = `
  import wasm from './attention.wasm';
  import { loadAttention } from './core.js';
  import { known } from './known.js';
  export default {
    fetch: async () => new Response(await known(() => loadAttention({ wasm }))),
  };
`;

// known.js asks for the main entry: here that is the one without wasm.
const program_of_miniflare = `
  import { readFile } from 'node:fs/promises';
  import { Miniflare } from 'miniflare';
  const built = 'node_modules/attention-wasm/web/built/';
  const text = (path) => readFile(path, 'utf8');
  const module = (path, contents) => ({ type: 'ESModule', path, contents });
  const miniflare = new Miniflare({
    compatibilityDate: '2025-01-01',
    modules: [
      module('worker.mjs', ${JSON.stringify(worker)}),
      module('core.js', await text(built + 'core.js')),
      module('known.js', (await text('known.js')).replace("'attention-wasm'", "'./core.js'")),
      { type: 'CompiledWasm', path: 'attention.wasm', contents: await readFile(built + 'attention.wasm') },
    ],
  });
  console.log(await (await miniflare.dispatchFetch('http://localhost/')).text());
  await miniflare.dispose();
  process.exit(0);
`;

const printed = async (project, command, args) =>
  (await project.run(command, args)).trim().split('\n').at(-1).split(',');

export default {
  deno: {
    packages: ['deno'],
    files: { 'program.js': program },
    run: (project) =>
      printed(project, project.bin('deno'), [
        'run',
        '--allow-all',
        '--node-modules-dir=manual',
        'program.js',
      ]),
  },
  bun: {
    packages: ['bun'],
    files: { 'program.js': program },
    run: (project) => printed(project, project.bin('bun'), ['program.js']),
  },
  workerd: {
    packages: ['miniflare@4', 'node@22'],
    shown: ['miniflare', 'workerd'],
    files: { 'program.mjs': program_of_miniflare },
    run: (project) => printed(project, project.at('node_modules/node/bin/node'), ['program.mjs']),
  },
};
