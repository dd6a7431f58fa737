// Deno, Bun, and workerd. workerd passes a compiled module to attention-wasm/core; the main entry's error says to do so.

import { beginning, kept } from './beginning.js';

const program = `
  import { known } from './known.js';
  import { pooled } from './pooled.js';
  console.log([await known(), await pooled()].join());
  globalThis.process?.exit?.(0);
`;

const worker = `
  import wasm from './attention.wasm';
  import fused from './fused.wasm';
  import trainingWasm from './training.wasm';
  import { loadAttention } from './core.js';
  import { known } from './known.js';
  import { loadTraining } from './training.js';
  const sizes = { kind: 'decoder', vocabulary: 3, width: 4, layers: 1, heads: 1, context: 4 };
  async function trained() {
    const { TrainableTransformer } = await loadTraining({ wasm: trainingWasm });
    const { loss } = new TrainableTransformer(sizes).step({ ids: [[0, 1]], targets: [[1, 2]] }, { learningRate: 0.1 });
    return Math.abs(loss - Math.log(3)) < 0.1 ? 'same' : 'a loss of ' + loss;
  }
  // (1 + e)² - (1 + 2e) is e² if the product and its sum are rounded once, else 0.
  async function fusedOnce() {
    const { kernels, scores } = await loadAttention({ wasm, kernels: fused });
    const e = 2 ** -13;
    const query = { data: Float32Array.of(1, 1 + e), dims: [1, 2] };
    const key = { data: Float32Array.of(-(1 + 2 * e), 1 + e), dims: [1, 2] };
    const [score] = scores(query, key, { scale: 1 }).data;
    return kernels === 'fused' && score === e * e ? 'same' : kernels + ' kernels with ' + score;
  }
  export default {
    fetch: async () =>
      new Response([await known(() => loadAttention({ wasm })), await trained(), await fusedOnce()].join()),
  };
`;

// known.js imports the main entry; here an alias makes it attention-wasm/core.
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
      module('training.js', await text(built + 'training.js')),
      { type: 'CompiledWasm', path: 'attention.wasm', contents: await readFile(built + 'attention.wasm') },
      { type: 'CompiledWasm', path: 'fused.wasm', contents: await readFile(built + 'fused.wasm') },
      { type: 'CompiledWasm', path: 'training.wasm', contents: await readFile(built + 'training.wasm') },
    ],
  });
  console.log(await (await miniflare.dispatchFetch('http://localhost/')).text());
  await miniflare.dispose();
  process.exit(0);
`;

// The reference's getting-started file, unchanged.
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

// The main entry: workerd refuses to compile its bytes.
const main_of_miniflare = `
  import { readFile } from 'node:fs/promises';
  import { Miniflare } from 'miniflare';
  const worker = \`
    import { loadAttention } from 'attention-wasm';
    const said = () => loadAttention().then(() => 'loaded', ({ message }) => message);
    export default { fetch: async () => new Response(await said()) };
  \`;
  const main = await readFile('node_modules/attention-wasm/web/built/index.js', 'utf8');
  const miniflare = new Miniflare({
    compatibilityDate: '2025-01-01',
    modules: [
      { type: 'ESModule', path: 'worker.mjs', contents: worker },
      { type: 'ESModule', path: 'attention-wasm', contents: main },
    ],
  });
  console.log(await (await miniflare.dispatchFetch('http://localhost/')).text());
  await miniflare.dispose();
  process.exit(0);
`;

const printed = async (project, command, args) =>
  (await project.run(command, args)).trim().split('\n').at(-1).split(',');

/** The known weights, and the getting-started program without permissions. */
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
    note: 'same numbers; the main entry names the one without wasm',
    files: {
      'program.mjs': program_of_miniflare,
      'beginning.mjs': beginning_of_miniflare,
      'main.mjs': main_of_miniflare,
      'beginning.js': beginning('cloudflare_worker.js'),
    },
    run: async (project) => {
      const node = project.at('node_modules/node/bin/node');
      const begun = await project.run(node, ['beginning.mjs']);
      const [, weight] = /\["([\d.]+)"/.exec(beginning('cloudflare_worker.js'));
      const same = begun.trim() === weight ? 'same' : `cloudflare_worker.js answered ${begun}`;
      const said = await project.run(node, ['main.mjs']);
      const remedy = /loadAttention\(\{ wasm \}\) of 'attention-wasm\/core'/.test(said)
        ? 'same'
        : `the main entry: ${said}`;
      return [...(await printed(project, node, ['program.mjs'])), same, remedy];
    },
  },
};
