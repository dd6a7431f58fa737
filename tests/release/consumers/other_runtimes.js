// Deno, Bun, and workerd with the entry without wasm, whose compiled module it is handed.

import { beginning, kept } from './beginning.js';

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

// The beginning of the reference as it stands, by the names of the package.
const beginning_of_miniflare = `
  import { readFile } from 'node:fs/promises';
  import { Miniflare } from 'miniflare';
  const built = 'node_modules/attention-wasm/web/built/';
  const miniflare = new Miniflare({
    compatibilityDate: '2025-01-01',
    modules: [
      { type: 'ESModule', path: 'beginning.mjs', contents: await readFile('beginning.js', 'utf8') },
      { type: 'ESModule', path: 'attention-wasm/core', contents: await readFile(built + 'core.js', 'utf8') },
      { type: 'CompiledWasm', path: 'attention-wasm/attention.wasm', contents: await readFile(built + 'attention.wasm') },
    ],
  });
  console.log((await (await miniflare.dispatchFetch('http://localhost/')).json())[0]);
  await miniflare.dispose();
  process.exit(0);
`;

const printed = async (project, command, args) =>
  (await project.run(command, args)).trim().split('\n').at(-1).split(',');

/** The known numbers, and the beginning, which asks for nothing. */
async function both(project, command, args) {
  const begun = await project.run(command, [
    ...args.filter((argument) => argument !== '--allow-all'),
    'beginning.js',
  ]);
  const outcome = await printed(project, command, [...args, 'program.js']);
  return [...outcome, kept('program.js', begun)];
}

const files = { 'program.js': program, 'beginning.js': beginning('program.js') };

export default {
  deno: {
    packages: ['deno'],
    files,
    run: (project) =>
      both(project, project.bin('deno'), ['run', '--allow-all', '--node-modules-dir=manual']),
  },
  bun: { packages: ['bun'], files, run: (project) => both(project, project.bin('bun'), []) },
  workerd: {
    packages: ['miniflare@4', 'node@22'],
    shown: ['miniflare', 'workerd'],
    files: {
      'program.mjs': program_of_miniflare,
      'beginning.mjs': beginning_of_miniflare,
      'beginning.js': beginning('cloudflare_worker.js'),
    },
    run: async (project) => {
      const node = project.at('node_modules/node/bin/node');
      const begun = await project.run(node, ['beginning.mjs']);
      const [, weight] = /\["([\d.]+)"/.exec(beginning('cloudflare_worker.js'));
      const same = begun.trim() === weight ? 'same' : `cloudflare_worker.js answered ${begun}`;
      return [...(await printed(project, node, ['program.mjs'])), same];
    },
  },
};
